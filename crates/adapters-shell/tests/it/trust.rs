//! Which commands can be allowed, and what an allowance takes (D-32). Nothing here is ever run.

use bailiwick_domain::{CommandLine, CommandReader, CommandReading, PlacedCommand, TrustedCommand};

use crate::cases::table;

pub(crate) fn words(command: &str) -> Vec<String> {
    let line = table().line(command).unwrap_or_else(|why| panic!("{command}: {why}"));
    let [PlacedCommand { words, .. }] = line.commands.as_slice() else { panic!("{command}: {line:?}") };
    words.clone()
}

/// The words of each command of a line.
fn all_words(line: &CommandLine) -> Vec<Vec<String>> {
    line.words().map(<[String]>::to_vec).collect()
}

fn trusted(text: &str) -> TrustedCommand {
    let (line, further) = table().written(text).unwrap_or_else(|why| panic!("{text}: {why}"));
    TrustedCommand { folder: None, words: all_words(&line).concat(), further }
}

pub(crate) fn admits(allowed: &str, command: &str) -> bool {
    let line = table().line(command).unwrap_or_else(|why| panic!("{command}: {why}"));
    let allowed = trusted(allowed);
    !line.commands.is_empty()
        && line.words().all(|words| matches!(table().admits(&allowed, words), Ok(Some(_))))
}

// D-32
#[test]
fn what_stands_around_an_allowed_command_is_no_other_command() {
    for line in [
        "cargo test --workspace",
        "cd /repo && cargo test --workspace 2>&1 | tail -40",
        "cargo test --workspace 2>/dev/null | grep -E 'FAILED|panicked' | head -20",
        "RUST_BACKTRACE=1 cargo test --workspace",
        "timeout 300 cargo test --workspace",
        "CI=1 NO_COLOR=1 timeout 300 cargo test --workspace",
        "NODE_ENV=test cargo test --workspace",
        "NODE_ENV=development cargo test --workspace",
        "RUST_LOG=x time timeout 5m cargo test --workspace",
        "time cargo test --workspace",
        "rtk cargo test --workspace",
        "git status && cargo test --workspace",
        "cargo test --workspace; git diff --stat",
    ] {
        let found = table().line(line).unwrap();
        assert_eq!(all_words(&found), [["cargo", "test", "--workspace"]], "{line}");
    }
    for line in [
        "echo y | cargo test",
        "cargo test | sh",
        "cargo test > out.txt",
        "cargo test $(id)",
        "cargo test &",
        "cargo test &>/dev/null",
        "cargo test &> /dev/null && ls",
        "RUSTFLAGS=-Clinker=x cargo test | head -x",
        "'cargo' test",
        "cargo test `id`",
        "cargo test | tee out.txt",
    ] {
        assert!(table().line(line).is_err(), "{line}: {:?}", table().line(line));
    }
    for line in
        ["timeout 5 CI=./evil cargo test", "time CI=./evil cargo test", "time timeout 5 TZ=./evil cargo test"]
    {
        assert!(words(line)[0].ends_with("=./evil"), "{line}: {:?}", words(line));
        assert!(
            table().can_allow(&TrustedCommand { folder: None, words: words(line), further: false }).is_err()
        );
    }
    for line in ["NODE_ENV=production npm test", "NODE_ENV= npm test", "NODE_ENV=testing npm test"] {
        assert!(!admits("npm test …", line), "{line}");
    }
    assert_eq!(words("PATH=. cargo test")[0], "PATH=.", "no variable that names programs is passed over");
    assert_eq!(words("RUSTC_WRAPPER=x cargo test")[0], "RUSTC_WRAPPER=x");
}

// D-32
#[test]
fn whole_words_admit_further_words_and_only_options_of_the_table() {
    for (allowed, command) in [
        ("cargo test …", "cargo test"),
        ("cargo test …", "cargo test sessions::stale"),
        ("cargo test …", "cargo test -p app --lib -- --nocapture --test-threads=1"),
        ("cargo test -p app …", "cargo test -p app it"),
        ("cargo test …", "cargo -q --locked test it -- --nocapture"),
        ("make test", "make -s -j8 test"),
        ("make -s test", "make test"),
        ("npm run lint", "npm --silent run lint"),
        ("pnpm test …", "pnpm -s test"),
        ("./mvnw test …", "./mvnw -q -B test -Dtest=A"),
        ("cargo clippy …", "cargo clippy --all-targets -- -D warnings"),
        ("npm run lint …", "npm run lint"),
        ("npm test …", "npm test -- src/a.test.ts"),
        ("npx tsc …", "npx tsc --noEmit -b --pretty"),
        ("pytest …", "pytest -xvs tests/test_a.py::test_b -k 'name and not slow'"),
        ("python -m pytest …", "python -m pytest -q tests"),
        ("go test …", "go test -race -run TestX ./..."),
        ("make test", "make test"),
        ("./gradlew test …", "./gradlew test --tests 'a.B'"),
        ("git commit …", "git commit -am 'x y'"),
        ("git commit …", "git commit -qam 'x=y'"),
        ("cargo clippy …", "cargo clippy -- -Dwarnings"),
        ("cargo test …", "cargo test -qpapp"),
        ("pytest …", "pytest -nauto -k'a and b'"),
        ("make …", "make -j8"),
        ("npx jest …", "npx jest -w4 -iu"),
        ("npx mocha …", "npx mocha -t500 test/a.js"),
        ("dotnet build …", "dotnet build -c Release"),
        ("shellcheck …", "shellcheck -xS error a.sh"),
        ("npx markdownlint …", "npx markdownlint -q docs"),
        ("make test …", "make test -j 8 -k"),
        ("make test …", "make test -kj 8"),
        ("make test …", "make test -j"),
        ("mvn test …", "mvn test -Dtest=Foo -T 4 -pl core"),
        ("cmake --build build …", "cmake --build build -j 4 --target app"),
        ("cmake --build build …", "cmake --build build -j --target=app"),
        ("cmake --build build …", "cmake --build build --config Release"),
        ("ninja …", "ninja -j 4 -k 0"),
        ("tox …", "tox -e py311,lint"),
        ("nox …", "nox -s tests-3.12"),
        ("cargo run …", "cargo run --bin server --release"),
        ("npx tsc …", "npx tsc --noEmit --pretty false"),
        ("swift test …", "swift test -c release --filter A"),
        ("npm test …", "npm test -- -t 'adds a user' --grep login"),
        ("npm test …", "npm test -- login src/init.test.ts"),
        ("npx vitest run …", "npx vitest run init"),
        ("npx mocha …", "npx mocha 'test/**/*.{spec,test}.js' '{src,lib}/*.test.js' src"),
        ("npx playwright test …", "npx playwright test --grep @smoke"),
        ("npx jest …", "npx jest -t '@slow tests'"),
        ("deno fmt …", "deno fmt 'src/**/*.ts'"),
        ("deno test …", "deno test 'src/**/*_test.ts' 'tests/*.ts'"),
        ("cargo run …", "cargo run -- find 'a.*b'"),
        ("rspec …", "rspec 'spec/a_spec.rb[1:2]'"),
        (
            "npx prettier …",
            "npx prettier --write 'app/(group)/page.tsx' 'app/[id].tsx' src/routes/+page.svelte",
        ),
        ("git add …", "git add 'app/(shop)/[id]/page.tsx'"),
        ("python3 -m unittest …", "python3 -m unittest tests.test_deploy tests.deploy app.T.test_publish"),
        ("pytest …", "pytest -k@x 'tests/a.py::test_b[{a: (b|c)}]' 't.py::test_url[http://a/b]'"),
        ("npx eslint …", "npx eslint 'src/**/*.{ts,tsx}' 'test/**/*.@(spec|test).js'"),
        ("pytest …", "pytest 'tests/a.py::test_b[1.5-(x)]' 'tests/.*'"),
        ("go test …", "go test ./... ../pkg/... std cmd/vet"),
        ("go vet …", "go vet main.go"),
        ("go list …", "go list -json -f '{{.Dir}}' ./..."),
        ("go list -m …", "go list -m -json"),
        ("go list -m all …", "go list -m all -json"),
        ("go build …", "go build ./cmd/app ./..."),
        ("mix credo …", "mix credo --strict lib"),
        ("npm test …", "npm test -- src/deploy.test.ts 'src/**/*.spec.ts' tests/release"),
        ("yarn test …", "yarn test login src/a.ts"),
        ("npm test …", "npm test -- src/install.ts --testPathPattern=x"),
        ("npm run lint …", "npm run lint -- src/deploy/a.ts"),
        ("npm test …", "npm test -- -t 'deploys the app' --grep 'releases, once'"),
        ("pytest …", "pytest --ignore=tests/slow --log-cli-level=INFO --deselect tests/a.py::b"),
        ("composer test …", "composer test tests/DeployTest.php"),
        ("node --test …", "node --test tests/deploy.mjs src/release.test.js"),
        ("pytest …", "pytest tests/test_deploy.py::test_a -k deploy"),
        ("python3 -m unittest …", "python3 -m unittest discover -s tests -p 'test_*.py'"),
        ("rspec …", "rspec spec/deploy_spec.rb:12"),
        ("cargo run …", "cargo run -- build src"),
        ("dotnet test …", "dotnet test tests/App.Tests.csproj"),
        ("tox …", "tox -e py311,all"),
        ("npx eslint …", "npx eslint --format json src"),
        ("pytest …", "pytest -p no:cacheprovider tests"),
    ] {
        assert!(
            admits(allowed, command),
            "{allowed} / {command}: {:?}",
            table().admits(&trusted(allowed), &words(command))
        );
    }
    for (allowed, command) in [
        ("cargo test …", "cargo test --config x.toml"),
        ("cargo test …", "cargo test --config=x.toml"),
        ("cargo test …", "cargo test --manifest-path /elsewhere/Cargo.toml"),
        ("cargo test …", "cargo test --manifest-path=../x/Cargo.toml"),
        ("cargo test …", "cargo test -Zunstable"),
        ("cargo test …", "cargo test --target-dir /tmp/x"),
        ("cargo test …", "cargo test -- --logfile=/x"),
        ("cargo test …", "cargo testx"),
        ("cargo test …", "cargo"),
        ("cargo test …", "cargo build"),
        ("cargo test …", "cargo +nightly test"),
        ("cargo test", "cargo test x"),
        ("cargo test -p …", "cargo test -p app"),
        ("cargo test --config …", "cargo test --config x"),
        ("pytest …", "pytest -p evil"),
        ("pytest …", "pytest -pevil"),
        ("pytest …", "pytest -xpevil"),
        ("pytest …", "pytest -c x.ini"),
        ("pytest …", "pytest --rootdir=/x"),
        ("pytest …", "pytest -o addopts=-pevil"),
        ("pytest …", "pytest @words.txt"),
        ("pytest …", "pytest --cov-report=html:/x"),
        ("go test …", "go test -exec ./x ./..."),
        ("go test …", "go test -exec=./x"),
        ("go test …", "go test -toolexec=x"),
        ("npm run lint …", "npm run lint:fix"),
        ("npx eslint …", "npx eslint --config x.js src"),
        ("npx eslint …", "npx eslint -c x.js"),
        ("npx eslint …", "npx eslint --rulesdir rules src"),
        ("npx jest …", "npx jest --config x.js"),
        ("npx vitest run …", "npx vitest run --reporter=./x.js"),
        ("make test …", "make test deploy"),
        ("make …", "make install"),
        ("yarn …", "yarn run wipe"),
        ("mvn test …", "mvn test exec:exec"),
        ("make test …", "make test SHELL=./x"),
        ("./gradlew test …", "./gradlew test publish"),
        ("./gradlew test …", "./gradlew test --init-script x"),
        ("deno test …", "deno test https://x/y.ts"),
        ("deno test …", "deno test npm:evil"),
        ("git commit …", "git commit --amend"),
        ("git add …", "git add -f x"),
        ("tsc …", "tsc -pother.json"),
        ("tsc …", "tsc -b other.json"),
        ("tsc …", "tsc --build other.json"),
        ("ctest …", "ctest --test-dir other"),
        ("npm test …", "npm test -w packages/other"),
        ("npm run lint …", "npm run lint --workspaces"),
        ("pnpm test …", "pnpm test --recursive"),
        // Not getopt(3): letters together are as many options, or one of that name.
        ("npx jest …", "npx jest -tc=/elsewhere/evil.js"),
        ("npx jest …", "npx jest -tc evil.js"),
        ("npx jest …", "npx jest -wc=evil.js"),
        ("npx jest …", "npx jest -iw=x"),
        ("npm test …", "npm test -- -tc=evil.js"),
        ("npx vitest run …", "npx vitest run -tr=/elsewhere"),
        ("npx mocha …", "npx mocha -tr=evil.js"),
        ("npx mocha …", "npx mocha init src"),
        ("npx markdownlint …", "npx markdownlint -sr./evil.js README.md"),
        ("npx markdownlint …", "npx markdownlint -f README.md"),
        ("dotnet build …", "dotnet build -flp:LogFile=out.log"),
        ("actionlint …", "actionlint -shellcheck=./evil"),
        ("actionlint …", "actionlint -shellcheck ./evil"),
        ("shellcheck …", "shellcheck -S=error a.sh -fx"),
        ("shellcheck …", "shellcheck -x -a a.sh"),
        ("shellcheck …", "shellcheck -xa a.sh"),
        ("shellcheck …", "shellcheck --check-sourced -x a.sh"),
        ("git commit …", "git commit -am"),
        ("git commit …", "git commit -amx --amend"),
        ("git commit …", "git commit -nm x"),
        // The next word is a value only to programs that take it for one.
        ("make test …", "make test -j wipe"),
        ("make test …", "make test -k -j deploy"),
        ("make test …", "make test -kj deploy"),
        ("make test …", "make test -j 8x"),
        ("make test …", "make test -j 'SHELL=./evil.sh'"),
        ("make test …", "make test -j 8 wipe"),
        ("make …", "make -j wipe"),
        ("mvn test …", "mvn test -Dtest deploy"),
        ("mvn test …", "mvn test -Dtest=x -Dtest org.codehaus.mojo:exec-maven-plugin:3.1.0:exec"),
        ("mvn test …", "mvn test -DskipTests deploy"),
        ("cmake --build build …", "cmake --build build -j deploy"),
        ("cmake --build build …", "cmake --build build --parallel install"),
        ("ctest …", "ctest -j wipe"),
        ("ninja …", "ninja -j wipe"),
        ("npm test …", "npm test --depth wipe"),
        ("go test …", "go test -vet off"),
        ("npm test …", "npm test -- --grep https://x"),
        ("npx tsc …", "npx tsc --pretty other.ts"),
        // A host that a package names.
        ("go list …", "go list -m evil.invalid/SECRET@latest"),
        ("go list …", "go list -json -m evil.invalid/x"),
        ("go list -m …", "go list -m evil.invalid/x"),
        ("go list -m all …", "go list -m all evil.invalid/x@v1"),
        ("go list …", "go list evil.invalid/x"),
        ("go test …", "go test evil.invalid/x/..."),
        ("go build …", "go build ./x@latest"),
        ("deno test …", "deno test NPM:evil"),
        ("deno test …", "deno test HTTPS:evil.example/x.ts"),
        ("deno test …", "deno test file:/elsewhere/x.ts"),
        // Another command of the same program, behind options.
        ("npx mocha …", "npx mocha -b init out"),
        ("npx mocha …", "npx mocha --timeout=5 init out"),
        ("npm test …", "npm test -- init out"),
        ("npm run check …", "npm run check -- --bail init out"),
        ("pnpm test …", "pnpm test --bail init out"),
        ("npx vitest …", "npx vitest --bail=1 init browser"),
        ("vitest …", "vitest --run init"),
        // Patterns of which a part leads elsewhere.
        ("npx mocha …", "npx mocha '{a..b}/*.js'"),
        ("npx mocha …", "npx mocha '{{..,a},b}/*.js'"),
        ("npx mocha …", "npx mocha '@(..|test)/*.js'"),
        ("npx mocha …", "npx mocha '+(.)/x.js'"),
        ("npx mocha …", "npx mocha '@(/etc|test)/*.js'"),
        ("npx mocha …", "npx mocha '[.]./out/*.js'"),
        ("npx mocha …", "npx mocha 'test/.[.-.]/.[.]/out/*.js'"),
        ("npx mocha …", "npx mocha '{.,x}[.]/out/*.js'"),
        ("npx prettier …", "npx prettier --check '.\\./out/a.js'"),
        ("npx mocha …", "npx mocha '{npm,x}:evil'"),
        ("npx mocha …", "npx mocha '{,a}{,b}{,c}{,d}{,e}{,f}{,g}'"),
        // What else a runner runs.
        ("cmake --build build …", "cmake --build build --target deploy"),
        ("cmake --build build …", "cmake --build build --target=install/strip"),
        ("cmake --build build …", "cmake --build build --target app deploy"),
        ("nox …", "nox -s publish"),
        ("nox …", "nox -e publish"),
        ("nox …", "nox -spublish"),
        ("tox …", "tox -e release"),
        ("tox …", "tox -e py311,release"),
        ("tox …", "tox -qe release"),
        ("cargo run …", "cargo run --bin deploy"),
        ("cargo run …", "cargo run --example=publish-all"),
        ("cargo run …", "cargo run -pdeploy"),
        ("npx eslint …", "npx eslint --format ./evil.js src"),
        ("pytest …", "pytest -p no:x"),
        ("tox …", "tox -e ALL"),
        ("tox …", "tox -e py,ALL"),
        ("tox …", "tox -e 'rel{ease}'"),
        ("tox …", "tox -e 'py{310,311}'"),
        ("nox …", "nox -s 'd*'"),
        // A script of the person's own may run what its words name.
        ("npm test …", "npm test -- deploy:prod"),
        ("npm test …", "npm test -- deploy-prod"),
        ("npm test …", "npm test -- release:prod"),
        ("npm test …", "npm test -- deploy:test"),
        ("npm run lint …", "npm run lint -- publish-all"),
        ("yarn test …", "yarn test deploy:prod"),
        ("pnpm test …", "pnpm test deploy:prod"),
        ("composer test …", "composer test deploy-prod"),
        ("npm test …", "npm test -- 'd*:prod'"),
        ("npm test …", "npm test -- '*'"),
        ("npm test …", "npm test -- '{deploy,x.test.ts}'"),
        ("npm test …", "npm test -- -t deploy:prod"),
        ("npm test …", "npm test -- --grep=deploy:prod"),
        ("npm test …", "npm test -- --bail deploy:prod"),
        ("npm test …", "npm test -- scripts/deploy.js"),
        ("npm test …", "npm test -- 'deploy prod'"),
        ("npm test …", "npm test -- -t 'deploy --prod'"),
        ("npm test …", "npm test -- --bail 'deploy prod'"),
        ("npm test …", "npm test -- --testPathPattern deploy"),
        // A runner of tests is an interpreter of the files that it is given.
        ("node --test …", "node --test scripts/deploy.mjs"),
        ("npx mocha …", "npx mocha scripts/deploy.js"),
        ("pytest …", "pytest scripts/deploy.py"),
        ("python3 -m unittest …", "python3 -m unittest scripts/deploy.py"),
        ("python3 -m unittest …", "python3 -m unittest discover -s scripts -p deploy.py"),
        ("phpunit …", "phpunit scripts/deploy.php"),
        ("rspec …", "rspec scripts/deploy.rb"),
        ("bun test …", "bun test ./scripts/deploy.ts"),
        ("dotnet build …", "dotnet build scripts/deploy.proj"),
        ("dotnet build …", "dotnet build scripts/all.proj"),
        ("dotnet build …", "dotnet build App.proj"),
        ("stack build …", "stack build acme-missiles"),
        ("buf lint …", "buf lint buf.build/acme/x"),
        ("cargo run …", "cargo run -- deploy"),
        ("cargo run …", "cargo run -- publish-all x"),
        ("npx mocha …", "npx mocha 'scripts/d*.js'"),
        ("npx mocha …", "npx mocha 'scripts/(deploy|x.test).js'"),
        ("npx mocha …", "npx mocha '{scripts/d*,tests/a}.js'"),
        ("npx mocha …", "npx mocha tests/../scripts/deploy.js"),
        ("node --test …", "node --test 'scripts/d*.mjs'"),
        ("node --test …", "node --test 'scripts/[d]eploy.mjs'"),
        ("deno test …", "deno test 'scripts/d*.ts'"),
        ("python3 -m unittest …", "python3 -m unittest scripts.deploy"),
        ("python3 -m unittest …", "python3 -m unittest scripts.deploy.T"),
        ("python3 -m unittest …", "python3 -m unittest discover -s scripts -p 'd*.py'"),
        // Words that a file holds, also where a value stands.
        ("pytest …", "pytest -k @opts.txt"),
        ("pytest …", "pytest -m @o"),
        ("pytest …", "pytest -qk @o"),
        ("python -m pytest …", "python -m pytest -k @o tests"),
        ("uv run pytest …", "uv run pytest -k @o"),
        ("dotnet test …", "dotnet test --filter @x.rsp"),
        ("cargo clippy …", "cargo clippy -- -D @x"),
        // Choices that are no plain ones, and words of git's own.
        ("npx prettier …", "npx prettier 'secret(s)+/prod.yaml'"),
        ("npx prettier …", "npx prettier 'secret(?:s)/prod.yaml'"),
        ("npx prettier …", "npx prettier '(s|../x)/prod.yaml' 'a|../x'"),
        ("npx prettier …", "npx prettier 'a|/etc/x'"),
        ("npx prettier …", "npx prettier '(a,b)/x' 'a(b'"),
        ("git add …", "git add ':(glob).en?'"),
        ("git add …", "git add ':!x' ."),
        ("git add …", "git add ':^x' ."),
        ("git add …", "git add :/"),
        ("git add …", "git add ::.env"),
        // What writes where it is, and not where it is looked for.
        ("go build …", "go build cmd/gofmt"),
        ("go build …", "go build cmd"),
        ("mix credo …", "mix credo gen.check src/x.ex"),
        ("mix credo …", "mix credo gen.config"),
    ] {
        assert!(!admits(allowed, command), "{allowed} / {command}");
    }
}

// D-32: what may be a path is told, so that the gate can look where it leads
#[test]
fn every_word_that_may_be_a_path_is_told() {
    let paths = |allowed: &str, command: &str| {
        table().admits(&trusted(allowed), &words(command)).unwrap().unwrap().paths
    };
    assert_eq!(paths("pytest …", "pytest -k name ../x tests/a.py"), ["../x", "tests/a.py"]);
    let braces = |word: &str| paths("npx eslint …", &format!("npx eslint '{word}'"));
    assert_eq!(braces("{/etc,test}/*.js"), ["{/etc,test}/*.js", "/etc/*.js", "test/*.js"]);
    assert!(braces("{.,x}./out/{a,b}.js").contains(&"../out/b.js".to_owned()));
    assert!(braces("{,x}/etc/*").contains(&"/etc/*".to_owned()));
    assert_eq!(braces("a/(b|c)/x.test.js"), ["a/(b|c)/x.test.js", "a/b/x.test.js", "a/c/x.test.js"]);
    assert_eq!(paths("npx prettier …", "npx prettier 'a|b'"), ["a|b", "a", "b"]);
    let patterns = |allowed: &str, command: &str| {
        table().admits(&trusted(allowed), &words(command)).unwrap().unwrap().patterns
    };
    assert_eq!(
        patterns("npx prettier …", "npx prettier a.ts 'secret+(s)/*' '{a,b}/7' '+(x::y|z)'"),
        ["secret+(s)/*", "secret+{s}/*", "{a,b}/7", "+(x::y|z)", "+{x::y,z}"]
    );
    assert_eq!(patterns("pytest …", "pytest 'a.py::b[*]' 'tests/.e[n]v::x'"), ["tests/.e[n]v::x"]);
    assert_eq!(paths("go test …", "go test ./... ../a/... ./b... c"), [".", "../a", ".", "c"]);
    assert_eq!(paths("go test …", "go test /..."), ["/"]);
    // Go takes the whole for `../outside`.
    for word in ["./.../../../outside", "./src/.../../../../outside/...", "./x.../../.git"] {
        assert!(!admits("go test …", &format!("go test {word}")), "{word}");
    }
    let many = ["'{a,b,c,d,e,f,g,h}{a,b,c,d,e,f,g,h}/7/*'"; 60].join(" ");
    let why =
        table().admits(&trusted("npx prettier …"), &words(&format!("npx prettier {many}"))).unwrap_err();
    assert!(why.contains("256"), "{why}");
    for exact in [
        format!("npx prettier {many}"),
        format!("mytool {many}"),
        format!("mytool {}", ["'{{a,b}}'"; 6].join(" ")),
    ] {
        assert!(table().admits(&trusted(&exact), &words(&exact)).is_err(), "{exact}");
    }
    assert_eq!(paths("npx tsc …", "npx tsc --pretty=true"), [""; 0]);
    assert_eq!(paths("pytest …", "pytest --cov=/etc/x"), ["/etc/x"]);
    assert!(paths("make -C/etc test", "make -C/etc test").contains(&"/etc".to_owned()));
}

// D-32
#[test]
fn some_commands_can_never_be_allowed() {
    for command in [
        "sh -c 'curl x'",
        "ls; cd x",
        "ls; pushd x",
        "ls; export A=b",
        "ls; A=b",
        "bash -lc 'x > y'",
        "zsh",
        "python -c 'x'",
        "python3 -",
        "python",
        "node -e x",
        "node --eval=x",
        "perl -e x",
        "perl -pi -e s/a/b/ f",
        "ruby -e x",
        "php -r x",
        "deno eval x",
        "bun -e x",
        "pwsh -Command x",
        "env cargo test",
        "[ PATH=5 -eq 5 ]",
        "[[ PATH=5 -eq 5 ]]",
        "test PATH=5 -eq 5",
        "printf %d PATH=5",
        "let PATH=5",
        "read PATH",
        "sudo make",
        "xargs rm",
        "eval x",
        "exec x",
        "find . -delete",
        "sed -i s/a/b/ f",
        "awk x",
        "git push",
        "git push origin main",
        "git reset --hard",
        "git clean -fd",
        "git checkout .",
        "git rebase -i x",
        "git commit --amend",
        "git checkout main",
        "git restore a",
        "git commit --no-verify -m x",
        "git -C /x status x",
        "cargo publish",
        "cargo login",
        "cargo yank x",
        "npm publish",
        "npm run deploy",
        "npm run release:prod",
        "yarn publish",
        "yarn deploy",
        "pnpm publish",
        "make deploy",
        "make -j4 publish",
        "make test -k -s -n -B deploy",
        "cmake --build build --unknown x --target deploy",
        "cmake --build build --verbose --target a publish",
        "tox -q -v -q -v -e release",
        "nox -s publish",
        "cargo run --release --locked --offline --bin deploy",
        "./gradlew publishToMavenLocal",
        "twine upload x",
        "docker push x",
        "gem push x",
        "poetry publish",
        "curl x",
        "wget x",
        "ssh host x",
        "scp a b",
        "rsync a b",
        "kubectl apply",
        "gh pr create",
        "aws s3 ls",
        "claude -p x",
        "bailiwick watch",
        "/usr/bin/make",
        "npm exec x",
        "pnpm dlx x",
        "bunx tsc",
        "pnpx tsc",
        "uvx x",
        "uvx --from x ruff check",
        "uvx ruff@latest check",
        "uv tool run x",
        "bash -n x.sh",
        "pipx run ruff check",
        "npx",
        "npx -y tsc",
        "npx --package=typescript tsc",
        "npx tsc@latest",
        "npx @biomejs/biome@2 check",
        "uv tool run x",
        "bash -n x.sh",
        "pipx run ruff check",
        "node --test --eval=x",
        "python -m pytest -c x.ini",
        "python -m http.server",
        "npm publish -w web",
        "pnpm -r run deploy",
        "pnpm --filter [main] test",
        "pnpm --filter web dlx x",
        "pnpm test --filter web",
        "yarn workspaces foreach test",
        "bun run build --filter web",
        "node https://x/y.js",
    ] {
        for text in [command.to_owned(), format!("{command} …")] {
            let found = table().written(&text).ok().map(|(line, further)| {
                let [words] = all_words(&line).try_into().map_err(|_| "not one command".to_owned())?;
                table().can_allow(&TrustedCommand { folder: None, words, further })
            });
            assert!(!matches!(found, Some(Ok(_))), "{text}: {found:?}");
        }
    }
}

// D-32
#[test]
fn scripts_are_named_and_unknown_programs_are_allowed_as_they_are() {
    let can = |text: &str| table().can_allow(&trusted(text));
    assert_eq!(can("sh scripts/test.sh"), Ok(Some("scripts/test.sh".to_owned())));
    assert_eq!(can("python tools/check.py --fast"), Ok(Some("tools/check.py".to_owned())));
    assert_eq!(can("./gradlew test …"), Ok(Some("./gradlew".to_owned())));
    assert_eq!(can("mytool check"), Ok(None));
    assert_eq!(can("npx mytool check"), Ok(None));
    assert_eq!(can("npx @biomejs/biome check …"), Ok(None));
    assert_eq!(can("cmake --build build --unknown Release --target app"), Ok(None));
    assert_eq!(can("cargo build --unknown x --profile release"), Ok(None));
    assert!(can("mytool check …").unwrap_err().contains("exactly as it is"));
    assert!(can("cargo test --config x …").unwrap_err().contains("--config"));
    assert_eq!(can("cargo test …"), Ok(None));
    let offer = |text: &str| table().offer(&words(text)).map(|(words, further)| (words.join(" "), further));
    assert_eq!(offer("cargo test -p x"), Some(("cargo test".to_owned(), true)));
    assert_eq!(offer("npm run lint -- --fix"), Some(("npm run lint".to_owned(), true)));
    assert_eq!(offer("mytool check"), Some(("mytool check".to_owned(), false)));
    assert_eq!(offer("cargo test --config x"), Some(("cargo test --config x".to_owned(), false)));
    assert_eq!(offer("curl x"), None);
}

// D-32: a person hears which word does not fit
#[test]
fn the_word_that_does_not_fit_is_named() {
    for (allowed, command, word) in [
        ("git fetch …", "git fetch origin", "`origin`"),
        ("python3 -m unittest …", "python3 -m unittest discover --evil", "`--evil`"),
        ("deno test …", "deno test --allow-read", "`--allow-read`"),
        (
            "cargo run …",
            "cargo run --bin deploy",
            "`deploy` is no value of `--bin` here: what it runs may publish",
        ),
        ("cargo run …", "cargo run --bin=deploy", "`deploy` is no value of `--bin` here"),
        ("npm test …", "npm test --depth=x", "`x` is no value of `--depth` here: that is a whole number"),
        ("npx eslint …", "npx eslint --format ./evil.js", "that is one of stylish, json, html"),
        ("pytest …", "pytest -p evil", "`evil` is no value of `-p` here: that is one of no:cacheprovider"),
        ("go test …", "go test -vet", "`-vet` has its value behind `=` here"),
        ("cargo test …", "cargo test -p", "`-p` has no value"),
        ("pytest …", "pytest -k @opts", "`@opts` may stand for words that a file holds"),
    ] {
        let why = table().admits(&trusted(allowed), &words(command)).unwrap_err();
        assert!(why.contains(word), "{command}: {why}");
    }
}

// D-32: variables that no command loads or runs anything by, also between quotes
#[test]
fn a_harmless_variable_may_stand_before_an_allowed_command() {
    for line in [
        "RUSTFLAGS=\"-D warnings\" cargo test",
        "RUST_LOG='app=debug' CARGO_TERM_COLOR=never cargo test --workspace",
        "RUSTDOCFLAGS='-D rustdoc::broken_intra_doc_links' cargo test",
    ] {
        assert!(admits("cargo test …", line), "{line}");
    }
    for line in [
        "RUSTFLAGS='-C linker=./x' cargo test",
        "'RUST_LOG=debug' cargo test",
        "R'UST_LOG'=debug cargo test",
        "RUST_LOG=\"$X\" cargo test",
    ] {
        assert!(table().line(line).is_err(), "{line}");
    }
    assert!(!admits("cargo test …", "CARGO_TARGET_DIR=x cargo test"));
}

// D-32: before tests, variables may name folders and modules of the root
#[test]
fn python_may_be_told_where_the_modules_of_tests_are() {
    let found =
        table().admits(&trusted("pytest …"), &words("CI=1 PYTHONPATH=.:src:../lib pytest -q")).unwrap();
    assert_eq!(found.unwrap().paths, [".", "src", "../lib"]);
    let line = "DJANGO_SETTINGS_MODULE=app.settings PYTHONPATH= pytest tests";
    let found = table().admits(&trusted("pytest …"), &words(line)).unwrap().unwrap();
    assert_eq!(found.paths, ["tests", "."]);
    assert_eq!(found.reads, ["tests", "."]);
    assert!(found.there[0].contains(&"app/settings.py".to_owned()));
    for (allowed, line, why) in [
        (
            "ruff check …",
            "PYTHONPATH=src ruff check",
            "`PYTHONPATH` is only taken before a command that runs tests",
        ),
        ("pytest …", "PYTHONPATH='~/x' pytest", "`~/x` may be any folder"),
        (
            "pytest …",
            "DJANGO_SETTINGS_MODULE=scripts.deploy pytest",
            "`scripts.deploy` may publish something",
        ),
    ] {
        assert_eq!(table().admits(&trusted(allowed), &words(line)), Err(why.to_owned()), "{line}");
    }
    let command = TrustedCommand { folder: None, words: words("PYTHONPATH=src pytest"), further: true };
    let why = "allow it without `PYTHONPATH=src`, which may stand before it then";
    assert_eq!(table().can_allow(&command), Err(why.to_owned()));
    assert_eq!(table().offer(&words("PYTHONPATH=src pytest -q")), Some((words("pytest"), true)));
}

// D-32: an environment of the root is a part of the machine
#[test]
fn programs_of_a_virtual_environment_are_known_by_their_names() {
    for (allowed, line) in [
        (".venv/bin/pytest …", "./.venv/bin/pytest -q tests/test_a.py"),
        (".venv/bin/python -m pytest …", ".venv/bin/python -m pytest -x"),
        (".venv/bin/python3.12 -m pytest …", ".venv/bin/python3.12 -m pytest -x"),
        ("../venv/bin/ruff check …", "../venv/bin/ruff check --fix src"),
    ] {
        assert!(admits(allowed, line), "{line}");
        assert_eq!(table().can_allow(&trusted(allowed)), Ok(None), "{allowed}");
    }
    for (allowed, line) in [
        ("pytest …", ".venv/bin/pytest -q"),
        (".venv/bin/pytest …", "venv/bin/pytest -q"),
        (".venv/bin/pytest …", ".venv/bin/pytest -p x"),
    ] {
        assert!(!admits(allowed, line), "{line}");
    }
    assert_eq!(table().can_allow(&trusted(".venv/bin/own x")), Ok(Some(".venv/bin/own".to_owned())));
    assert!(table().can_allow(&trusted(".venv/bin/python -c 1")).is_err());
    let named = table().admits(&trusted(".venv/bin/pytest …"), &words(".venv/bin/pytest tests")).unwrap();
    assert_eq!(named.unwrap().paths, ["tests"]);
}

// D-32: what activates an environment is a part of the command behind it
#[test]
fn behind_what_activates_an_environment_a_command_is_another_one() {
    let allowed = trusted("source .venv/bin/activate && pytest …");
    assert_eq!(table().can_allow(&allowed), Ok(Some(".venv/bin/activate".to_owned())));
    for line in [
        ". ./.venv/bin/activate && CI=1 pytest -q tests 2>&1 | tail -5",
        ". .venv/bin/activate; PYTHONPATH=src pytest -q",
        "echo a && source .venv/bin/activate && pytest a && pytest b",
        "source .venv/bin/activate && which pytest",
        "source .venv/bin/activate && source .venv/bin/activate && pytest",
        "source .venv/bin/activate && pytest --version",
    ] {
        assert!(admits("source .venv/bin/activate && pytest …", line), "{line}");
    }
    for line in [
        "pytest -q",
        "source venv/bin/activate && pytest -q",
        "source .venv/bin/activate && pytest && ruff check",
        "pytest -q && source .venv/bin/activate",
        "source ../evil/venv/bin/activate && source .venv/bin/activate && pytest -q",
        "source .venv/bin/activate && pytest -q && source ../evil/venv/bin/activate",
        "source .venv/bin/activate x",
        "source .venv/bin/activate.fish",
    ] {
        assert!(!admits("source .venv/bin/activate && pytest …", line), "{line}");
    }
    assert!(!admits("pytest …", "source .venv/bin/activate && pytest -q"));
    // What activates an environment needs a yes wherever it stands.
    for line in
        ["cargo test && source ../evil/.venv/bin/activate", "cargo test; . other/venv/bin/activate.exe"]
    {
        assert!(!admits("cargo test …", line), "{line}");
    }
    for line in [
        "source .venv/bin/activate || pytest",
        "source .venv/bin/activate; pytest",
        "source .venv/bin/activate && bash -c x",
        "(source .venv/bin/activate) && pytest",
        "(source .venv/bin/activate && pytest) && pytest -q",
        "source .venv/bin/activate | cat && pytest -q",
        "timeout 5 source .venv/bin/activate; pytest",
        "PYTHONPATH=/x . .venv/bin/activate && . .venv/bin/activate && pytest",
        "PYTHONPATH=. source .venv/bin/activate && pytest -q",
        "DJANGO_SETTINGS_MODULE=x . .venv/bin/activate && pytest",
        "source .venv/bin/activate && ruff check || pytest",
        "echo a && source .venv/bin/activate; pytest",
        "if true; then source .venv/bin/activate; fi",
        "source .venv/bin/activate | pytest",
    ] {
        assert!(table().line(line).is_err(), "{line}");
    }
    for never in [
        "source .venv/bin/activate",
        "source bin/activate",
        "source .venv/bin/activate x",
        ". scripts/env.sh",
    ] {
        assert!(table().can_allow(&trusted(never)).is_err(), "{never}");
    }
    let offered = table().offer(&words("source .venv/bin/activate && PYTHONPATH=. pytest -q"));
    assert_eq!(offered, Some((allowed.words, true)));
}

// D-32: what is allowed may stand anywhere in a command of its kind, and a folder stands for all that is in it
#[test]
fn an_allowance_covers_what_says_as_much_in_another_order() {
    for (allowed, line) in [
        ("go test ./... …", "go test ./pkg/a ./pkg/b -run 'TestA|TestB' -count=1"),
        ("go build ./... …", "go build ./cmd/app"),
        ("go test ./pkg/... …", "go test -v ./pkg/a/..."),
        ("ruff check . …", "ruff check src --fix"),
        ("black --check . …", "black --check src"),
        ("eslint . --max-warnings 0 …", "eslint src/a.ts --max-warnings 0"),
        ("pytest -q …", "pytest tests/test_a.py -q"),
        ("pytest tests …", "pytest -x tests/unit/test_a.py::test_b"),
        ("cargo test --workspace --locked …", "cargo test --locked --workspace name"),
        ("go test ./... …", "go test -run TestA"),
        ("pytest tests …", "pytest -q ./tests"),
        ("python -m compileall . …", "python -m compileall -q src"),
        ("cargo clippy -- -D warnings …", "cargo clippy --all-targets -- -D warnings"),
    ] {
        assert!(admits(allowed, line), "{allowed}: {line}");
    }
    for (allowed, line, missing) in [
        ("black --check . …", "black src", "--check"),
        ("cargo fmt --check …", "cargo fmt --all", "--check"),
        ("pytest tests …", "pytest other", "tests"),
        ("pytest tests …", "pytest tests/../other", "tests"),
        ("go test ./pkg/... …", "go test ./pkgs/a", "./pkg/..."),
        ("cargo run --bin x …", "cargo run --bin y --example x", "--bin x"),
        ("cargo run --bin x …", "cargo run --release --bin x", "--bin x"),
        ("cargo run -- build …", "cargo run -- wipe build", "build"),
        ("npm run cli -- list …", "npm run cli -- wipe list", "list"),
        ("pnpm run cli list …", "pnpm run cli drop list", "list"),
        ("pre-commit run black …", "pre-commit run wipe --files black", "black"),
        ("python -m compileall . …", "python -m compileall -q", "."),
        ("black . …", "black ../other", "."),
        ("eslint . --max-warnings 0 …", "eslint src --max-warnings 9", "--max-warnings 0"),
        ("cargo clippy -- -D warnings …", "cargo clippy -- -A warnings", "-D warnings"),
    ] {
        let why = format!("it is allowed with `{missing}`");
        assert_eq!(table().admits(&trusted(allowed), &words(line)), Err(why), "{allowed}: {line}");
    }
    for (allowed, line, writes) in [
        ("prettier --check . …", "prettier --check src --write", "--write"),
        ("gofmt -l . …", "gofmt -l -w src", "-w"),
        ("shfmt -d . …", "shfmt -d -w src", "-w"),
        ("prettier --check . …", "prettier --check src -uw", "-uw"),
    ] {
        let why = format!("with `{writes}` it writes, and it is allowed to look alone");
        assert_eq!(table().admits(&trusted(allowed), &words(line)), Err(why), "{allowed}: {line}");
    }
    assert!(admits("ruff check …", "ruff check --fix src"));
    assert!(!admits("tsc --noEmit …", "tsc --noEmit --noEmit false"));
    for (allowed, line) in
        [("npm run lint …", "npm run test"), ("make test", "make lint"), ("ruff check . …", "ruff format .")]
    {
        assert_eq!(table().admits(&trusted(allowed), &words(line)), Ok(None), "{allowed}: {line}");
    }
}

// D-32: whoever lets a program start lets it say its version
#[test]
fn the_version_of_an_allowed_program_is_no_question() {
    assert!(admits("go test …", "go version"));
    assert!(admits("npx tsc --noEmit", "npx tsc --version"));
    assert!(!admits("./scripts/check.sh", "./scripts/check.sh --version"), "what it does then, nobody knows");
    assert!(!admits("go test …", "go version x"));
    let found = table().admits(&trusted("npx tsc …"), &words("npx tsc --version")).unwrap().unwrap();
    assert!(found.there[0].contains(&"node_modules/.bin/tsc".to_owned()));
}

// D-32: a file of settings by any name is none that agents are asked about
#[test]
fn settings_of_typescript_have_its_name_or_lie_in_a_folder() {
    for (line, folder) in [
        ("tsc -p other.json", Some("other.json/.")),
        ("tsc --project=web", Some("web/.")),
        ("tsc -p web/tsconfig.build.json --noEmit", None),
    ] {
        let found = table().admits(&trusted("tsc …"), &words(line)).unwrap().unwrap();
        assert_eq!(found.there.concat(), folder.map(str::to_owned).into_iter().collect::<Vec<_>>(), "{line}");
    }
    assert!(admits("dotnet test …", "dotnet test --project a/B.csproj -- --treenode-filter '/*/*/A*'"));
    assert!(admits("./gradlew test …", "./gradlew --version") && admits("gradle test", "gradle -v"));
    assert!(!admits("make test", "make -v"));
}

// D-32: what starts a program with what is installed for the folder is a part of its name
#[test]
fn behind_what_starts_it_a_command_is_of_the_same_kind() {
    for (allowed, line) in [
        ("mise exec -- cargo test …", "mise exec -- cargo test hook_env --locked"),
        ("uv run mypy …", "uv run mypy src --strict"),
        ("pdm run python -m pytest …", "pdm run python -m pytest -q tests"),
        ("mise run lint", "mise run lint"),
        ("uv run pytest …", "uv run --frozen pytest -q"),
        ("uv run --frozen pytest …", "uv run pytest -q"),
    ] {
        assert!(admits(allowed, line), "{line}");
        assert_eq!(table().can_allow(&trusted(allowed)), Ok(None), "{allowed}");
    }
    for (allowed, line) in [
        ("cargo test …", "mise exec -- cargo test"),
        ("mise exec -- cargo test …", "mise exec -- cargo test --config x"),
        ("mise exec -- cargo test …", "mise exec -- cargo run"),
    ] {
        assert!(!admits(allowed, line), "{line}");
    }
    for never in ["mise exec -- bash -c x", "mise run publish", "uv run --with x pytest …"] {
        let command = table().written(never).map(|_| trusted(never));
        assert!(command.is_err() || table().can_allow(&command.unwrap()).is_err(), "{never}");
    }
}

// D-32: commands in one word that a shell runs are commands
#[test]
fn what_stands_in_one_word_for_a_shell_is_read_as_a_line() {
    for (allowed, line) in [
        ("cargo test …", "bash -lc 'cargo test -q 2>&1 | tail -3'"),
        ("cargo test …", "cd /repo && sh -c \"cargo test && git status\""),
        ("nix-shell --run 'pytest …'", "nix-shell --run \"pytest -q tests && git status\" 2>&1 | tail -4"),
        ("nix develop -c cargo test …", "nix develop -c cargo test -q"),
    ] {
        let allowed = match allowed {
            "nix-shell --run 'pytest …'" => {
                TrustedCommand { further: true, ..trusted("nix-shell --run pytest") }
            }
            allowed => trusted(allowed),
        };
        let found = table().line(line).unwrap_or_else(|why| panic!("{line}: {why}"));
        let admits = |words: &[String]| matches!(table().admits(&allowed, words), Ok(Some(_)));
        assert!(!found.commands.is_empty() && found.words().all(admits), "{line}: {found:?}");
        assert_eq!(table().can_allow(&allowed), Ok(None), "{line}");
    }
    for (allowed, line) in [
        ("pytest …", "nix-shell --run 'pytest -q'"),
        ("nix-shell --run pytest", "pytest"),
        ("cargo test …", "bash -c 'cargo test && rm -rf x'"),
        ("nix-shell --run pytest", "nix-shell --run pytest -I nixpkgs=x"),
        ("nix-shell --run pytest", "nix-shell --run -- pytest"),
        ("nix-shell --run pytest", "nix-shell -p x --run pytest"),
        ("make test …", "make test && nix-shell --run 'ls'"),
    ] {
        assert!(!admits(allowed, line), "{line}");
    }
    for line in [
        "bash -c 'cd x && cargo test'",
        "bash -c 'bash -c \"cargo test\"'",
        "bash -c '. .venv/bin/activate && cargo test'",
        "source .venv/bin/activate && bash -c 'cargo test'",
        "bash -c \"cargo test $X\"",
        "bash -c 'cargo test' | sh",
        "cargo test && find src -type f | xargs cat",
        "bash -c 'cargo test; find src -type f | xargs cat'",
        "'nix-shell --run' pytest",
        "nix-shell\\ --run pytest",
        "bash -c 'cargo test > x'",
        "for i in 1 2; do bash -c 'cargo test'; done",
    ] {
        assert!(table().line(line).is_err(), "{line}: {:?}", table().line(line));
    }
}

// D-32: a script of another package is that command there
#[test]
fn which_packages_a_command_goes_to_is_a_part_of_it() {
    for (allowed, line, elsewhere) in [
        ("pnpm --filter web test …", "pnpm -F web test -t x", "pnpm test"),
        ("npm test -w web …", "npm -w web test -- src/a.test.ts", "npm test"),
        ("yarn workspace web lint …", "yarn workspace web lint --fix", "yarn lint"),
        ("bun --filter web run build", "bun run --filter=web build", "bun run build"),
    ] {
        let found = table().admits(&trusted(allowed), &words(line)).unwrap().unwrap();
        assert_eq!(found.elsewhere.unwrap().join(" "), elsewhere, "{line}");
        assert_eq!(table().can_allow(&trusted(allowed)), Ok(None), "{allowed}");
    }
    for (allowed, line) in [
        ("pnpm --filter web test …", "pnpm --filter api test"),
        ("pnpm --filter web test …", "pnpm test"),
        ("pnpm test …", "pnpm -r test"),
        ("pnpm --filter web test …", "pnpm --filter web --filter api test"),
    ] {
        assert_eq!(table().admits(&trusted(allowed), &words(line)), Ok(None), "{line}");
    }
    for (line, offered) in [
        ("pnpm --filter web test -t x", "pnpm --filter web test"),
        ("npm run lint -w web -- --fix", "npm run lint -w web"),
        ("pnpm test -t x", "pnpm test"),
    ] {
        assert_eq!(table().offer(&words(line)), Some((words(offered), true)), "{line}");
    }
    assert_eq!(
        table().offer(&words("pnpm --filter web dev x")),
        Some((words("pnpm --filter web dev x"), false))
    );
}

// D-32: several targets of make are as many commands
#[test]
fn each_target_of_make_has_its_own_allowance() {
    for (line, commands) in [
        ("make lint test", vec!["make lint", "make test"]),
        ("make -s -j8 lint test", vec!["make lint", "make test"]),
        ("make test", vec!["make test"]),
        ("make lint test V=1", vec!["make lint test V=1"]),
        ("make lint -n test", vec!["make lint -n test"]),
        ("just lint test", vec!["just lint test"]),
    ] {
        let found = table().line(line).unwrap();
        assert_eq!(found.words().map(|words| words.join(" ")).collect::<Vec<_>>(), commands, "{line}");
    }
    let many = table().line(&format!("make {}", ["a"; 17].join(" "))).unwrap();
    assert_eq!(many.commands.len(), 1, "so many targets are looked up as one command");
}

// D-32: what stands before a program is told as what it is
#[test]
fn a_variable_before_a_program_is_told_as_one() {
    for (line, variable) in [
        ("PYTHONHOME=src pytest -q", "PYTHONHOME"),
        ("CARGO_TARGET_DIR=/tmp/t cargo test", "CARGO_TARGET_DIR"),
        ("NODE_OPTIONS=x npm test", "NODE_OPTIONS"),
        ("PUBLISH=1 npm test", "PUBLISH"),
    ] {
        let expected = format!("`{variable}` may change what the program does or loads");
        match table().read(line) {
            CommandReading::Unproved { why } => assert_eq!(why, expected, "{line}"),
            other => panic!("{line}: {other:?}"),
        }
        let command = TrustedCommand { folder: None, words: words(line), further: false };
        assert_eq!(table().can_allow(&command), Err(expected), "{line}");
    }
}

// D-32: where a line may fail to move, what is behind a `;` may run elsewhere
#[test]
fn behind_a_folder_an_allowed_command_stands_where_it_cannot_stay() {
    for line in [
        "cd /repo && cargo test; echo \"exit $?\"",
        "cd /repo && cargo test 2>&1 | tail -5 || true",
        "cd /repo && cargo test && git status; git log -1",
        "(cd /repo && cargo test) | tail -5",
        "cargo test; for f in a b; do cat $f; done",
        "cargo test | tail -5; echo \"exit ${PIPESTATUS[0]}\"",
    ] {
        let found = table().line(line).unwrap_or_else(|why| panic!("{line}: {why}"));
        let folder = line.contains("cd /repo").then(|| "/repo".to_owned());
        assert_eq!(found.commands, [PlacedCommand { folder, words: words("cargo test") }], "{line}");
        assert!(!found.may_stray, "{line}");
    }
    for line in [
        "cd /repo; cargo test",
        "cd /repo\ncargo test",
        "cd /repo && ls; cargo test",
        "cd /repo && ls || cargo test",
    ] {
        let found = table().line(line).unwrap_or_else(|why| panic!("{line}: {why}"));
        assert_eq!(
            (found.may_stray, &found.readers.moves.needs, all_words(&found)),
            (true, &vec!["/repo".to_owned()], vec![words("cargo test")]),
            "{line}"
        );
    }
    for line in [
        "for i in 1 2; do cargo test; done",
        "echo \"$(cargo test)\"",
        "if cargo test; then ls; fi",
        "cat <(cargo test)",
        "cargo test \"$(ls)\"",
        "cargo test \"$PWD\"",
    ] {
        assert!(table().line(line).is_err(), "{line}: {:?}", table().line(line));
    }
}

// D-32: what a person types is what is allowed
#[test]
fn three_dots_that_are_glued_to_a_word_are_a_part_of_it() {
    let written = |text: &str| {
        table().written(text).map(|(line, further)| (all_words(&line).concat().join(" "), further))
    };
    assert_eq!(written("go test ./..."), Ok(("go test ./...".to_owned(), false)));
    assert_eq!(written("go test ..."), Ok(("go test".to_owned(), true)));
    assert_eq!(written("go test ./... …"), Ok(("go test ./...".to_owned(), true)));
}

// D-32
#[test]
fn a_new_branch_is_one_word_and_a_message_may_begin_with_any_sign() {
    for (allowed, line) in [
        ("git switch -c …", "git switch -c feat/x"),
        ("git checkout -b …", "git checkout -b fix/a-b"),
        ("git restore --staged …", "git restore --staged src/a.rs"),
        ("git commit …", "git commit -m '@types bump'"),
        ("npm test …", "npm test -- -t 'deploy works'"),
        ("npm test …", "npm test -- --testNamePattern='deploy works'"),
        ("npm run test:unit …", "npm run test:unit -- -t 'can install'"),
        ("cargo run …", "cargo run -p x -- --help"),
        ("npm ls …", "npm ls react"),
        ("git commit …", "git commit -m a -m b -- src/a.rs"),
        ("python manage.py test …", "python manage.py test orders --keepdb -v 2"),
        ("coverage run -m pytest …", "coverage run -m pytest -q"),
    ] {
        assert!(admits(allowed, line), "{line}: {:?}", table().admits(&trusted(allowed), &words(line)));
    }
    for (allowed, line) in [
        ("git switch -c …", "git switch -c a main"),
        ("git checkout -b …", "git checkout -b a -f"),
        ("git restore --staged …", "git restore --staged --worktree a"),
        ("npm run dev …", "npm run dev -- -g 'npm run release'"),
        ("npm run dev …", "npm run dev -- --grep='npm publish now'"),
        ("pip list …", "pip list --path=/x"),
        ("git commit …", "git commit -m a -- ':(top)x'"),
        ("npm test …", "npm test -- '`touch x`'"),
        ("npm test …", "npm test -- -t '$x'"),
        ("python manage.py test …", "python manage.py test --settings=x"),
    ] {
        assert!(!admits(allowed, line), "{line}");
    }
}

// D-32: a program that moves first is itself in that folder
#[test]
fn a_program_may_move_before_it_does_anything() {
    for (line, folder, command) in [
        ("make -C sub test", "sub", "make test"),
        ("cd a && make -C sub test", "a/sub", "make test"),
        ("npm test --prefix=/x", "/x", "npm test"),
        ("npm --prefix web run build 2>&1 | tail -5", "web", "npm run build"),
        ("uv run --directory py pytest -q", "py", "uv run pytest -q"),
        ("source .venv/bin/activate && make -C py test", "py", "source ../.venv/bin/activate && make test"),
        (
            "source .venv/bin/activate && cd py && make test",
            "py",
            "source ../.venv/bin/activate && make test",
        ),
        ("CI=1 RAILS_ENV=test make -C sub test", "sub", "RAILS_ENV=test make test"),
    ] {
        let found = table().line(line).unwrap_or_else(|why| panic!("{line}: {why}"));
        let [PlacedCommand { folder: Some(place), words }] = found.commands.as_slice() else {
            panic!("{found:?}")
        };
        assert_eq!((place.as_str(), words.join(" ").as_str()), (folder, command), "{line}");
    }
    for line in [
        "cd a && source .venv/bin/activate && cd /b && pytest",
        "source .venv/bin/activate && cd .. && pytest",
    ] {
        assert!(table().line(line).is_err(), "{line}");
    }
    let raw = |line: &str| line.split(' ').map(str::to_owned).collect();
    let command = TrustedCommand { folder: None, words: raw("make -C sub test"), further: false };
    assert_eq!(table().can_allow(&command), Err("allow it as `cd sub && make test`".to_owned()));
}

// D-32: a variable of the project is a part of what is allowed
#[test]
fn a_variable_is_allowed_with_its_value() {
    for (allowed, line) in [
        ("SKIP_BUILD=true go test …", "SKIP_BUILD=true go test ./..."),
        ("SKIP_BUILD=true go test …", "export SKIP_BUILD=true; go test ./..."),
        ("SKIP_BUILD=true go test …", "export CI=1 SKIP_BUILD=true && go test ./... && go test ./a"),
        ("SKIP_BUILD=true go test …", "CI=1 SKIP_BUILD=true go test ./..."),
        ("SKIP_BUILD=false go test …", "export SKIP_BUILD=true; SKIP_BUILD=false go test"),
        ("A_B=1 C_D=ci make", "C_D=ci A_B=1 make"),
        ("go test …", "export CI=1; go test ./..."),
        ("SKIP_BUILD=true go test …", "export SKIP_BUILD=true; echo a; go test ./... | tail -3; echo $?"),
        ("pytest …", "RAILS_ENV= PYTHONPATH=src pytest -q"),
    ] {
        let allowed = match allowed {
            "pytest …" => trusted("RAILS_ENV= pytest …"),
            allowed => trusted(allowed),
        };
        let found = table().line(line).unwrap_or_else(|why| panic!("{line}: {why}"));
        let admits = |words: &[String]| matches!(table().admits(&allowed, words), Ok(Some(_)));
        assert!(!found.commands.is_empty() && found.words().all(admits), "{line}: {found:?}");
        assert!(table().can_allow(&allowed).is_ok(), "{line}");
    }
    for (allowed, line) in [
        ("SKIP_BUILD=true go test …", "go test ./..."),
        ("SKIP_BUILD=true go test …", "SKIP_BUILD=false go test ./..."),
        ("SKIP_BUILD=true go test …", "SKIP_BUILD=true OTHER_ONE=1 go test ./..."),
        ("go test …", "SKIP_BUILD=true go test ./..."),
        ("SKIP_BUILD=true go test …", "SKIP_BUILD=true SKIP_BUILD=1 go test"),
        ("SKIP_BUILD=true go test …", "export SKIP_BUILD=true; SKIP_BUILD=false go test"),
    ] {
        assert!(!admits(allowed, line), "{line}");
    }
    for line in [
        "ls && export SKIP_BUILD=true; go test",
        "ls || export SKIP_BUILD=true && go test",
        "export SKIP_BUILD=true | cat && go test",
        "export PATH=. && go test",
        "export && go test",
        "export -f x && go test",
        "export SKIP_BUILD && go test",
        "(export SKIP_BUILD=true); go test",
        "export SKIP_BUILD=true; bash -c 'go test'",
        "export PYTHONPATH=src; pytest",
        "go test; export PYTHONPATH=src && pip --version",
        "go test; export ARGV0=git-branch; git ls-files HEAD",
        "go test && export GLOBIGNORE=x && cat *",
        "go test; export POSIXLY_CORRECT=1; grep -r a . --exclude=.env",
        "go test; export SKIP_BUILD=true; git log",
        "export VERBOSE=1; go test",
        "ls && export SKIP_BUILD=true; ls && go test",
        "ls && export SKIP_BUILD=true; cd a && go test",
    ] {
        assert!(table().line(line).is_err(), "{line}: {:?}", table().line(line));
    }
    let offered = table().offer(&words("SKIP_BUILD=true go test ./...")).unwrap();
    assert_eq!((offered.0.join(" "), offered.1), ("SKIP_BUILD=true go test".to_owned(), true));
}

// D-32: a file of the folder may run in place of a program
#[test]
fn what_would_run_in_place_of_a_program_must_be_absent() {
    let absent = |line: &str| {
        let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
        let command = TrustedCommand { folder: None, words: words.clone(), further: false };
        table().admits(&command, &words).unwrap().unwrap().absent.join(" ")
    };
    assert_eq!(absent("python -m pytest -q"), "pytest.py pytest/__main__.py pytest/__init__.py");
    assert_eq!(absent(".venv/bin/python -m pip list"), "pip.py pip/__main__.py pip/__init__.py");
    assert_eq!(absent("uv run ruff check src"), "ruff/__main__.py ruff");
    assert_eq!(absent("uv run python manage.py test"), "python/__main__.py python");
    for line in ["poetry run python3 -m py_compile a.py", "mise exec -- python3 -m py_compile a.py"] {
        assert_eq!(absent(line), "py_compile.py py_compile/__main__.py py_compile/__init__.py", "{line}");
    }
    assert_eq!(absent("coverage run -m pytest"), "pytest.py pytest/__main__.py pytest/__init__.py");
    for line in ["pytest -q", "make test", "python tools/check.py -m x"] {
        assert_eq!(absent(line), "", "{line}");
    }
}

// D-32: behind a `;` nothing is sure that may have failed, however much stands between
#[test]
fn what_an_environment_may_be_missing_for_is_not_taken() {
    for line in [
        "cd deep && source .venv/bin/activate; cd sub && pytest",
        "cd deep && source .venv/bin/activate; ls && pytest",
        "source .venv/bin/activate; ls && cd sub && pytest",
        "source .venv/bin/activate; n=1 && pytest",
        "cd deep && source .venv/bin/activate; n=$(ls) && pytest",
        "source .venv/bin/activate && ls || ls && pytest",
    ] {
        assert!(table().line(line).is_err(), "{line}: {:?}", table().line(line));
    }
    for line in [
        "source .venv/bin/activate && ls && pytest",
        "source .venv/bin/activate && cd sub && ls && pytest; ls",
    ] {
        assert!(table().line(line).is_ok(), "{line}: {:?}", table().line(line));
    }
}

// D-32: what runs before a move may take its folder away
#[test]
fn a_folder_behind_a_command_is_doubted() {
    for (line, doubted) in [
        ("make clean; cd build; make test", vec!["build"]),
        ("cd build; make clean; make test", vec![]),
        ("cd /r/b && ls && cd /r && make clean; cd /r/b && make", vec!["/r/b"]),
        ("ls; cd build; ls", vec![]),
        ("make; cd a && make; cd ..; ls", vec!["a", "a/.."]),
    ] {
        let found = table().line(line).unwrap_or_else(|why| panic!("{line}: {why}"));
        assert_eq!(found.readers.moves.doubted, doubted, "{line}");
    }
}
