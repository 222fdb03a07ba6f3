//! Options by which a program moves to another folder before it does anything, as in `make -C sub test` and
//! `npm --prefix web test`: what is left is the same command in that folder.

/// A program, words that may stand between its name and the option, and the option.
type Mover = (&'static str, &'static [&'static str], &'static [&'static str]);

/// Sources: the pages of GNU make, Ninja, Meson, npm, pnpm, Yarn, Bun, Go (`go help build`), uv and Composer. Poetry is none of
/// them: before 2.0 it only looks for its project there.
const MOVERS: &[Mover] = &[
    ("make", &[], &["-C", "--directory"]),
    ("make", &["*"], &["-C", "--directory"]),
    ("gmake", &[], &["-C", "--directory"]),
    ("ninja", &[], &["-C"]),
    ("meson", &["*"], &["-C"]),
    ("npm", &[], &["--prefix"]),
    ("npm", &["run", "*"], &["--prefix"]),
    ("npm", &["test"], &["--prefix"]),
    ("npm", &["run"], &["--prefix"]),
    ("pnpm", &[], &["-C", "--dir"]),
    ("yarn", &[], &["--cwd"]),
    ("bun", &[], &["--cwd"]),
    ("bun", &["run"], &["--cwd"]),
    ("go", &[], &["-C"]),
    ("go", &["*"], &["-C"]),
    ("uv", &[], &["--directory"]),
    ("uv", &["run"], &["--directory"]),
    ("composer", &[], &["-d", "--working-dir"]),
];

/// The folder, and the command without it.
pub(in crate::trust) fn split(words: &[String]) -> Option<(&str, Vec<String>)> {
    MOVERS.iter().find_map(|mover| by(mover, words))
}

fn by<'w>((program, between, options): &Mover, words: &'w [String]) -> Option<(&'w str, Vec<String>)> {
    let (name, rest) = words.split_first()?;
    let (before, rest) = rest.split_at_checked(between.len())?;
    let fits = |(word, part): (&String, &&str)| word == part || (*part == "*" && !word.starts_with('-'));
    let (option, rest) = rest.split_first()?;
    let (option, folder, rest) = match option.split_once('=') {
        Some((option, folder)) if option.starts_with("--") => (option, folder, rest),
        _ => (option.as_str(), rest.first()?.as_str(), rest.get(1..)?),
    };
    let is_folder = !folder.is_empty() && !folder.starts_with(['-', '~', '@']);
    let is_it = name == program && before.iter().zip(*between).all(fits) && options.contains(&option);
    (is_it && is_folder).then(|| (folder, std::iter::once(name).chain(before).chain(rest).cloned().collect()))
}

#[cfg(test)]
mod tests {
    use super::split;

    // D-32
    #[test]
    fn a_program_that_moves_is_itself_in_another_folder() {
        for (line, folder, command) in [
            ("make -C sub test", "sub", "make test"),
            ("make --directory=sub test", "sub", "make test"),
            ("make test -C sub", "sub", "make test"),
            ("npm --prefix web run build", "web", "npm run build"),
            ("npm run build --prefix web -- --mode x", "web", "npm run build -- --mode x"),
            ("npm run --prefix=web build", "web", "npm run build"),
            ("go -C sub test ./...", "sub", "go test ./..."),
            ("go test -C ../sub -run X", "../sub", "go test -run X"),
            ("uv run --directory py/a pytest -q", "py/a", "uv run pytest -q"),
            ("pnpm -C web test", "web", "pnpm test"),
        ] {
            let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
            let (found, rest) = split(&words).unwrap_or_else(|| panic!("{line}"));
            assert_eq!((found, rest.join(" ").as_str()), (folder, command), "{line}");
        }
        for line in [
            "make a test -C sub",
            "poetry -C web run pytest",
            "make -C",
            "make -C -k",
            "make -C=sub test",
            "npm run build -- --prefix web",
            "npm exec x --prefix web",
            "go test ./... -C sub",
            "uv run pytest --directory x",
            "git -C sub status",
            "make -C ~/x test",
        ] {
            let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
            assert_eq!(split(&words), None, "{line}");
        }
        assert_eq!(split(&[]), None);
    }
}
