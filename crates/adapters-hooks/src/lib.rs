//! adapters-hooks
