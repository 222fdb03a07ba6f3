//! Which files run, or decide what runs, when somebody builds, tests, installs or pushes: the executable surface
//! (D-01, D-02). By name alone; a table and nothing else.

use bailiwick_domain::RepoPath;

/// Whole names, in lower case.
#[rustfmt::skip]
const NAMES: &[&str] = &[
    "package.json", "package-lock.json", "npm-shrinkwrap.json", "yarn.lock", "pnpm-lock.yaml", "pnpm-workspace.yaml",
    "deno.json", "deno.jsonc", "gulpfile.js", "gruntfile.js", ".yarnrc.yml", ".pnpmfile.cjs",
    ".eslintrc.js", ".eslintrc.cjs", ".babelrc.js", ".prettierrc.js", ".mocharc.js", ".lintstagedrc.js",
    "cargo.toml", "cargo.lock", "build.rs", "rust-toolchain", "rust-toolchain.toml",
    "pyproject.toml", "setup.py", "setup.cfg", "tox.ini", "noxfile.py", "conftest.py", "pytest.ini", "pipfile",
    "pipfile.lock", "poetry.lock", "uv.lock", "requirements.txt", "sitecustomize.py", "usercustomize.py",
    "go.mod", "go.sum", "go.work", "pom.xml", "build.gradle", "build.gradle.kts", "settings.gradle",
    "settings.gradle.kts", "gradle.properties", "gradlew", "mvnw", "build.sbt", "gemfile", "gemfile.lock", "rakefile",
    "composer.json", "composer.lock", "mix.exs", "rebar.config", "package.swift", "podfile",
    "makefile", "gnumakefile", "justfile", ".justfile", "taskfile.yml", "taskfile.yaml", "cmakelists.txt",
    "meson.build", "sconstruct", "workspace", "workspace.bazel", "module.bazel", "build", "build.bazel",
    "dockerfile", "containerfile", "docker-compose.yml", "docker-compose.yaml", "compose.yml", "compose.yaml",
    "vagrantfile", "procfile", "flake.nix", "flake.lock", "default.nix", "shell.nix",
    "jenkinsfile", ".gitlab-ci.yml", "azure-pipelines.yml", ".pre-commit-config.yaml",
];

/// Ends of names, in lower case.
#[rustfmt::skip]
const ENDINGS: &[&str] = &[
    ".sh", ".bash", ".zsh", ".fish", ".ksh", ".ps1", ".psm1", ".bat", ".cmd", ".command",
    ".mk", ".cmake", ".csproj", ".fsproj", ".vbproj", ".vcxproj", ".props", ".targets", ".gemspec", ".podspec",
    ".config.js", ".config.cjs", ".config.mjs", ".config.ts", ".config.cts", ".config.mts",
    ".service", ".desktop", ".pth", ".bzl", ".gradle",
];

/// Folders all of whose files count, in lower case, at any depth.
const FOLDERS: &[&str] =
    &[".github/workflows", ".github/actions", ".circleci", ".husky", ".cargo", ".githooks", ".devcontainer"];

/// Whether the file is of the executable surface, by its name.
///
/// ```
/// use bailiwick_domain::RepoPath;
/// use bailiwick_policy::executable::can_run;
/// assert!(can_run(&RepoPath::new("tools/Makefile").unwrap()));
/// assert!(!can_run(&RepoPath::new("src/makefile.rs").unwrap()));
/// ```
pub fn can_run(path: &RepoPath) -> bool {
    let text = path.as_str().to_lowercase();
    let name = text.rsplit('/').next().unwrap_or(&text);
    NAMES.contains(&name)
        || ENDINGS.iter().any(|ending| name.ends_with(ending))
        || FOLDERS.iter().any(|folder| {
            text.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'))
                || text.contains(&format!("/{folder}/"))
        })
}
