//! Which words of tasks are paths, and how they are written.

use bailiwick_adapters_specs::Document;

use crate::project::{intents, one};

/// What a feature proposes whose only task says this.
fn proposed(task: &str) -> Vec<String> {
    let mut documents =
        one("specs/001-x/spec.md", "# Feature Specification: X\n\n- **FR-001**: It MUST run\n");
    let text = format!("# Tasks\n\n- [ ] T001 {task}\n");
    documents.push(Document { path: "specs/001-x/tasks.md".to_owned(), text });
    intents(&documents, &[], false)[0].proposed_scope.clone()
}

// REQ 7: an underscore is emphasis only where a word stands between two of them
#[test]
fn req_007_underscores_of_a_path_stay() {
    for path in ["api/src/__init__.py", "src/__tests__/a.test.ts", "src/_private_/b.ts", "src/a_b_c.rs"] {
        assert_eq!(proposed(&format!("Write {path} now")), [path]);
    }
    assert_eq!(
        proposed("Write __src/a.rs__ and _src/b.rs_. Then *src/c.rs*"),
        ["src/a.rs", "src/b.rs", "src/c.rs"]
    );
}

// REQ 7: a name with an end is a file, whatever the end
#[test]
fn req_007_a_name_with_an_end_is_a_file() {
    assert_eq!(proposed("Write `src/a.wgsl` and `src/b`"), ["src/a.wgsl", "src/b/"]);
    assert_eq!(proposed("Write `src/v1.0`"), ["src/v1.0/"]);
    assert_eq!(proposed("Write `src/Shop.Core/`"), ["src/Shop.Core/"]);
}

// REQ 7: an end alone is no file
#[test]
fn req_007_an_end_alone_is_no_file() {
    assert_eq!(
        proposed("Make `.g.dart` and `.test.ts` files, `.eslintrc.json`, `.env`"),
        [".eslintrc.json", ".env"]
    );
}
