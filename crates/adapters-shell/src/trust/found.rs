//! Files that must be there for a command to run what its words say, and not what another machine or another folder holds.
//!
//! `npx` fetches a program that is not installed here and runs it; where nobody can answer it does not ask. Python's tests are
//! looked for among all modules of the machine. Deliberately absent: looking whether they are there.

use super::forms::environment;
use super::programs;

/// How far above the folder of a command its programs are looked for.
const HIGHEST: usize = 16;

/// For each of them the files of which one is enough.
pub(super) fn needed(words: &[String]) -> Vec<Vec<String>> {
    if let Some(started) = programs::started(words) {
        return needed(started);
    }
    let known = environment::plain(words);
    let words: Vec<&str> = known.iter().map(String::as_str).collect();
    let mut needed = match words.as_slice() {
        ["npx", name, ..] => vec![installed(name)],
        ["python" | "python3", "-m", "unittest", tests @ ..] => modules(tests),
        _ => Vec::new(),
    };
    if let ["dotnet", _, rest @ ..] = words.as_slice() {
        needed.extend(dotnet_projects(rest).filter(|project| !is_dotnet_project(project)).map(folder));
    }
    if words.iter().any(|word| matches!(*word, "tsc" | "vue-tsc")) {
        needed.extend(projects(&words).filter(|project| !is_tsconfig(project)).map(folder));
    }
    needed
}

/// Files of the folder that a command of the table would run in place of the program that its words name: `python -m pytest` looks
/// there first, and `uv run ruff` runs a folder of that name. Sources: docs.python.org/3/using/cmdline.html,
/// docs.astral.sh/uv/reference/cli.
pub(super) fn in_place_of(words: &[String]) -> Vec<String> {
    if programs::rules_of(words).is_none() {
        return Vec::new();
    }
    let mut files = match words {
        [uv, run, name, ..] if uv == "uv" && run == "run" => {
            vec![format!("{name}/__main__.py"), name.clone()]
        }
        _ => Vec::new(),
    };
    let known = environment::plain(programs::started(words).unwrap_or(words));
    let words: Vec<&str> = known.iter().map(String::as_str).collect();
    if let ["python" | "python3", "-m", module, ..] | ["coverage", "run", "-m", module, ..] = words.as_slice()
    {
        let path = module.replace('.', "/");
        files.extend([format!("{path}.py"), format!("{path}/__main__.py"), format!("{path}/__init__.py")]);
    }
    files
}

/// Options of `dotnet` whose next word is no project.
const OF_DOTNET: &[&str] = &[
    "-c",
    "--configuration",
    "--filter",
    "-v",
    "--verbosity",
    "-f",
    "--framework",
    "-l",
    "--logger",
    "--treenode-filter",
];

/// What `dotnet` takes for projects: MSBuild runs what any file says that it is given.
fn dotnet_projects<'w>(words: &[&'w str]) -> impl Iterator<Item = &'w str> {
    let before = std::iter::once("").chain(words.iter().copied());
    let pairs: Vec<(&str, &str)> = before.zip(words.iter().copied()).collect();
    pairs.into_iter().filter_map(|(option, word)| match word.split_once('=') {
        Some(("--project", value)) => Some(value),
        _ if word.starts_with('-') || OF_DOTNET.contains(&option) => None,
        _ => Some(word),
    })
}

/// Whether a file has a name that agents are asked about when it changes.
fn is_dotnet_project(path: &str) -> bool {
    [".csproj", ".fsproj", ".vbproj", ".sln", ".slnx", ".slnf"]
        .iter()
        .any(|end| path.to_ascii_lowercase().ends_with(end))
}

/// What `tsc` is told to take its settings from.
fn projects<'w>(words: &[&'w str]) -> impl Iterator<Item = &'w str> {
    let is_option = |word: &str| matches!(word, "-p" | "--project");
    words.windows(2).filter_map(move |pair| match pair {
        [option, value] if is_option(option) => Some(*value),
        [_, word] => word.split_once('=').filter(|(option, _)| is_option(option)).map(|(_, value)| value),
        _ => None,
    })
}

/// Whether a file has a name that agents are asked about when it changes. A folder has one of that name in it.
fn is_tsconfig(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    name == "tsconfig.json" || (name.starts_with("tsconfig.") && name.ends_with(".json"))
}

/// Where npm finds an installed program: in the folder or above it, or in the package of that name.
fn installed(name: &str) -> Vec<String> {
    match name.starts_with('@') {
        true => vec![format!("node_modules/{name}/package.json")],
        false => (0..HIGHEST).map(|up| format!("{}node_modules/.bin/{name}", "../".repeat(up))).collect(),
    }
}

/// The files of the modules that these words name. What an option gives is no module, but for the folder that `discover`
/// starts in, which may be one.
fn modules(words: &[&str]) -> Vec<Vec<String>> {
    let (is_discovery, words) = match words {
        ["discover", rest @ ..] => (true, rest),
        words => (false, words),
    };
    let mut needed = Vec::new();
    let mut before = "";
    for word in words {
        let (option, value) = word.split_once('=').unwrap_or((before, word));
        let is_start = START.contains(&option);
        let is_free = !word.starts_with('-') && !VALUED.contains(&before);
        if is_discovery && (is_start || is_free) {
            needed.push(folder(value));
        } else if !is_discovery && is_free {
            needed.push(module(word));
        }
        before = word;
    }
    needed
}

/// Options of `unittest` with a value, and those among them that name a folder.
const VALUED: &[&str] = &["-k", "-p", "--pattern", "-s", "--start-directory", "-t", "--top-level-directory"];
const START: &[&str] = &["-s", "--start-directory", "-t", "--top-level-directory"];

/// A folder that holds something. One of that name that is not there would be a module of the machine.
fn folder(name: &str) -> Vec<String> {
    vec![format!("{}/.", name.trim_end_matches('/'))]
}

/// A file of tests, or the module whose name is dotted. A folder alone is none: another module of its name comes first.
pub(super) fn module(word: &str) -> Vec<String> {
    if word.to_ascii_lowercase().ends_with(".py") {
        return vec![word.to_owned()];
    }
    let parts: Vec<&str> = word.split('.').collect();
    if word.contains(['/', '\\']) || parts.iter().any(|part| part.is_empty()) {
        return Vec::new();
    }
    let paths = (1..=parts.len()).filter_map(|count| parts.get(..count)).map(|parts| parts.join("/"));
    paths.flat_map(|path| [format!("{path}.py"), format!("{path}/__init__.py")]).collect()
}

#[cfg(test)]
mod tests {
    use super::{HIGHEST, needed};

    fn of(command: &str) -> Vec<Vec<String>> {
        needed(&command.split(' ').map(str::to_owned).collect::<Vec<_>>())
    }

    #[test]
    fn an_installed_program_is_in_the_folder_or_above_it() {
        let found = of("npx tsc --noEmit");
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].len(), HIGHEST);
        assert_eq!(found[0][..2], ["node_modules/.bin/tsc", "../node_modules/.bin/tsc"]);
        assert_eq!(of("npx @biomejs/biome check"), [["node_modules/@biomejs/biome/package.json"]]);
        assert_eq!(of("pnpm exec tsc"), [[""; 0]; 0]);
        assert_eq!(of("uv run npx prettier -c x").len(), 1);
        assert_eq!(of("uv run python -m unittest antigravity"), of("python -m unittest antigravity"));
        assert_eq!(of("pnpm exec tsc -p web"), [["web/."]]);
        assert_eq!(of("tsc --project=web/ -p tsconfig.build.json -p a/tsconfig.json"), [["web/."]]);
        assert_eq!(of("eslint -p web"), [[""; 0]; 0]);
        assert_eq!(
            of("dotnet test --project=notes.xml -c Release a/B.csproj tests"),
            [["notes.xml/."], ["tests/."]]
        );
        assert_eq!(of("dotnet test --filter a=b -v q --nologo"), [[""; 0]; 0]);
    }

    #[test]
    fn modules_of_tests_are_files_of_the_folder() {
        assert_eq!(of("python -m unittest"), [[""; 0]; 0]);
        assert_eq!(of("python -m unittest -v -k name"), [[""; 0]; 0]);
        assert_eq!(of("python3 -m unittest tests/a.py"), [["tests/a.py"]]);
        assert_eq!(
            of("python3 -m unittest tests.a"),
            [["tests.py", "tests/__init__.py", "tests/a.py", "tests/a/__init__.py"]]
        );
        assert_eq!(of("python3 -m unittest src/core"), [[""; 0]]);
        assert_eq!(of("python3 -m unittest discover -p t*.py"), [[""; 0]; 0]);
        assert_eq!(of("python3 -m unittest discover -s tests -t ."), [["tests/."], ["./."]]);
        assert_eq!(of("python3 -m unittest discover --start-directory=tests"), [["tests/."]]);
        assert_eq!(of("python3 -m unittest discover tests"), [["tests/."]]);
    }
}
