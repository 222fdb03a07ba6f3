//! Makes a repository with many intents, and does the least work that a look at them could cost. `cargo xtask bench
//! intents` runs it and compares the program with it.

use std::error::Error;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;

use bailiwick_adapters_fs::{FsScopeMeter, Layout};
use bailiwick_domain::ScopeMeter as _;

type Outcome = Result<String, Box<dyn Error>>;

const USAGE: &str = "\
usage: intents_at_size TASK

  make ROOT COUNT  so many intents, and four files that each of them owns
  parse FILE       parses YAML with serde_yaml
  list ROOT        lists the files of a working copy
";

/// The intents of a part of the code, each with a folder of its own.
const AREAS: usize = 25;

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    Ok(writeln!(std::io::stdout(), "{}", run(&words)?)?)
}

fn run(words: &[&str]) -> Outcome {
    match words {
        ["make", root, count] => make(Path::new(root), count.parse()?),
        ["parse", file] => {
            let value: serde_yaml::Value = serde_yaml::from_slice(&std::fs::read(file)?)?;
            Ok(value.is_mapping().to_string())
        }
        ["list", root] => {
            let layout = Layout::new(*root, Path::new(root).join(".git/bailiwick"), None);
            let listing = pollster::block_on(FsScopeMeter::new(layout).tree())?;
            Ok(listing.files.len().to_string())
        }
        _ => Err(USAGE.into()),
    }
}

fn make(root: &Path, count: usize) -> Outcome {
    let mut text = String::from("active_intents:\n");
    for number in 0..count {
        let (part, area) = (number / AREAS, number % AREAS);
        for (folder, names) in
            [("src", &["session.rs", "token.rs", "store.rs"][..]), ("tests", &["session_test.rs"])]
        {
            let folder = root.join(format!("crates/part{part}/{folder}/area{area}"));
            std::fs::create_dir_all(&folder)?;
            names.iter().try_for_each(|name| std::fs::write(folder.join(name), "fn f() {}\n"))?;
        }
        write!(text, "{}", intent(number, part, area))?;
    }
    std::fs::write(root.join(".orchestration/active_intents.yaml"), text)?;
    Ok(count.to_string())
}

/// A whole intent, as the guide shows one.
fn intent(number: usize, part: usize, area: usize) -> String {
    let (owned, tests) =
        (format!("crates/part{part}/src/area{area}/"), format!("crates/part{part}/tests/area{area}/**"));
    format!(
        "  - id: INT-{number:04}
    name: Refuse reused refresh tokens in area {area} of part {part}
    kind: change
    status: PENDING
    why: A stolen refresh token stays valid for 30 days.
    requirements: [REQ-{number:04}]
    owned_scope: [{owned}, \"{tests}\", \"!crates/part{part}/**/legacy/**\"]
    constraints:
      - text: The public token format stays the same
        because: Mobile clients parse it
        check: {{run: cargo test token_format}}
      - forbid_paths: [crates/part{part}/migrations/]
      - max_files: 8
    acceptance_criteria:
      - id: AC-1
        text: A reused refresh token is refused (REQ-{number:04})
        check: {{run: cargo test reuse_refused_{number}}}
      - text: Somebody from security has read the diff
        check: human
    examples:
      allow: [{owned}session.rs]
      deny: [docs/area{area}.md]
"
    )
}
