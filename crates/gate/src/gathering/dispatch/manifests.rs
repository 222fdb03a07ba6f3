//! Manifests that common runners dispatch to, as data: a yes to `npm test` is bound to what `package.json` says.

/// Makefiles under the names that `make` looks for.
const MAKE: &[&str] = &["Makefile", "makefile", "GNUmakefile"];

/// What the scripts of a `package.json` usually start, with the configurations that those run.
#[rustfmt::skip]
const NODE: &[&str] = &[
    "package.json", ".npmrc", ".yarnrc.yml", ".pnpmfile.cjs", ".pnp.cjs", "bunfig.toml",
    "jest.config.js", "jest.config.ts", "jest.config.mjs", "jest.config.cjs", "jest.config.json",
    "vitest.config.js", "vitest.config.ts", "vitest.config.mjs", "vitest.config.mts",
    "vite.config.js", "vite.config.ts", "vite.config.mjs", "vite.config.mts",
    "webpack.config.js", "webpack.config.ts", "rollup.config.js", "rollup.config.mjs", "babel.config.js", ".babelrc",
    ".mocharc.js", ".mocharc.cjs", ".mocharc.json", ".mocharc.yml", "karma.conf.js", "playwright.config.ts",
    "playwright.config.js", "cypress.config.ts", "cypress.config.js", "eslint.config.js", "eslint.config.mjs",
    ".eslintrc.js", ".eslintrc.cjs", ".eslintrc.json", "tsconfig.json", "next.config.js", "next.config.mjs",
    "gulpfile.js", "Gruntfile.js", "turbo.json", "nx.json", "lerna.json",
];

#[rustfmt::skip]
const PYTHON: &[&str] = &[
    "pyproject.toml", "setup.py", "setup.cfg", "tox.ini", "noxfile.py", "conftest.py", "tests/conftest.py", "pytest.ini",
    "requirements.txt", "Pipfile", "uv.toml", "hatch.toml", "pdm.toml", "manage.py", "tasks.py", "fabfile.py",
];

#[rustfmt::skip]
const COMPOSE: &[&str] = &[
    "compose.yaml", "compose.yml", "compose.override.yaml", "compose.override.yml", "docker-compose.yml",
    "docker-compose.yaml", "docker-compose.override.yml", "docker-compose.override.yaml", "Dockerfile", "Containerfile",
    "docker-bake.hcl", ".env",
];

#[rustfmt::skip]
const RUBY: &[&str] = &[
    "Rakefile", "rakefile", "Rakefile.rb", "Gemfile", "gems.rb", ".rspec", "spec/spec_helper.rb", "config.ru", "Thorfile",
    "Guardfile", "Capfile", "Fastfile", "fastlane/Fastfile",
];

#[rustfmt::skip]
const JVM: &[&str] = &[
    "pom.xml", ".mvn/extensions.xml", ".mvn/maven.config", ".mvn/jvm.config", ".mvn/wrapper/maven-wrapper.properties",
    "build.gradle", "build.gradle.kts", "settings.gradle", "settings.gradle.kts", "gradle.properties", "init.gradle",
    "gradle/wrapper/gradle-wrapper.properties", "gradle/libs.versions.toml", "build.xml", "ivy.xml", "build.sbt",
    "project/plugins.sbt", "project/build.properties", "build.sc", "build.mill", "project.clj", "deps.edn",
];

/// Programs, and what each of them obeys in the folder that it runs in.
#[rustfmt::skip]
pub(super) const MANIFESTS: &[(&[&str], &[&str])] = &[
    (&["make", "gmake", "bmake", "remake"], MAKE),
    (&["just"], &["justfile", "Justfile", ".justfile"]),
    (&["task"], &["Taskfile.yml", "Taskfile.yaml", "taskfile.yml", "taskfile.yaml", "Taskfile.dist.yml"]),
    (&["mise", "rtx"], &["mise.toml", ".mise.toml", ".tool-versions"]),
    (&["npm", "npx", "pnpm", "pnpx", "yarn", "bun", "bunx", "node", "jest", "vitest", "vite", "mocha", "karma", "webpack",
       "rollup", "eslint", "playwright", "cypress", "tsc", "tsx", "ts-node", "gulp", "grunt", "turbo", "nx", "lerna",
       "next"], NODE),
    (&["deno"], &["deno.json", "deno.jsonc", "import_map.json"]),
    (&["cargo", "cross"], &["Cargo.toml", "build.rs", ".cargo/config.toml", ".cargo/config", "rust-toolchain.toml",
       "rust-toolchain"]),
    (&["pytest", "py.test", "python", "python3", "py", "tox", "nox", "pip", "pip3", "pipx", "uv", "uvx", "poetry", "pdm",
       "pipenv", "hatch", "invoke", "inv", "fab", "coverage", "mypy", "ruff"], PYTHON),
    (&["go", "mage", "gotestsum", "golangci-lint"], &["go.mod", "go.work", "magefile.go", ".golangci.yml"]),
    (&["mvn", "mvnw", "mvnw.cmd", "mvnd", "gradle", "gradlew", "gradlew.bat", "ant", "sbt", "mill", "lein", "clojure", "clj"],
       JVM),
    (&["docker", "docker-compose", "podman", "podman-compose", "nerdctl"], COMPOSE),
    (&["rake", "bundle", "bundler", "rspec", "ruby", "rails", "thor", "guard", "cap", "fastlane", "bin/rails"], RUBY),
    (&["composer", "phpunit", "php", "artisan"], &["composer.json", "phpunit.xml", "phpunit.xml.dist", "phpunit.dist.xml"]),
    (&["swift", "xcodebuild"], &["Package.swift"]),
    (&["cmake", "ctest", "cpack", "ninja", "meson"], &["CMakeLists.txt", "CMakePresets.json", "CMakeUserPresets.json",
       "build.ninja", "meson.build", "meson_options.txt"]),
    (&["scons", "waf", "configure"], &["SConstruct", "wscript", "configure"]),
    (&["bazel", "bazelisk", "buck", "buck2", "pants"], &["WORKSPACE", "WORKSPACE.bazel", "MODULE.bazel", "BUILD",
       "BUILD.bazel", ".bazelrc", "BUCK", ".buckconfig", "pants.toml"]),
    (&["mix", "iex"], &["mix.exs", ".formatter.exs", "config/config.exs"]),
    (&["rebar3"], &["rebar.config"]),
    (&["dotnet", "msbuild", "nuget"], &["global.json", "Directory.Build.props", "Directory.Build.targets", "nuget.config"]),
    (&["nix", "nix-build", "nix-shell", "devenv"], &["flake.nix", "default.nix", "shell.nix", "devenv.nix"]),
    (&["pre-commit", "prek"], &[".pre-commit-config.yaml"]),
    (&["lefthook"], &["lefthook.yml", "lefthook.yaml", ".lefthook.yml", "lefthook-local.yml"]),
    (&["vagrant"], &["Vagrantfile"]),
    (&["tilt", "skaffold", "earthly"], &["Tiltfile", "skaffold.yaml", "Earthfile"]),
    (&["ansible-playbook", "ansible"], &["ansible.cfg"]),
    (&["terragrunt", "pulumi", "serverless", "sls"], &["terragrunt.hcl", "Pulumi.yaml", "serverless.yml"]),
    (&["foreman", "overmind", "hivemind"], &["Procfile", ".env"]),
    (&["stack", "cabal"], &["stack.yaml", "package.yaml", "cabal.project", "Setup.hs"]),
    (&["zig"], &["build.zig", "build.zig.zon"]),
    (&["snakemake"], &["Snakefile", "workflow/Snakefile"]),
];
