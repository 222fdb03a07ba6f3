//! One reading for each extractor.

use bailiwick_domain::{Params, SEPARATORS, Value};

use super::{RequestedTarget, Targets};
use super::{files, several};
use crate::calls::params::{self, COMMAND, COMMANDS, CONTENT, CWD, FROM, NEW, OLD, PATCH, TO};
use crate::calls::patch::{PatchOp, parse_blocks, parse_patch};
use crate::calls::registry::Extractor;
use crate::calls::terms::{Access, Unreadable};

pub(super) fn read(extractor: Extractor, params: &Params) -> Result<Targets, Unreadable> {
    Ok(match extractor {
        Extractor::Nothing | Extractor::Unknown => Targets::default(),
        Extractor::ReadFile => files::some_paths(params, Access::Read)?,
        Extractor::ReadTree => files::tree(params, false)?,
        Extractor::ReadGlob => files::tree(params, true)?,
        Extractor::Write => files::write(params)?,
        Extractor::Edit => files::edit(params)?,
        Extractor::MultiFileEdit => files::multi_file_edit(params)?,
        Extractor::Insert | Extractor::Notebook => files::some_paths(params, Access::Patch)?,
        Extractor::Blocks => blocks(params)?,
        Extractor::Patch => patch(params)?,
        Extractor::Delete => files::some_paths(params, Access::Delete)?,
        Extractor::Move => moved(params)?,
        Extractor::Image => image(params)?,
        Extractor::Editor => editor(params)?,
        Extractor::Command => command(params)?,
    })
}

fn blocks(params: &Params) -> Result<Targets, String> {
    let target = files::one(params, Access::Anchored)?;
    let edits = parse_blocks(&params::required(params, &["diff"], "diff")?)?;
    Ok(Targets { paths: vec![target], edits, ..Targets::default() })
}

fn patch(params: &Params) -> Result<Targets, Unreadable> {
    let patch = parse_patch(&patch_text(params)?)?;
    let mut paths = Vec::new();
    // A host may name the file beside the patch; it is then a target like those inside.
    paths.extend(params::text(params, params::PATH)?.map(|path| RequestedTarget::new(path, Access::Patch)));
    for op in &patch.ops {
        for target in op_targets(op) {
            paths.retain(|known: &RequestedTarget| {
                // What is also copied elsewhere is changed all the same.
                !(known.access == Access::Patch
                    && known.requested == target.requested
                    && target.access.mutates())
            });
            paths.push(target);
        }
    }
    Ok(Targets { paths, patch: Some(patch), ..Targets::default() })
}

/// The only patch among the parameters, of which `command` may also be the words of a command line.
fn patch_text(params: &Params) -> Result<String, String> {
    let Some(Value::Array(words)) = params.get("command") else {
        return params::required(params, PATCH, "patch");
    };
    let [Value::String(program), Value::String(text)] = words.as_slice() else {
        return Err("`command` is not `apply_patch` and a patch".to_owned());
    };
    if !matches!(program.as_str(), "apply_patch" | "applypatch") {
        return Err(format!("`command` runs `{program}`, not `apply_patch`"));
    }
    let others: Vec<&str> = PATCH.iter().copied().filter(|key| *key != "command").collect();
    match params::text(params, &others)? {
        Some(other) if other != *text => {
            Err("`command` and another parameter hold different patches".to_owned())
        }
        _ => Ok(text.clone()),
    }
}

fn op_targets(op: &PatchOp) -> Vec<RequestedTarget> {
    match op {
        PatchOp::Add { path, .. } => vec![RequestedTarget::new(path, Access::Overwrite)],
        PatchOp::Delete { path } => vec![RequestedTarget::new(path, Access::Delete)],
        PatchOp::Update { path, move_to: None, .. } | PatchOp::Opaque { path, .. } => {
            vec![RequestedTarget::new(path, Access::Patch)]
        }
        PatchOp::Update { path, move_to: Some(to), .. } => {
            from_to(path.clone(), to.clone(), Access::MoveFrom)
        }
        PatchOp::Copy { path, to, .. } => from_to(path.clone(), to.clone(), Access::Read),
    }
}

fn from_to(from: String, to: String, access: Access) -> Vec<RequestedTarget> {
    let source = RequestedTarget { requested: from, access, moved_to: Some(to.clone()) };
    vec![source, RequestedTarget::new(to, Access::MoveTo)]
}

fn moved(params: &Params) -> Result<Targets, String> {
    let from = params::required(params, FROM, "path to move from")?;
    let to = params::required(params, TO, "path to move to")?;
    let bare_name =
        (params.contains_key("new_name") || params.contains_key("newName")) && !to.contains(SEPARATORS);
    let to = match from.rsplit_once(SEPARATORS) {
        Some((directory, _)) if bare_name => format!("{directory}/{to}"),
        _ => to,
    };
    Ok(Targets { paths: from_to(from, to, Access::MoveFrom), ..Targets::default() })
}

fn image(params: &Params) -> Result<Targets, String> {
    let mut targets = files::some_paths(params, Access::Overwrite)?;
    targets.paths.extend(params::text(params, &["image"])?.map(RequestedTarget::read));
    Ok(targets)
}

/// The tools that do several things, as `command` says, or without it what their other parameters mean.
fn editor(params: &Params) -> Result<Targets, String> {
    let says = params::text(params, &["command"])?;
    let has = |keys: &[&str]| params::has(params, keys);
    let patched = || Ok(Targets { paths: vec![files::one(params, Access::Patch)?], ..Targets::default() });
    match says.as_deref() {
        Some("view") => files::some_paths(params, Access::Read),
        Some("create") if NEW.iter().any(|key| !CONTENT.contains(key) && has(&[key])) => {
            Err("`create` takes the content of a file, and no other new text".to_owned())
        }
        Some("create") => files::write(params),
        Some("str_replace") => files::edit(params),
        Some("insert" | "append" | "undo_edit") => patched(),
        Some(other) => Err(format!("`command` is `{other}`, which is not known")),
        None if has(&["insert_line"]) => patched(),
        None if has(OLD) => files::edit(params),
        None if has(CONTENT) => files::write(params),
        None => Err("there is neither a new text nor a `command`".to_owned()),
    }
}

fn command(params: &Params) -> Result<Targets, String> {
    let mut commands = Vec::new();
    for key in COMMAND {
        match params.get(*key) {
            None | Some(Value::Null) => {}
            Some(Value::Array(words)) => commands.push(from_words(words)?),
            Some(_) => {}
        }
    }
    let texts: Vec<&str> =
        COMMAND.iter().copied().filter(|key| !params.get(*key).is_some_and(Value::is_array)).collect();
    commands.extend(params::text(params, &texts)?);
    for key in COMMANDS {
        for item in listed_commands(params, key) {
            commands.push(one_command(&item)?);
        }
    }
    if let Some(args) = params.get("args").filter(|args| !args.is_null()) {
        let [head] = commands.as_slice() else {
            return Err("`args` stands beside several commands".to_owned());
        };
        commands = vec![with_args(head, args)?];
    }
    let is_blank = |command: &String| command.trim().is_empty();
    if commands.is_empty() || commands.iter().any(is_blank) {
        return Err("there is no command".to_owned());
    }
    Ok(Targets {
        command: Some(several::joined(&commands)),
        cwd: params::text(params, CWD)?,
        ..Targets::default()
    })
}

/// Shells, and the ways in which they are given a script.
const SHELLS: &[&str] = &["sh", "bash", "dash", "zsh", "ksh"];
const SCRIPTS: &[&str] = &["-c", "-lc", "-cl"];

/// What keeps a program apart from its words: a sign that no reader of commands passes over.
const APART: &str = " \\\n  ";

/// The listed commands. Only a text that is a list in JSON is one: whatever else it looks like, a shell runs it.
fn listed_commands(params: &Params, key: &str) -> Vec<Value> {
    match params.get(key) {
        Some(Value::String(text)) if !text.trim_start().starts_with('[') => vec![text.as_str().into()],
        _ => params::list(params, key).unwrap_or_default(),
    }
}

/// A command with the words beside it as one text. A host that drops them runs the command alone, so they are kept apart:
/// neither is proved by the other.
fn with_args(head: &str, args: &Value) -> Result<String, String> {
    let words = match args {
        Value::Array(words) => quoted(&texts(words)?),
        Value::String(words) => words.clone(),
        _ => return Err("`args` is not a list".to_owned()),
    };
    Ok(if words.is_empty() { head.trim_end().to_owned() } else { format!("{head}{APART}{words}") })
}

fn one_command(item: &Value) -> Result<String, String> {
    match item {
        Value::String(command) => Ok(command.clone()),
        Value::Array(words) => from_words(words),
        Value::Object(entry) => {
            let head = params::required(entry, COMMAND, "command in a list entry")?;
            let mut words = vec![Value::String(head.clone())];
            match entry.get("args") {
                None | Some(Value::Null) => return Ok(head),
                Some(Value::Array(args)) => words.extend(args.iter().cloned()),
                Some(_) => return Err("`args` is not a list".to_owned()),
            }
            from_words(&words)
        }
        _ => Err("a list entry is not a command".to_owned()),
    }
}

/// Words as one line that a shell would read as these words. A host may put blanks between them and give the line to a
/// shell: where that is another line, the program is kept apart from its words.
fn from_words(words: &[Value]) -> Result<String, String> {
    let words = texts(words)?;
    Ok(match words.split_first() {
        Some((head, rest)) if !rest.is_empty() && !is_same_when_joined(&words) => {
            format!("{}{APART}{}", quote(head), quoted(rest))
        }
        _ => quoted(&words),
    })
}

fn texts(words: &[Value]) -> Result<Vec<&str>, String> {
    words
        .iter()
        .map(|word| word.as_str().ok_or_else(|| "a command's word is not a string".to_owned()))
        .collect()
}

/// Whether the words with blanks between them do to a shell what they do one by one. Of a script all that stands behind its
/// first command is run by one shell or the other.
fn is_same_when_joined(words: &[&str]) -> bool {
    if let [shell, option, script] = words {
        let name = shell.rsplit('/').next().unwrap_or_default();
        let first = script.split_whitespace().next().unwrap_or_default();
        let is_script = is_plain(shell) && SHELLS.contains(&name) && SCRIPTS.contains(option);
        // A variable could hold another command, and the inner shell would read it.
        if is_script && is_plain(first) && !first.contains('=') {
            return true;
        }
    }
    words.iter().all(|word| is_plain(word))
}

fn quoted(words: &[&str]) -> String {
    words.iter().map(|word| quote(word)).collect::<Vec<_>>().join(" ")
}

fn quote(word: &str) -> String {
    if is_plain(word) { word.to_owned() } else { format!("'{}'", word.replace('\'', r"'\''")) }
}

/// Whether a shell takes a word for nothing but this word.
fn is_plain(word: &str) -> bool {
    !word.is_empty() && word.chars().all(|sign| sign.is_ascii_alphanumeric() || "-_./=:,@%+".contains(sign))
}
