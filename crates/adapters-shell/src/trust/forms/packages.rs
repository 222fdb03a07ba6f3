//! Scripts of other packages of the root, as in `pnpm --filter web test`: which packages a package manager goes to, and what it
//! runs there. Whose scripts these are, the gate looks up.

/// A package manager and the options behind its name, or behind `run`, that name packages in the next word or behind `=`, and those
/// that stand for all packages.
struct Manager {
    name: &'static str,
    named: &'static [&'static str],
    all: &'static [&'static str],
    /// Whether these options may also stand behind the script.
    anywhere: bool,
}

/// Sources: pnpm.io/filtering, docs.npmjs.com/cli/using-npm/workspaces, bun.sh/docs/cli/filter.
const MANAGERS: &[Manager] = &[
    Manager { name: "pnpm", named: &["--filter", "-F"], all: &["-r", "--recursive"], anywhere: false },
    Manager { name: "bun", named: &["--filter", "-F"], all: &[], anywhere: false },
    Manager { name: "npm", named: &["--workspace", "-w"], all: &["--workspaces", "-ws"], anywhere: true },
];

/// What leads to one package of Yarn. Source: yarnpkg.com/cli/workspace.
const WORKSPACE: &str = "workspace";

/// A command that runs in other packages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::trust) struct Elsewhere {
    /// The words that name the packages.
    pub(in crate::trust) packages: Vec<String>,
    /// The command without them.
    pub(in crate::trust) plain: Vec<String>,
}

/// Takes the words off that name packages, where a command has some and they are plain names, paths or patterns.
pub(in crate::trust) fn elsewhere(words: &[String]) -> Option<Elsewhere> {
    let (name, rest) = words.split_first()?;
    if let ("yarn", [workspace, package, behind @ ..]) = (name.as_str(), rest)
        && workspace == WORKSPACE
    {
        let plain = std::iter::once(name).chain(behind).cloned().collect();
        return is_plain(package).then(|| Elsewhere { packages: vec![package.clone()], plain });
    }
    let manager = MANAGERS.iter().find(|manager| manager.name == name)?;
    let mut found = Elsewhere { packages: Vec::new(), plain: vec![name.clone()] };
    let mut rest = rest.iter();
    let mut is_open = true;
    while let Some(word) = rest.next() {
        is_open &= word != "--";
        let (option, value) = word.split_once('=').map_or((word.as_str(), None), |(a, b)| (a, Some(b)));
        if is_open && manager.named.contains(&option) {
            let package = value.or_else(|| rest.next().map(String::as_str)).filter(|name| is_plain(name))?;
            found.packages.push(package.to_owned());
        } else if is_open && manager.all.contains(&word.as_str()) {
            found.packages.push("*".to_owned());
        } else {
            found.plain.push(word.clone());
            is_open &= manager.anywhere || word == "run" || word.starts_with('-');
        }
    }
    found.packages.sort();
    // With packages, Bun takes any word for a script, also those of its own commands.
    if name == "bun" && found.plain.get(1).is_some_and(|verb| verb != "run") {
        found.plain.insert(1, "run".to_owned());
    }
    (!found.packages.is_empty()).then_some(found)
}

/// Names, paths and patterns of packages, also with those that they depend on: `@a/web`, `./apps/*`, `web...`.
fn is_plain(package: &str) -> bool {
    let is_part = |sign: char| sign.is_ascii_alphanumeric() || "@/._-*".contains(sign);
    !package.is_empty() && !package.starts_with('-') && package.chars().all(is_part)
}

#[cfg(test)]
mod tests {
    use super::elsewhere;

    #[test]
    fn the_packages_stand_apart_from_what_runs_there() {
        for (line, packages, plain) in [
            ("pnpm --filter web test -t x", "web", "pnpm test -t x"),
            ("pnpm -F ./apps/* --filter=@a/b... run build", "./apps/* @a/b...", "pnpm run build"),
            ("pnpm -r run test", "*", "pnpm run test"),
            ("pnpm run --filter web build", "web", "pnpm run build"),
            ("npm run test -w web -- -t -w", "web", "npm run test -- -t -w"),
            ("npm --workspaces test", "*", "npm test"),
            ("yarn workspace web lint --fix", "web", "yarn lint --fix"),
            ("bun run --filter web build", "web", "bun run build"),
            ("bun --filter @a/web test", "@a/web", "bun run test"),
        ] {
            let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
            let found = elsewhere(&words).unwrap_or_else(|| panic!("{line}"));
            assert_eq!((found.packages.join(" "), found.plain.join(" ")), (packages.into(), plain.into()));
        }
        for line in [
            "pnpm test",
            "pnpm test -r",
            "pnpm run test --filter web",
            "pnpm --filter",
            "pnpm --filter --x test",
            "pnpm --filter [main] test",
            "npm test -- -w web",
            "yarn workspace",
            "make -r test",
        ] {
            let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
            assert_eq!(elsewhere(&words), None, "{line}");
        }
        assert_eq!(elsewhere(&[]), None);
    }
}
