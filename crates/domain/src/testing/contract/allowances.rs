//! What every store of allowed commands must do.

use alloc::borrow::ToOwned;
use alloc::vec;

use super::{done, sample};
use crate::consents::{AllowanceId, AllowanceTerms, AllowedFile, TrustedCommand};
use crate::ports::AllowanceStore;
use crate::values::ContentHash;

/// Numbers rise and never come again, the same command is kept once, and what was revoked is gone.
pub async fn allowance_store(store: &dyn AllowanceStore) {
    assert_eq!(done(store.list().await, "list nothing"), vec![]);
    let tests = sample::allowance_terms("test");
    let first = done(store.allow(&tests).await, "allow");
    assert_eq!(first.terms, tests);
    let second = done(store.allow(&sample::allowance_terms("build")).await, "allow another");
    assert!(first.id < second.id, "numbers rise");
    assert_eq!(done(store.list().await, "list"), vec![first.clone(), second.clone()], "oldest first");

    let path = sample::path("Cargo.toml");
    let files = vec![AllowedFile { path, entry: None, hash: Some(ContentHash::of(b"other")) }];
    let newer = AllowanceTerms { files, ..tests.clone() };
    let third = done(store.allow(&newer).await, "allow the same on other files");
    assert!(second.id < third.id);
    assert_eq!(done(store.list().await, "list again"), vec![second.clone(), third.clone()], "kept once");

    let exact = TrustedCommand { further: false, ..tests.command.clone() };
    let exact = done(store.allow(&AllowanceTerms { command: exact, ..tests.clone() }).await, "allow less");
    assert_eq!(done(store.list().await, "list three").len(), 3, "another command is another allowance");

    assert_eq!(done(store.revoke(exact.id).await, "revoke"), Some(exact.clone()));
    assert_eq!(done(store.revoke(exact.id).await, "revoke again"), None);
    assert_eq!(done(store.revoke(AllowanceId::new(99)).await, "revoke none"), None);
    assert_eq!(done(store.list().await, "list the rest"), vec![second, third]);
    let again = done(store.allow(&AllowanceTerms { by: "bob".to_owned(), ..tests }).await, "allow again");
    assert!(exact.id < again.id, "no number comes again");
}
