//! adapters-fs
