//! adapters-git
