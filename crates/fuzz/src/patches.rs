//! Patch text. What is read names each path, and what it makes of a text can be told or is said not to be told.

use bailiwick_policy::patch::{Hunk, PatchOp, parse_patch};
use bailiwick_policy::preview::{anchor_of_hunks, apply_hunks};

/// Texts that a patch is tried on.
const BEFORE: [&str; 4] = ["", "a\n", "a\nb\nc\n\nd\ne", "fn main() {\r\n    a();\r\n}\r\n"];

pub(crate) fn check(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let Ok(patch) = parse_patch(&text) else { return };
    assert_eq!(parse_patch(&text).as_ref(), Ok(&patch), "the same text is the same patch");
    assert!(!patch.ops.is_empty() || !patch.modes.is_empty(), "a patch that does nothing is no patch");
    for op in &patch.ops {
        let (paths, hunks): (Vec<&str>, &[Hunk]) = match op {
            PatchOp::Add { path, .. } | PatchOp::Delete { path } => (vec![path], &[]),
            PatchOp::Update { path, move_to, hunks } => {
                (std::iter::once(path.as_str()).chain(move_to.as_deref()).collect(), hunks)
            }
            PatchOp::Copy { path, to, hunks } => (vec![path, to], hunks),
            PatchOp::Opaque { path, hunks } => (vec![path], hunks),
        };
        assert!(paths.iter().all(|path| !path.is_empty()), "a path that is nothing: {op:?}");
        let quoted: Vec<&Hunk> = hunks.iter().collect();
        for before in BEFORE {
            apply_hunks(before, hunks);
            anchor_of_hunks(before, &quoted);
        }
    }
}

/// Both forms, with everything that they can say.
pub(crate) fn seeds() -> Vec<Vec<u8>> {
    SEEDS.iter().map(|text| text.as_bytes().to_vec()).collect()
}

const SEEDS: [&str; 9] = [
    "*** Begin Patch\n*** Add File: src/a.rs\n+fn a() {}\n+\n*** End Patch\n",
    "*** Begin Patch\n*** Delete File: src/a.rs\n*** End Patch",
    "*** Begin Patch\n*** Update File: a\n*** Move to: b/c\n@@ fn main()\n a\n-b\n+B\n c\n*** End of File\n*** End Patch\n",
    "*** Begin Patch\n*** Update File: a\n@@\n-a\n+A\n@@ class X\n@@   def y\n e\n+f\n*** Add File: z\n+z\n*** End Patch\n",
    "--- a/a\n+++ b/a\n@@ -1,3 +1,4 @@ fn\n a\n-b\n+B\n+BB\n c\n\\ No newline at end of file\n",
    "diff --git a/a b/b\nsimilarity index 90%\nrename from a\nrename to b\nindex 1..2 100644\n--- a/a\n+++ b/b\n@@ -1 +1 @@\n-a\n+b\n",
    "diff --git a/a b/a\nold mode 100644\nnew mode 100755\n",
    "diff --git a/x b/x\nnew file mode 120000\nindex 0000000..1\n--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+/etc/passwd\n\\ No newline at end of file\n",
    "diff --git \"a/\\303\\244\" \"b/\\303\\244\"\ndeleted file mode 100644\nindex 1..0\nGIT binary patch\nliteral 3\nKc${NkU|;|M\n\n",
];
