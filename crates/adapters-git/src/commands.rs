//! A command in git's configuration, as a shell reads it: whether what it runs may be in the tree without being named.
//!
//! What is more than simple commands with `|`, `&&` and `||` between them is not followed. Deliberately absent: files that
//! a command names (`obeys`), and which paths a word may spell (`operands`).

mod operands;

use operands::interprets;
pub(crate) use operands::{completes, paths_in, plain_name};

/// What runs what files of the folder say, or what its arguments or its input say.
#[rustfmt::skip]
const RUNNERS: &[&str] = &[
    "make", "gmake", "bmake", "nmake", "ninja", "cmake", "just", "task", "rake", "bundle", "ant", "mvn",
    "mvnw", "gradle", "gradlew", "sbt", "bazel", "buck", "scons", "meson", "npm", "npx", "pnpm", "pnpx",
    "yarn", "bun", "bunx", "deno", "corepack", "cargo", "go", "dotnet", "swift", "mix", "composer", "pipx",
    "pipenv", "poetry", "pdm", "uv", "uvx", "hatch", "tox", "nox", "invoke", "inv", "mise", "asdf", "direnv",
    "devbox", "nix", "nix-shell", "docker", "docker-compose", "podman", "vagrant", "pre-commit", "lefthook",
    "xargs", "find", "parallel", "sudo", "doas", "busybox", "watch", "script", "setsid", "tmux", "cmd",
    "pwsh", "powershell",
    "cd", "chdir", "pushd", "popd", "eval", "source", ".", "trap", "set", "export", "alias", "shopt", "enable", "hash",
    "if", "then", "while", "until", "for", "case", "select", "function", "coproc", "{", "}", "!", "[[",
];

/// Shells, which run a text or a file.
const SHELLS: &[&str] = &["sh", "bash", "dash", "zsh", "ksh", "mksh", "ash", "fish"];

/// What runs the command behind it as it stands.
const CARRIERS: &[&str] = &["exec", "command", "env", "nice", "nohup", "time"];

/// What is known of the tree: whether a path leads to something in it other than a file of that very name.
pub(crate) type Tree<'a> = &'a dyn Fn(&str) -> bool;

/// Whether a command may run a program of the tree that it does not name.
pub(crate) fn hides_program(text: &str, tree: Tree<'_>) -> bool {
    simple_commands(text).is_none_or(|commands| commands.iter().any(|words| is_hidden(words, tree)))
}

fn is_hidden(words: &[String], tree: Tree<'_>) -> bool {
    let is_setting = |word: &&String| word.split_once('=').is_some_and(|(name, _)| is_harmless(name));
    let set = words.iter().take_while(is_setting).count();
    let Some((program, rest)) = words.get(set..).and_then(<[String]>::split_first) else { return true };
    let name = plain_name(program);
    match name.as_str() {
        _ if is_expanded(program) || program.contains('=') => true,
        name if RUNNERS.contains(&name) => true,
        // It only tells where a program is.
        "command" if rest.first().is_some_and(|option| option == "-v") => false,
        name if CARRIERS.contains(&name) => {
            rest.first().is_none_or(|it| it.starts_with('-')) || is_hidden(rest, tree)
        }
        name if names_less(name, program, rest, tree) => true,
        name if SHELLS.contains(&name) => shell_hides(rest, tree),
        name => {
            interprets(name)
                && (looks_elsewhere(name, rest) || (!has_code(name, rest) && names_no_file(rest)))
        }
    }
}

/// Whether a word is less than the name of what it stands for: `tools/show` for `tools/show.js`, or for a folder.
fn names_less(name: &str, program: &str, words: &[String], tree: Tree<'_>) -> bool {
    let paths = words.iter().flat_map(|word| paths_in(word, completes(name)));
    let mut paths = paths_in(program, false).into_iter().chain(paths);
    paths.any(|(path, is_completed)| is_completed && tree(&path))
}

/// What may be set for one command: how it shows something.
fn is_harmless(name: &str) -> bool {
    ["LESS", "LC_", "LANG", "TERM", "COLUMNS", "NO_COLOR"].iter().any(|start| name.starts_with(start))
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        && !matches!(name, "LESSOPEN" | "LESSCLOSE" | "LESSEDIT")
}

/// Whether a shell makes another word of it, which is not known here. The person's home folder is.
fn is_expanded(word: &str) -> bool {
    let homes = ["$HOME/", "${HOME}/", "~/"];
    let rest = homes.iter().find_map(|home| word.strip_prefix(home)).unwrap_or(word);
    rest.contains(['$', '*', '?', '[', '{', '~', '%'])
}

fn shell_hides(words: &[String], tree: Tree<'_>) -> bool {
    let has = |word: &str, letters: &[char]| {
        word.starts_with(['-', '+']) && !word.starts_with("--") && word.contains(letters)
    };
    // The word behind is no file, and the shell may read what it is to do.
    if words.iter().any(|word| has(word, &['o', 'O'])) {
        return true;
    }
    let mut behind = words.iter().skip_while(|word| !has(word, &['c']));
    match behind.find(|word| !word.starts_with(['-', '+'])) {
        Some(text) => hides_program(text, tree),
        None => names_no_file(words),
    }
}

/// Whether modules come from a folder that only an option names. For Python it means the opposite.
fn looks_elsewhere(name: &str, words: &[String]) -> bool {
    !name.starts_with("py") && words.iter().any(|word| word.starts_with("-I"))
}

/// Whether code or a module is among the words of an interpreter: `-c`, `-m`, `-e`, `-pe`; PHP's is `-r`.
fn has_code(name: &str, words: &[String]) -> bool {
    let letters: &[char] = if name.starts_with("php") { &['r'] } else { &['c', 'm', 'e', 'E'] };
    let mut options = words.iter().take_while(|word| word.starts_with('-'));
    options.any(|word| word.len() > 1 && !word.starts_with("--") && word.contains(letters))
}

/// Whether an interpreter runs what it is given to read, or a file that is not known here.
fn names_no_file(words: &[String]) -> bool {
    let file = words.iter().find(|word| !word.starts_with('-') || *word == "-");
    file.is_none_or(|file| file == "-" || is_expanded(file))
}

/// The words of each simple command; `None` where there is more to it.
fn simple_commands(text: &str) -> Option<Vec<Vec<String>>> {
    let mut commands = vec![Vec::new()];
    let mut word: Option<String> = None;
    let mut rest = text.chars().peekable();
    let mut before = ' ';
    while let Some(c) = rest.next() {
        match c {
            '\'' | '"' => quoted(&mut rest, c, word.get_or_insert_default())?,
            '\\' => word.get_or_insert_default().push(rest.next().filter(|c| *c != '\n')?),
            '#' if word.is_none() => return (!rest.any(|c| c == '\n')).then_some(commands),
            '&' if before == '>' => {}
            '$' if rest.peek() == Some(&'(') => return None,
            '&' | '|' if rest.next_if_eq(&c).is_some() => {
                commands.last_mut()?.extend(word.take());
                commands.push(Vec::new());
            }
            ';' | '&' | '`' | '(' | ')' | '\n' => return None,
            '<' if rest.peek() == Some(&'<') => return None,
            ' ' | '\t' | '\r' | '<' | '>' | '|' => {
                commands.last_mut()?.extend(word.take());
                if c == '|' {
                    commands.push(Vec::new());
                }
            }
            c => word.get_or_insert_default().push(c),
        }
        before = c;
    }
    commands.last_mut()?.extend(word);
    Some(commands)
}

/// What is between quotes; `None` where a command is in it, or they do not end.
fn quoted(rest: &mut std::iter::Peekable<std::str::Chars<'_>>, quote: char, word: &mut String) -> Option<()> {
    loop {
        match rest.next()? {
            c if c == quote => return Some(()),
            '\\' if quote == '"' => word.push(rest.next().filter(|c| *c != '\n')?),
            '`' if quote == '"' => return None,
            '$' if quote == '"' && rest.peek() == Some(&'(') => return None,
            c => word.push(c),
        }
    }
}
