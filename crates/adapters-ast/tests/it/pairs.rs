//! How a pair of texts is classified in these tests.

use std::time::Duration;

use bailiwick_adapters_ast::{AstReader, Limits};
use bailiwick_domain::testing::sample::path as path_of;
use bailiwick_domain::{FileChange, Mutation, MutationClassifier as _, MutationMethod};

pub(crate) fn reader() -> AstReader {
    AstReader::with_limits(Limits { time: Duration::from_secs(60), ..Limits::default() })
}

pub(crate) fn classify(path: &str, before: &str, after: &str) -> Mutation {
    let path = path_of(path);
    let change = FileChange { path: &path, before: Some(before.as_bytes()), after: Some(after.as_bytes()) };
    reader().classify(&[change])
}

#[track_caller]
pub(crate) fn is_refactor(path: &str, method: MutationMethod, before: &str, after: &str) {
    let mutation = classify(path, before, after);
    assert!(mutation.is_refactor(), "{before}\n----\n{after}\n{:?}", mutation.evidence);
    assert_eq!(mutation.method, method);
    let back = classify(path, after, before);
    assert!(back.is_refactor(), "and back: {:?}", back.evidence);
}

#[track_caller]
pub(crate) fn is_evolution(path: &str, before: &str, after: &str) {
    for (before, after) in [(before, after), (after, before)] {
        let mutation = classify(path, before, after);
        assert!(!mutation.is_refactor(), "{:?} proved\n{before}\n----\n{after}", mutation.method);
        assert!(!mutation.evidence.is_empty(), "an evolution names what stands against it");
    }
}
