//! What a request is about, in one line for lists and in all of its lines: the same words on every face.
//!
//! One line never stands for a command of several: it says how many more there are. Each text is harmless to show.

use bailiwick_domain::ApprovalRequest;

use crate::counted::counted;
use crate::inert;

/// The command that a request would run, whole.
pub(crate) fn command(request: &ApprovalRequest) -> Option<&str> {
    let preview = &request.diff_preview;
    let behind_folder = || preview.split_once("\n$ ").map(|(_, command)| command);
    let command = preview.strip_prefix("$ ").or_else(behind_folder)?;
    Some(command.trim_end()).filter(|_| request.changed_paths.is_empty())
}

/// Whether one line shows only a part of what would run.
pub(crate) fn has_more_lines(request: &ApprovalRequest) -> bool {
    command(request).is_some_and(|command| written(command).count() > 1)
}

/// The paths, the command, where the call reaches out to, or what it says.
pub(crate) fn object(request: &ApprovalRequest) -> String {
    match (request.changed_paths.as_slice(), command(request)) {
        ([], Some(command)) => first_line(command),
        ([], None) => reached(&request.diff_preview),
        ([one], _) => inert::line(one),
        ([first, rest @ ..], _) => inert::line(&format!("{first} +{}", rest.len())),
    }
}

/// The first line, and how many more there are.
fn first_line(text: &str) -> String {
    let mut lines = written(text);
    let first = inert::line(lines.next().unwrap_or_default().trim());
    match lines.count() {
        0 => first,
        more => format!("{first} … +{}", counted(more, "line", "lines")),
    }
}

fn written(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter(|line| !line.trim().is_empty())
}

/// The hosts of the addresses in a call, the first of them by name; the call itself where it has none.
fn reached(call: &str) -> String {
    let mut hosts: Vec<&str> = call.split("://").skip(1).map(host).collect();
    hosts.dedup();
    match hosts.as_slice() {
        [] => first_line(call.split_once(' ').map_or(call, |(_, params)| params)),
        [one] => inert::line(one),
        [first, rest @ ..] => inert::line(&format!("{first} +{}", rest.len())),
    }
}

fn host(address: &str) -> &str {
    let end = address.find(['/', '?', '#', ' ', '"', '\'', '\\', '>', ')']).unwrap_or(address.len());
    address.get(..end).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use bailiwick_domain::testing::sample;

    use super::*;

    fn asked(preview: &str) -> ApprovalRequest {
        let diff_preview = preview.to_owned();
        ApprovalRequest { diff_preview, changed_paths: Vec::new(), ..sample::request("asked") }
    }

    // REQ 144
    #[test]
    fn a_line_for_a_command_of_several_says_that_there_are_more() {
        for (command, shown) in [
            ("cargo build", "cargo build"),
            ("cargo build\n\n", "cargo build"),
            ("rm -rf src\ncargo build", "rm -rf src … +1 line"),
            ("\n\nrm -rf src\n\ncargo build\n$ ls\n", "rm -rf src … +2 lines"),
            ("python <<'EOF'\nimport os\nEOF", "python <<'EOF' … +2 lines"),
        ] {
            for preview in [format!("in /repo\n$ {command}"), format!("$ {command}")] {
                assert_eq!(object(&asked(&preview)), shown, "{preview}");
                assert_eq!(has_more_lines(&asked(&preview)), shown.contains(" … +"), "{preview}");
            }
        }
    }

    #[test]
    fn a_call_that_reaches_out_is_named_by_its_host() {
        for (preview, shown) in [
            ("WebFetch {\"prompt\":\"x\",\"url\":\"https://evil.example/a?b=1\"}", "evil.example"),
            ("WebFetch {\"a\":\"https://one.example\",\"url\":\"http://two.example:8/\"}", "one.example +1"),
            ("WebSearch {\"query\":\"how to\"}", "{\"query\":\"how to\"}"),
        ] {
            assert_eq!(object(&asked(preview)), shown);
        }
    }
}
