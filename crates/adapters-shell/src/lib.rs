//! adapters-shell
