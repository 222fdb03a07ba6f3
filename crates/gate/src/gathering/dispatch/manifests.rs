//! Manifests that common runners dispatch to, as data: a yes to `npm test` is bound to what `package.json` says.

/// Makefiles under the names that `make` looks for.
const MAKE: &[&str] = &["Makefile", "makefile", "GNUmakefile"];

/// What the scripts of a `package.json` usually start, with the configurations that those run.
#[rustfmt::skip]
const NODE: &[&str] = &[
    "package.json", ".npmrc", ".yarnrc.yml", ".yarnrc", ".pnpmfile.cjs", ".pnp.cjs", "bunfig.toml",
    "jest.config.js", "jest.config.ts", "jest.config.mjs", "jest.config.cjs", "jest.config.mts", "jest.config.cts",
    "jest.config.json", "vitest.config.js", "vitest.config.ts", "vitest.config.mjs", "vitest.config.cjs", "vitest.config.mts",
    "vitest.config.cts", "vitest.workspace.js", "vitest.workspace.ts", "vitest.workspace.json",
    "vite.config.js", "vite.config.ts", "vite.config.mjs", "vite.config.cjs", "vite.config.mts", "vite.config.cts",
    "webpack.config.js", "webpack.config.ts", "webpack.config.mjs", "webpack.config.cjs",
    "rollup.config.js", "rollup.config.mjs", "rollup.config.cjs", "rollup.config.ts",
    "babel.config.js", "babel.config.cjs", "babel.config.mjs", "babel.config.json", ".babelrc", ".babelrc.js", ".babelrc.cjs",
    ".babelrc.mjs", ".babelrc.json", ".mocharc.js", ".mocharc.cjs", ".mocharc.mjs", ".mocharc.json", ".mocharc.jsonc",
    ".mocharc.yml", ".mocharc.yaml", "karma.conf.js", "karma.conf.ts", "karma.conf.cjs", "karma.conf.mjs",
    "playwright.config.ts", "playwright.config.js", "playwright.config.mts", "playwright.config.mjs", "playwright.config.cts",
    "playwright.config.cjs", "cypress.config.ts", "cypress.config.js", "cypress.config.mjs", "cypress.config.cjs",
    "eslint.config.js", "eslint.config.mjs", "eslint.config.cjs", "eslint.config.ts", "eslint.config.mts", "eslint.config.cts",
    ".eslintrc", ".eslintrc.js", ".eslintrc.cjs", ".eslintrc.json", ".eslintrc.yml", ".eslintrc.yaml",
    "prettier.config.js", "prettier.config.mjs", "prettier.config.cjs", "prettier.config.ts", "prettier.config.mts",
    "prettier.config.cts", ".prettierrc", ".prettierrc.js", ".prettierrc.mjs", ".prettierrc.cjs", ".prettierrc.ts",
    ".prettierrc.mts", ".prettierrc.cts", ".prettierrc.json", ".prettierrc.json5", ".prettierrc.yml", ".prettierrc.yaml",
    ".prettierrc.toml", ".markdownlint.cjs", ".markdownlint.mjs",
    "tsconfig.json", "next.config.js", "next.config.mjs", "next.config.ts", "gulpfile.js", "gulpfile.mjs", "gulpfile.cjs",
    "gulpfile.ts", "Gruntfile.js", "Gruntfile.cjs", "Gruntfile.ts", "turbo.json", "turbo.jsonc", "nx.json", "lerna.json",
];

#[rustfmt::skip]
const PYTHON: &[&str] = &[
    "pyproject.toml", "setup.py", "setup.cfg", "tox.ini", "tox.toml", "noxfile.py", "conftest.py", "tests/conftest.py",
    "pytest.ini", ".pytest.ini", "pytest.toml", ".pytest.toml", "mypy.ini", ".mypy.ini", "ruff.toml", ".ruff.toml", ".flake8",
    ".isort.cfg", ".coveragerc", "requirements.txt", "Pipfile", "uv.toml", "poetry.toml", "hatch.toml", "pdm.toml", "manage.py",
    "tasks.py", "tasks/__init__.py", "invoke.yaml", "invoke.yml", "invoke.json", "fabfile.py", "fabfile/__init__.py",
];

#[rustfmt::skip]
const COMPOSE: &[&str] = &[
    "compose.yaml", "compose.yml", "compose.override.yaml", "compose.override.yml", "docker-compose.yml",
    "docker-compose.yaml", "docker-compose.override.yml", "docker-compose.override.yaml", "Dockerfile", "Containerfile",
    "docker-bake.hcl", ".env",
];

#[rustfmt::skip]
const RUBY: &[&str] = &[
    "Rakefile", "rakefile", "Rakefile.rb", "rakefile.rb", "Gemfile", "gems.rb", ".rspec", ".rspec-local",
    "spec/spec_helper.rb", "spec/rails_helper.rb", "test/test_helper.rb", ".rubocop.yml", "config.ru", "Thorfile",
    "Guardfile", "Capfile", "Fastfile", "fastlane/Fastfile",
];

#[rustfmt::skip]
const JVM: &[&str] = &[
    "pom.xml", ".mvn/extensions.xml", ".mvn/maven.config", ".mvn/jvm.config", ".mvn/wrapper/maven-wrapper.properties",
    "build.gradle", "build.gradle.kts", "settings.gradle", "settings.gradle.kts", "gradle.properties", "buildSrc/build.gradle",
    "buildSrc/build.gradle.kts", "init.gradle",
    "gradle/wrapper/gradle-wrapper.properties", "gradle/libs.versions.toml", "build.xml", "ivy.xml", "build.sbt",
    "project/plugins.sbt", "project/build.properties", "build.sc", "build.mill", "project.clj", "deps.edn",
];

/// Programs, and what each of them obeys in the folder that it runs in.
#[rustfmt::skip]
pub(super) const MANIFESTS: &[(&[&str], &[&str])] = &[
    (&["make", "gmake", "bmake", "remake"], MAKE),
    (&["bmake"], &["BSDmakefile"]),
    (&["just"], &["justfile", "Justfile", "JUSTFILE", ".justfile", ".Justfile"]),
    (&["task"], &["Taskfile.yml", "Taskfile.yaml", "taskfile.yml", "taskfile.yaml", "Taskfile.dist.yml",
       "Taskfile.dist.yaml", "taskfile.dist.yml", "taskfile.dist.yaml", ".taskrc.yml", ".taskrc.yaml"]),
    (&["mise", "rtx"], &["mise.toml", ".mise.toml", "mise.local.toml", "mise/config.toml", ".mise/config.toml",
       ".config/mise.toml", ".config/mise/config.toml", ".tool-versions"]),
    (&["npm", "npx", "pnpm", "pnpx", "yarn", "bun", "bunx", "node", "jest", "vitest", "vite", "mocha", "karma", "webpack",
       "rollup", "eslint", "prettier", "markdownlint", "playwright", "cypress", "tsc", "tsx", "ts-node", "gulp", "grunt", "turbo", "nx",
       "lerna", "next"], NODE),
    (&["deno"], &["deno.json", "deno.jsonc", "import_map.json", "package.json"]),
    (&["cargo", "cross"], &["Cargo.toml", "build.rs", ".cargo/config.toml", ".cargo/config", "rust-toolchain.toml",
       "rust-toolchain", ".config/nextest.toml"]),
    (&["pytest", "py.test", "python", "python3", "py", "tox", "nox", "pip", "pip3", "pipx", "uv", "uvx", "poetry", "pdm",
       "pipenv", "hatch", "invoke", "inv", "fab", "coverage", "mypy", "ruff", "flake8", "black", "isort"], PYTHON),
    (&["go", "mage", "gotestsum", "golangci-lint"], &["go.mod", "go.work", "magefile.go", ".golangci.yml", ".golangci.yaml",
       ".golangci.toml", ".golangci.json"]),
    (&["mvn", "mvnw", "mvnw.cmd", "mvnd", "gradle", "gradlew", "gradlew.bat", "ant", "sbt", "mill", "lein", "clojure", "clj"],
       JVM),
    (&["docker", "docker-compose", "podman", "podman-compose", "nerdctl"], COMPOSE),
    (&["rake", "bundle", "bundler", "rspec", "rubocop", "ruby", "rails", "thor", "guard", "cap", "fastlane",
       "bin/rails"], RUBY),
    (&["composer", "phpunit", "php", "artisan"], &["composer.json", "phpunit.xml", "phpunit.xml.dist", "phpunit.dist.xml"]),
    (&["swift", "xcodebuild"], &["Package.swift"]),
    (&["cmake", "ctest", "cpack", "ninja", "meson"], &["CMakeLists.txt", "CMakePresets.json", "CMakeUserPresets.json",
       "build.ninja", "meson.build", "meson.options", "meson_options.txt"]),
    (&["scons", "waf", "configure"], &["SConstruct", "wscript", "configure"]),
    (&["bazel", "bazelisk", "buck", "buck2", "pants"], &["WORKSPACE", "WORKSPACE.bazel", "MODULE.bazel", "BUILD",
       "BUILD.bazel", ".bazelrc", "BUCK", ".buckconfig", "pants.toml"]),
    (&["mix", "iex"], &["mix.exs", ".formatter.exs", ".credo.exs", "config/config.exs", "config/.credo.exs"]),
    (&["rebar3"], &["rebar.config"]),
    (&["dotnet", "msbuild", "nuget"], &["global.json", "Directory.Build.props", "Directory.Build.targets", "nuget.config",
       "NuGet.config", "NuGet.Config"]),
    (&["nix", "nix-build", "nix-shell", "devenv"], &["flake.nix", "default.nix", "shell.nix", "devenv.nix"]),
    (&["pre-commit", "prek"], &[".pre-commit-config.yaml", ".pre-commit-config.yml", "prek.toml"]),
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
