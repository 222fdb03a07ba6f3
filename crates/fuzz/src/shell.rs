//! Lines for a shell. Every question about a line has an answer, the same each time, and nothing is both proved to read and
//! refused for what it is.

use bailiwick_adapters_shell::ReadOnlyTable;
use bailiwick_domain::{CommandReader, CommandReading, TrustedCommand};

pub(crate) fn check(bytes: &[u8]) {
    let line = String::from_utf8_lossy(bytes);
    let table = ReadOnlyTable::new(vec!["/opt/bailiwick".to_owned()]);
    let reading = table.read(&line);
    assert_eq!(table.read(&line), reading, "the same line reads the same");
    let is_faulty = table.fault(&line).is_some();
    assert!(!(is_faulty && matches!(reading, CommandReading::ReadOnly(_))), "{line:?} reads, and is refused");
    ReadOnlyTable::verifying(&line);
    let Ok(parts) = table.line(&line) else { return };
    for words in parts.words() {
        assert!(!words.is_empty(), "a command without a program in {line:?}");
        for further in [false, true] {
            let allowed = TrustedCommand { folder: None, words: words.to_vec(), further };
            if table.can_allow(&allowed).is_ok() {
                assert!(
                    matches!(table.admits(&allowed, words), Ok(Some(_))),
                    "{words:?} is not what was allowed"
                );
            }
        }
        if let Some((words, further)) = table.offer(words) {
            let offered = TrustedCommand { folder: None, words, further };
            assert!(table.can_allow(&offered).is_ok(), "{offered} is offered, and cannot be allowed");
        }
    }
}

/// Lines of every kind that the reader knows.
pub(crate) fn seeds() -> Vec<Vec<u8>> {
    LINES.lines().map(|line| line.as_bytes().to_vec()).chain([HEREDOC.to_vec()]).collect()
}

const HEREDOC: &[u8] = b"apply_patch <<'EOF'\n*** Begin Patch\n*** Delete File: a\n*** End Patch\nEOF\n";

const LINES: &str = r#"ls -la src
cd src && cargo test --workspace 2>&1 | tail -40
git log --oneline -n 5 -- src/a.rs
git -C sub diff HEAD~1 --stat
git -c core.pager=cat show HEAD:src/a.rs
rg -n 'fn main' -g '*.rs' src | head -20
grep -rn "a b" --include=*.c . || echo none
find . -name '*.rs' -not -path './target/*' -maxdepth 3 -print0
find . -exec rm {} +
sed -n '1,20p' src/a.rs
cat a b > c
printf '%s\n' "$HOME" $? `id`
FOO=1 BAR="x y" env -i ls
bailiwick tool select_active_intent '{"intent_id":"INT-001"}'
/opt/bailiwick tool read_file '{"path":"a"}'
npm run build -- --watch; npx tsc --noEmit
python3 -m pytest tests/test_a.py -k 'a and b' -x
cargo clippy --all-targets -- -D warnings
make -j4 test VERBOSE=1
bash -c "echo hi"
awk '{print $1}' a | sort | uniq -c | wc -l
for f in *.txt; do cat "$f"; done
rm -rf build && mkdir -p build
git push --force origin main
codex exec --dangerously-bypass-approvals-and-sandbox 'do it'
echo $'\x41\u202e' "${x:-y}" $((1+2)) {a,b} ~/x \
test -f a && [ -d b ] || true
cat <<< "text" | jq -r '.a[] | .b'
tail -n +10 a; head -c 100 b; wc -l c; diff -u a b; stat d
sudo apt-get install -y jq &"#;
