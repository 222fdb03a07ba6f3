//! The executable surface by name: what a review found missing, what is plain source, and that the data is in form.

use std::collections::BTreeSet;
use std::path::Path;

use bailiwick_policy::executable::{can_run, rows, run_by};

use crate::support::repo;

/// Names that run later, at the root and below a folder.
const RUNS: &str = "
.yarnrc .yarnrc.yml .pnp.cjs .pnp.loader.mjs .pnpmfile.cjs .npmrc bunfig.toml package.json pnpm-workspace.yaml
.devcontainer.json .devcontainer/post-create.sh lefthook.yaml lefthook.yml lefthook-local.yml .lefthook/pre-commit/x.py
githooks/anything .githooks/x.py git-hooks/run pre-commit post-index-change fsmonitor-watchman
docker-compose.override.yml docker-compose.ci.yaml compose.override.yaml compose.yml Dockerfile.dev api.dockerfile
Containerfile.build docker-bake.hcl docker-entrypoint.py karma.conf.js wdio.conf.ts jest.config.js vitest.config.mts
vite.config.ts rollup.config.mjs tailwind.config.cjs .eslintrc.cjs .prettierrc.mjs .babelrc.json .mocharc.yml
.idea/runConfigurations/All.xml .idea/workspace.xml .run/App.run.xml .gdbinit .lldbinit .gdbearlyinit .zprofile .zlogin
.zshrc .zshenv .bash_login .bash_logout .profile .inputrc .xprofile .gitlab/ci/build.yml .gitlab-ci.yml
.github/agents/a.md .github/prompts/a.prompt.md .github/workflows/ci.yml .github/dependabot.yml action.yml .env
.env.local .env.production HEAD config config.worktree packed-refs objects/info/alternates info/attributes kit.git/config
conftest.py noxfile.py setup.py setup.cfg tox.ini pyproject.toml pytest.ini sitecustomize.py x.pth requirements-dev.txt
.pypirc pip.conf uv.toml build.rs Cargo.toml .cargo/config rust-toolchain Makefile makefile.am GNUmakefile rules.mk
CMakeLists.txt x.cmake CMakePresets.json .husky/_/h .husky/pre-push .pre-commit-config.yaml .vscode/launch.json
.vscode/extensions.json app.code-workspace app.service app.timer app.socket crontab app.cron cron.d/app .envrc .mise.toml
mise.local.toml .tool-versions Justfile .justfile mod.just Taskfile.yml Taskfile.dist.yaml gradlew gradlew.bat
gradle/wrapper/gradle-wrapper.properties build.gradle.kts settings.gradle .mvn/extensions.xml .mvn/jvm.config mvnw pom.xml
build.xml Rakefile lib/tasks/x.rake Gemfile Gemfile.lock x.gemspec config.ru Thorfile Guardfile Vagrantfile Fastfile
composer.json composer.lock phpunit.xml .php-cs-fixer.dist.php Package.swift Podfile x.xcscheme x.pbxproj Jenkinsfile
Jenkinsfile.release .circleci/config.yml .travis.yml appveyor.yml .drone.yml .woodpecker/build.yml azure-pipelines.yml
.buildkite/pipeline.yml bitbucket-pipelines.yml cloudbuild.yaml buildspec.yml .cirrus.yml .gitpod.yml .gitpod.Dockerfile
netlify.toml vercel.json fly.toml render.yaml wrangler.toml firebase.json Procfile Procfile.dev app.csproj
Directory.Build.props x.targets global.json nuget.config flake.nix shell.nix devenv.nix meson.build SConstruct wscript
configure.ac BUILD BUILD.bazel .bazelrc x.bzl WORKSPACE MODULE.bazel Tiltfile skaffold.yaml Earthfile gulpfile.ts
Gruntfile.coffee tsconfig.json nodemon.json turbo.json nx.json lerna.json .lintstagedrc.mjs .commitlintrc.js
.simple-git-hooks.cjs .releaserc.js CLAUDE.md AGENTS.md GEMINI.md .claude/skills/x/SKILL.md .claude/agents/x.md
.cursor/rules/x.mdc .cursorrules .windsurfrules .clinerules .roo/rules/x.md .aider.conf.yml .continue/config.yaml
.junie/guidelines.md .kimi-code/skills/x/SKILL.md .kimi-code/mcp.json .goosehints .mcp.json .codex/prompts/x.md .gemini/commands/x.toml opencode.json .kiro/steering/x.md
.vimrc .exrc .nvim.lua .dir-locals.el .emacs.d/init.el app.sublime-project .zed/tasks.json .helix/config.toml .clangd
.tmux.conf .irbrc .pryrc .Rprofile .ocamlinit .psqlrc .pdbrc .gitattributes .gitmodules .gitconfig .hg/hgrc .lfsconfig
ansible.cfg Chart.yaml kustomization.yaml helmfile.yaml terragrunt.hcl Pulumi.yaml serverless.yml
run.sh run.SH tool.ps1 tool.bat tool.cmd env.fish authorized_keys sudoers ld.so.preload .rspec spec_helper.rb
.golangci.yml go.mod go.work magefile.go mkdocs.yml docs/conf.py alembic.ini playbook.yml mix.exs rebar.config
project.clj deps.edn build.sbt build.sc build.zig x.nimble dub.json pubspec.yaml stack.yaml x.cabal x.opam Snakefile
dune dune-project Doxyfile Doxyfile.in book.toml copier.yml .trunk/trunk.yaml melos.yaml .ddev/config.yaml .ddev/commands/web/x
.lando.yml .lando.local.yml .mega-linter.yml .proverc dprint.json .dprint.jsonc _plugins/hook.rb .size-limit.js
.puppeteerrc.cjs knexfile.js knexfile.ts .lighthouserc.js lighthouserc.json .ember-cli .credo.exs .busted _targets.R dev/user.clj
hooks/pre_gen_project.py hooks/post_gen_project.py .ignore .rgignore
";

/// Plain source, data and prose.
const PLAIN: &str = "
src/main.rs src/lib.rs src/makefile.rs docs/Makefile.md src/package.json.rs github/workflows/x.yml src/src.js README.md
src/hooks/useUser.ts src/hooks/index.tsx src/hooks/build.tsx app/models/user.rb app/tasks.py worker/tasks.py src/config.rs
src/config.ts config/database.yml config/settings.json src/config/index.ts docs/head.md lib/update.py src/update.rs
src/commands/update.ts src/pre-commit.rs src/refs/heads.rs src/objects/info.rs src/environment.ts environments/prod.json
data/targets.csv data/requirements.csv docs/requirements.md src/agents/planner.py agents/planner.py src/rules.ts rules/a.yml
src/skills.md docs/skills/intro.md src/docker.rs src/compose.ts src/git.rs src/env.ts src/dotenv.js
src/cron.rs src/service.ts user.service.ts src/user.service.spec.ts a.test.js a.spec.ts index.html style.css logo.svg
main.go util_test.go Main.java Util.kt main.c main.h app.py test_app.py tests/test_x.py __init__.py app/__main__.py
main.tf variables.tf query.sql schema.graphql page.vue page.svelte notes.txt CHANGELOG.md LICENSE data.json i18n/en.json
translations.po src/Jenkins.java src/gemini.ts src/claude.rs src/cursor.ts Package.ts src/build/plan.rs infra/site.yml
lib/dune.ml src/book.rs docs/copier.md src/plugins/a.rb src/user.cljs src/targets.R src/knex.js hooks/pre_gen.py
lib/deploy.yml src/meta.yaml src/app.yml src/runner.rs src/vscode/launch.ts husky/readme.txt
";

fn names(list: &str) -> impl Iterator<Item = &str> {
    list.split_whitespace()
}

// A5, D-02
#[test]
fn names_that_something_runs_or_obeys_are_of_the_executable_surface() {
    let missed: Vec<&str> = names(RUNS).filter(|name| !can_run(&repo(name))).collect();
    assert!(missed.is_empty(), "{missed:?}");
    let below: Vec<&str> = names(RUNS).filter(|name| !can_run(&repo(&format!("apps/web/{name}")))).collect();
    assert!(below.is_empty(), "below a folder: {below:?}");
}

// D-02
#[test]
fn plain_source_and_prose_are_not_of_it() {
    let taken: Vec<_> = names(PLAIN).filter_map(|name| Some((name, run_by(&repo(name))?))).collect();
    assert!(taken.is_empty(), "{taken:?}");
}

// D-02
#[test]
fn of_this_repository_only_what_runs_is_of_it() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut folders = vec![crates.clone()];
    let mut taken = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let relative = path.strip_prefix(&crates).unwrap().to_str().unwrap().to_owned();
            match path.is_dir() {
                true => folders.push(path),
                false if relative.ends_with(".rs") && can_run(&repo(&relative)) => taken.push(relative),
                false => {}
            }
        }
    }
    taken.retain(|path| !path.ends_with("/build.rs"));
    assert!(taken.is_empty(), "{taken:?}");
}

// A5
#[test]
fn names_are_compared_without_case_and_some_count_at_the_root_alone() {
    assert_eq!(run_by(&repo("DOCKER-COMPOSE.OVERRIDE.YML")), Some("Docker Compose runs it"));
    assert_eq!(run_by(&repo("tasks.py")), Some("invoke and Fabric run it"));
    assert_eq!(run_by(&repo("app/tasks.py")), None);
}

#[test]
fn every_line_of_the_data_has_a_source_and_names_each_pattern_once() {
    let mut seen = BTreeSet::new();
    for row in rows() {
        assert!(row.source.starts_with("https://"), "{row:?}");
        assert!(row.says.ends_with("it") || row.says.contains(" it "), "{row:?}");
        for pattern in row.patterns.split(' ') {
            let inner = pattern.strip_suffix("/**").unwrap_or(pattern);
            assert!(!pattern.is_empty() && !inner.contains("**"), "{pattern:?} of {row:?}");
            assert_eq!(pattern, pattern.to_lowercase());
            assert!(seen.insert(pattern), "{pattern} is there twice");
        }
    }
    assert!(seen.len() > 1_000, "{}", seen.len());
    let text = include_str!("../../src/guarded/executable/surface.txt");
    let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).count();
    assert_eq!(lines, rows().count(), "a line is not in form");
}
