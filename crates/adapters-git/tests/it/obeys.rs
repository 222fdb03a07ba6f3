//! What git's configuration makes it run, against configurations that the real `git` reads (A3, A4, threat F6).

use std::fs;

use bailiwick_adapters_git::GitObeys;
use bailiwick_domain::RepoPath;

use crate::repository::{Scratch, discover};

fn obeys(scratch: &Scratch) -> GitObeys {
    let root = scratch.path("repo");
    GitObeys::new(root.clone(), discover(&root), Some(scratch.path("home")))
}

fn path(text: &str) -> RepoPath {
    RepoPath::new(text).unwrap()
}

/// A repository with programs in its tree, and its configuration.
fn with_config(config: &str) -> Scratch {
    let scratch = Scratch::with_commit();
    for tool in ["show.py", "clean.sh", "pkg/__main__.py", "hooks/post-index-change"] {
        scratch.write(&format!("repo/tools/{tool}"), "#!/bin/sh\n");
    }
    let file = scratch.path("repo/.git/config");
    let before = fs::read_to_string(&file).unwrap();
    fs::write(file, format!("{before}\n{config}")).unwrap();
    scratch
}

// A4, threat F6
#[test]
fn a_program_in_the_tree_that_git_would_run_ends_the_belief_in_reading() {
    for config in [
        "[diff \"x\"]\n\ttextconv = tools/show.py",
        "[diff \"x\"]\n\ttextconv = python3 ./tools/show.py --fast",
        "[diff \"x\"]\n\tcommand = \"sh -c 'tools/show.py \\\"$1\\\"'\"",
        "[diff]\n\texternal = tools/show.py",
        "[filter \"y\"]\n\tclean = sh tools/clean.sh %f",
        "[filter \"y\"]\n\tprocess = $(git rev-parse --show-toplevel)/tools/clean.sh",
        "[filter \"y\"]\n\tclean = cd tools && python3 -m tools.pkg",
        "[core]\n\tfsmonitor = tools/show.py",
        "[core] fsmonitor = tools/show.py",
        "[core]\n\tpager = less -R | tools/show.py",
        "[core]\n\thooksPath = tools/hooks",
        "[pager]\n\tlog = ./tools/show.py",
        "[gpg]\n\tprogram = tools/show.py",
        "[gpg \"ssh\"]\n\tdefaultKeyCommand = tools/show.py",
        "[credential]\n\thelper = !tools/show.py",
        "[core]\n\tsshCommand = too\\\nls/show.py",
        "[hook \"new\"]\n\tcommand = tools/show.py",
        "[future]\n\trunsSomething = tools/show.py",
        "[include]\n\tpath = ../tools/more.cfg\n[include]\n\tpath = ../more.cfg",
        "[log]\n\tshowSignature",
        "[format]\n\tpretty = %h %G? %s",
        "[pretty]\n\tmine = format:%GK",
        "[tag]\n\tsort = signature:grade",
    ] {
        let scratch = with_config(config);
        scratch.write("repo/more.cfg", "[diff]\n\texternal = /usr/bin/true --of-the-tree\n");
        assert!(obeys(&scratch).distrusted("").is_some(), "{config}");
        assert!(obeys(&scratch).distrusted("tools").is_some(), "{config}");
    }
}

// A4, threat F6: a command that runs files of the tree without naming them.
#[test]
fn a_command_that_hides_what_it_runs_ends_the_belief_in_reading() {
    let scratch = with_config("");
    let file = scratch.path("repo/.git/config");
    for command in [
        "make -s show #",
        "/usr/bin/make",
        "npm run -s show",
        "npx show",
        "yarn -s show",
        "pnpm show",
        "just show",
        "cargo run -q --",
        "cd tools && ./show",
        "cd tools; ./show",
        "(cd tools\\n./show)",
        "env -C tools ./show",
        "env make",
        "exec make",
        "PATH=tools:$PATH show",
        "T=tools; $T/show",
        "$T/show",
        "tools/sh*",
        "`echo tools/sh`ow",
        "sh -c 'cd tools && ./show'",
        "sh -c \\\"make show\\\"",
        "bash -ec 'cat; make'",
        "sh",
        "sh -s",
        "python3",
        "python3 -",
        "perl -w",
        "sh \\\"$1\\\"",
        "cat | sh",
        "strings | xargs make",
        ". tools/gone",
        "f() { make; }; f",
        "cat 'tools",
        "cat || make",
        "cat && $T/show",
        "T=tools && sh $T/show",
        "cat & make",
        "cat # more\\nmake",
        "ma\\\\\\nke show",
        "bash -o errexit -c 'make show'",
        "bash -c -e 'make show'",
        "perl -Itools -MShow -e1",
        "ruby -rjson",
    ] {
        for key in
            ["diff \"x\"]\n\ttextconv", "filter \"y\"]\n\tclean", "core]\n\tfsmonitor", "pager]\n\tlog"]
        {
            fs::write(&file, format!("[{key} = \"{command}\"")).unwrap();
            let why = obeys(&scratch).distrusted("").unwrap_or_default();
            assert!(why.contains("does not name"), "{key} = {command}: {why}");
        }
    }
}

/// Commands that find a file of the tree by less than its name, with the file.
const LESS_THAN_A_NAME: &[(&str, &str)] = &[
    ("node tools/conv", "tools/conv.js"),
    ("node ./tools/conv", "tools/conv.js"),
    ("node tools/conv --fast", "tools/conv.cjs"),
    ("node tools/dirjs", "tools/dirjs/index.js"),
    ("nice node tools/dirjs/", "tools/dirjs/lib/main.js"),
    ("sh -c 'node tools/conv'", "tools/conv.js"),
    ("node .", "index.js"),
    ("node ./ -x", "package.json"),
    ("python3 .", "__main__.py"),
    ("python3 tools/mod", "tools/mod/__main__.py"),
    ("python3.12 -m tools.mod", "tools/mod/__main__.py"),
    ("python3 -mtools.mod", "tools/mod.py"),
    ("node -r ./tools/conv -e 0", "tools/conv.js"),
    ("node -r ./tools/conv /usr/share/show.js", "tools/conv.js"),
    ("node --require=./tools/conv -e 0", "tools/conv.js"),
    ("node --require ./tools/conv -e 0", "tools/conv.js"),
    ("node -r hook/register -e 0", "node_modules/hook/register.js"),
    ("node --import hook -e 0", "node_modules/hook/index.mjs"),
    ("ruby -r./tools/rr1 -e 0", "tools/rr1.rb"),
    ("perl -Mlib=kit -MX -e1", "kit/X.pm"),
    ("lua -l tools.mod -e 0", "tools/mod.lua"),
    ("java -cp kit X", "kit/X.class"),
    ("java -cp /usr/share/java/a.jar:kit X", "kit/X.class"),
    ("java -cp 'kit/*' X", "kit/x.jar"),
    ("java tools.X", "tools/X.class"),
    ("gawk -f conv", "conv.awk"),
    ("emacs --batch -l tools/conv", "tools/conv.el"),
    ("pandoc --data-dir=tools/pandoc", "tools/pandoc/filters/x.lua"),
];

// A4: node, Python and the like complete a name, take a folder, or look a module up.
#[test]
fn a_program_that_is_named_without_its_ending_or_as_a_folder_is_seen() {
    let beside_the_name = |command: &str, file: &str| {
        let scratch =
            with_config(&format!("[diff \"x\"]\n\ttextconv = \"{command}\"\n[pager]\n\tlog = {command}\n"));
        assert_eq!(obeys(&scratch).distrusted(""), None, "{command}: nothing is there");
        assert!(obeys(&scratch).runs(&path(file)), "{command}: a new {file}");
        scratch.write(&format!("repo/{file}"), "");
        let why = obeys(&scratch).distrusted("").unwrap_or_default();
        assert!(why.contains("does not name"), "{command}: {why}");
        assert!(obeys(&scratch).runs(&path(file)), "{command}: {file}");
        assert!(!obeys(&scratch).runs(&path("src/other.js")), "{command}");
    };
    for (command, file) in LESS_THAN_A_NAME {
        beside_the_name(command, file);
    }
}

// A4: refusing honest work is a fault too.
#[test]
fn what_stands_beside_a_file_that_is_named_whole_is_ordinary() {
    let scratch = with_config("[alias]\n\tshow = !node tools/show.py\n\tfmt = !tools/clean.sh src\n");
    scratch.write("repo/tools/show.py.md", "");
    for file in ["tools/show.py.md", "tools/show.pyc", "tools/show.js", "src.js", "srcs/a.js"] {
        assert!(!obeys(&scratch).runs(&path(file)), "{file}");
    }
    assert_eq!(obeys(&scratch).distrusted(""), None);
}

// A4
#[cfg(unix)]
#[test]
fn a_new_file_behind_a_link_is_known_by_its_own_name() {
    let scratch = with_config("[alias]\n\tshow = !node link/conv\n");
    std::os::unix::fs::symlink("tools", scratch.path("repo/link")).unwrap();
    assert!(obeys(&scratch).runs(&path("tools/conv.js")));
}

// A4: refusing honest work is a fault too.
#[test]
fn common_commands_of_the_machine_are_believed() {
    let scratch = with_config("");
    let file = scratch.path("repo/.git/config");
    for command in [
        "exiftool",
        "pdftotext -layout \\\"$1\\\" -",
        "cat",
        "strings",
        "antiword",
        "jq .",
        "jq --sort-keys .",
        "git-crypt diff",
        "git-lfs clean -- %f",
        "\\\"/usr/bin/git-crypt\\\" clean",
        "sh -c 'pdftotext -layout \\\"$0\\\" -'",
        "bash -c 'strings \\\"$1\\\" | sort' -",
        "sed -e 's/a;b/c/'",
        "unzip -c -a",
        "openssl x509 -noout -text -in",
        "pandoc --to=plain 2>/dev/null",
        "python3 -m nbstripout -t",
        "perl -pe 's/a/b/'",
        "perl /usr/share/doc/git/contrib/diff-highlight/diff-highlight | less",
        "diff-so-fancy | less --tabs=4 -RFX",
        "LESS=FRX less 2>&1",
        "LC_ALL=C sort",
        "command -v delta >/dev/null && delta || less -R",
        "~/bin/show",
        "$HOME/bin/show --fast",
        "tools/gone.py",
        "nice cat",
        "node tools/gone",
        "node /usr/share/show -r x",
        "java -jar /usr/share/java/tika.jar --text",
        "java -Xmx1g -cp /usr/share/java/a.jar:/usr/share/java/b.jar org.example.Show",
        "pandoc --data-dir=/usr/share/pandoc",
        "delta --features tools",
        "grep -v tools",
        "awk '{ print $1 }'",
        "ruby -rjson -e 'puts 1'",
        "php -r 'echo 1;'",
    ] {
        fs::write(
            &file,
            format!("[diff \"x\"]\n\ttextconv = \"{command}\"\n[pager]\n\tlog = \"{command}\"\n"),
        )
        .unwrap();
        let listed = scratch.git("repo", &["config", "--list"]);
        assert_eq!(obeys(&scratch).distrusted(""), None, "{command}: {listed}");
    }
    let config = "[credential]\n\thelper = \"!f() { echo password=x; }; f\"\n[core]\n\teditor = make edit\n[diff]\n\trenames = copies\n";
    assert_eq!(obeys(&with_config(config)).distrusted(""), None);
}

// A4: refusing honest work is a fault too.
#[test]
fn programs_of_the_machine_and_names_of_data_are_the_persons_own() {
    for config in [
        "",
        "[core]\n\tpager = delta --dark\n\teditor = vim\n\tfsmonitor = true\n\texcludesFile = tools/show.py",
        "[filter \"lfs\"]\n\tclean = git-lfs clean -- %f\n\tsmudge = git-lfs smudge -- %f\n\tprocess = git-lfs filter-process\n\trequired = true",
        "[diff]\n\texternal = /usr/bin/difft --color always\n\torderFile = tools/show.py",
        "[diff \"pdf\"]\n\ttextconv = \"sh -c 'pdftotext -layout \\\"$0\\\" -'\"",
        "[blame]\n\tignoreRevsFile = tools/show.py",
        "[alias]\n\tfmt = !tools/show.py\n\tst = status -sb",
        "[core]\n\teditor = tools/show.py",
        "[merge \"ours\"]\n\tdriver = tools/show.py %O",
        "[core]\n\thooksPath = tools",
        "[diff \"x\"]\n\ttextconv = tools/gone.py",
        "[core]\n\tfsmonitor = .git/hooks/fsmonitor-watchman",
        "[remote \"o\"]\n\turl = tools/show.py\n[branch \"tools/show.py\"]\n\tmerge = refs/heads/tools/show.py",
        "[format]\n\tpretty = %h %s\n[log]\n\tshowSignature = false\n[user]\n\tname = tools/show.py",
        "# comment ; more\n; [core] fsmonitor = tools/show.py\n",
    ] {
        assert_eq!(obeys(&with_config(config)).distrusted(""), None, "{config}");
    }
}

// A4
#[test]
fn a_persons_own_configuration_counts_as_well() {
    let scratch = with_config("");
    assert_eq!(obeys(&scratch).distrusted(""), None);
    scratch.write("home/.gitconfig", "[include]\n\tpath = ~/more.cfg\n");
    scratch.write("home/more.cfg", "[includeIf \"gitdir:/nowhere\"]\n\tpath = last.cfg\n");
    scratch.write("home/last.cfg", "[diff]\n\texternal = tools/show.py\n");
    assert!(obeys(&scratch).distrusted("").unwrap().contains("`diff.external`"));
    assert!(obeys(&scratch).runs(&path("tools/show.py")));
}

// A4, A5, D-02
#[test]
fn what_git_runs_now_or_later_is_named_whether_it_is_there_or_not() {
    let config = "[diff \"x\"]\n\ttextconv = tools/gone.py\n[alias]\n\tfmt = !sh tools/show.py\n[core]\n\thooksPath = my/hooks\n\
        \teditor = ./tools/clean.sh\n[include]\n\tpath = ../more.cfg\n";
    let scratch = with_config(config);
    for file in
        ["tools/gone.py", "tools/show.py", "Tools/Show.py", "my/hooks/pre-push", "tools/clean.sh", "more.cfg"]
    {
        scratch.write("repo/more.cfg", "[core]\n\tautocrlf = false\n");
        assert!(obeys(&scratch).runs(&path(file)), "{file}");
    }
    for file in ["a.txt", "tools/other.py", "my/hooks2/x", "tools/show.py.bak"] {
        assert!(!obeys(&scratch).runs(&path(file)), "{file}");
    }
    scratch.write("repo/.git/config", "[core\n");
    assert!(obeys(&scratch).runs(&path("a.txt")), "what cannot be read may name anything");
    assert!(obeys(&scratch).distrusted("").is_some());
}

// A3, threat F6
#[test]
fn a_repository_that_is_not_the_governed_one_names_no_program_at_all() {
    let scratch = with_config("");
    scratch.git(".", &["init", "-q", "repo/sub"]);
    scratch.write("repo/sub/deep/x", "");
    assert_eq!(obeys(&scratch).distrusted("sub/deep"), None);
    scratch.git("repo/sub", &["config", "core.fsmonitor", "evil --now"]);
    for folder in ["sub", "sub/deep", "sub/not/there"] {
        assert!(obeys(&scratch).distrusted(folder).unwrap().contains("settings of its own"), "{folder}");
    }
    assert_eq!(obeys(&scratch).distrusted("tools"), None);
    scratch.git(".", &["init", "-q", "--separate-git-dir", "repo/kept", "repo/other"]);
    assert_eq!(obeys(&scratch).distrusted("other"), None);
    scratch.git("repo/other", &["config", "diff.external", "evil"]);
    assert!(obeys(&scratch).distrusted("other").is_some());
}

// A3, threat F6: this was a test of the gate with files in memory, which asked for `HEAD` alone.
#[test]
fn a_folder_that_looks_like_a_repository_is_not_believed() {
    let scratch = with_config("");
    assert_eq!(obeys(&scratch).distrusted("kit/sub"), None);
    scratch.write("repo/kit/HEAD", "ref: refs/heads/main\n");
    for folder in ["kit/sub", "kit"] {
        let why = obeys(&scratch).distrusted(folder).unwrap();
        assert!(why.contains("a repository with settings of its own"), "{why}");
    }
    assert_eq!(obeys(&scratch).distrusted("tools"), None);
    let without = GitObeys::new(scratch.path("."), None, None);
    scratch.git(".", &["init", "-q", "--bare", "bare.git"]);
    assert!(without.distrusted("bare.git").is_some());
    assert_eq!(without.distrusted("nothing"), None);
}

// A4
#[test]
fn submodules_are_looked_at_too() {
    let scratch = with_config("");
    scratch
        .write("repo/.git/modules/a/config", "[core]\n\tworktree = ../../../a\n[remote \"o\"]\n\turl = x\n");
    scratch.write("repo/.git/modules/a/modules/b/config", "[core]\n\tbare = false\n");
    assert_eq!(obeys(&scratch).distrusted(""), None);
    scratch.write("repo/.git/modules/a/modules/b/config", "[core]\n\tfsmonitor = anything\n");
    assert!(obeys(&scratch).distrusted("").is_some());
}

/// Makes a hook of a repository that git would run.
fn hook(scratch: &Scratch, file: &str) {
    scratch.write(file, "#!/bin/sh\ntouch ran\n");
}

// A3, threat F6
#[test]
fn a_nested_repository_runs_no_hook_when_it_is_read() {
    let scratch = with_config("");
    scratch.git(".", &["clone", "-q", "repo", "repo/vendor/a"]);
    for tame in ["post-index-change.sample", "pre-commit", "post-checkout"] {
        hook(&scratch, &format!("repo/vendor/a/.git/hooks/{tame}"));
    }
    assert_eq!(obeys(&scratch).distrusted("vendor/a"), None);
    hook(&scratch, "repo/vendor/a/.git/hooks/post-index-change");
    let why = obeys(&scratch).distrusted("vendor/a").unwrap();
    assert!(why.contains("post-index-change"), "{why}");
    assert_eq!(obeys(&scratch).distrusted(""), None);
}

/// Makes the repository `repo/vendor/a`, whose configuration names a program, and looks at it after a change.
fn nested_after(change: impl Fn(&Scratch)) -> Option<String> {
    let scratch = with_config("");
    scratch.git(".", &["clone", "-q", "repo", "repo/vendor/a"]);
    scratch.git("repo/vendor/a", &["config", "core.fsmonitor", "evil"]);
    change(&scratch);
    obeys(&scratch).distrusted("vendor/a")
}

// A3, threat F6: git reads all of these, or passes over them.
#[test]
fn a_repository_that_is_there_and_not_understood_is_not_passed_over() {
    let far = "\n".repeat(70_000);
    let large_file = nested_after(|scratch| {
        let git_dir = scratch.path("repo/vendor/kept");
        fs::rename(scratch.path("repo/vendor/a/.git"), &git_dir).unwrap();
        scratch.write("repo/vendor/a/.git", format!("gitdir: {}{far}", git_dir.display()));
        scratch.git("repo/vendor/a", &["rev-parse", "--show-toplevel"]);
    });
    let large_commondir = nested_after(|scratch| {
        scratch.write("repo/vendor/a/.git/commondir", format!(".{far}"));
    });
    let odd_refs = nested_after(|scratch| {
        fs::rename(scratch.path("repo/vendor/a/.git/refs"), scratch.path("repo/refs")).unwrap();
        scratch.write("repo/vendor/a/.git/refs", "");
    });
    for why in [large_file, large_commondir, odd_refs] {
        assert!(why.as_ref().is_some_and(|why| why.contains("is not understood")), "{why:?}");
    }
}

// A4: refusing honest work is a fault too. Sandboxes leave such placeholders.
#[test]
fn a_git_folder_without_anything_in_it_is_passed_over() {
    let scratch = with_config("");
    fs::create_dir_all(scratch.path("repo/tools/.git")).unwrap();
    assert_eq!(scratch.git("repo/tools", &["rev-parse", "--show-prefix"]), "tools/");
    assert_eq!(obeys(&scratch).distrusted("tools"), None);
}

// A4, threat F6: git goes on upwards where `HEAD` is nonsense.
#[test]
fn a_nested_repository_does_not_hide_what_the_governed_one_runs() {
    let scratch = with_config("[diff]\n\texternal = tools/show.py\n");
    scratch.git(".", &["clone", "-q", "repo", "repo/vendor/a"]);
    scratch.write("repo/vendor/a/.git/HEAD", "nonsense\n");
    assert!(obeys(&scratch).distrusted("vendor/a").is_some());
    let scratch = with_config("");
    scratch.git(".", &["clone", "-q", "repo", "repo/vendor/a"]);
    scratch.write("repo/vendor/a/HEAD", "ref: refs/heads/main\n");
    assert!(obeys(&scratch).distrusted("vendor/a").is_some());
}

/// Looks at the clone `repo/vendor/a` with these settings of its own.
fn nested_with(config: &str) -> Option<String> {
    let scratch = with_config("");
    scratch.write("home/secret", "");
    scratch.write("repo/elsewhere/b.txt", "");
    scratch.git(".", &["clone", "-q", "repo", "repo/vendor/a"]);
    let file = scratch.path("repo/vendor/a/.git/config");
    let before = fs::read_to_string(&file).unwrap();
    let home = scratch.path("home").display().to_string();
    fs::write(file, format!("{before}\n{}", config.replace("HOME", &home))).unwrap();
    obeys(&scratch).distrusted("vendor/a")
}

// A3, threat F6
#[test]
fn a_nested_repository_does_not_make_git_start_helpers_or_show_other_files() {
    for config in [
        "[remote \"o\"]\n\tpromisor = true\n\turl = ext::sh -c evil",
        "[remote \"o\"]\n\tpromisor = true\n\turl = \"fd::7\"",
        "[remote \"ext::sh -c evil\"]\n\tpromisor = true",
        "[url \"ext::sh -c evil \"]\n\tinsteadOf = https://example.org/",
        "[extensions]\n\tpartialClone = ext::sh -c evil",
        "[protocol \"ext\"]\n\tallow = always",
        "[protocol]\n\tallow = user",
        "[core]\n\tworktree = HOME",
        "[core]\n\tworktree = ../../../elsewhere",
        "[blame]\n\tignoreRevsFile = ~/secret",
        "[blame]\n\tignoreRevsFile = HOME/secret",
        "[core]\n\tattributesFile = HOME/secret",
        "[mailmap]\n\tfile = ../../elsewhere/b.txt",
        "[http]\n\tcookieFile = ~/secret",
        "[tar \"x\"]\n\tcommand = evil",
    ] {
        assert!(nested_with(config).is_some(), "{config}");
    }
}

// A4: refusing honest work is a fault too.
#[test]
fn ordinary_settings_of_a_nested_repository_are_believed() {
    for config in [
        "[remote \"o\"]\n\tpromisor = true\n\tpartialclonefilter = blob:none\n\turl = https://[::1]:8080/a.git",
        "[remote \"o\"]\n\turl = git@example.org:a/b.git",
        "[protocol]\n\tversion = 2\n[protocol \"ext\"]\n\tallow = never\n[protocol \"file\"]\n\tallow = always",
        "[core]\n\tworktree = ..",
        "[blame]\n\tignoreRevsFile = .git-blame-ignore-revs",
        "[core]\n\texcludesFile = .git/info/more",
        "[url \"git@example.org:\"]\n\tinsteadOf = https://example.org/",
    ] {
        assert_eq!(nested_with(config), None, "{config}");
    }
}

// A4: the governed repository has what the person set, and not what a file of the tree says.
#[test]
fn files_of_data_that_the_person_set_are_ordinary() {
    let data = "[blame]\n\tignoreRevsFile = ~/revs\n[protocol \"ext\"]\n\tallow = always\n";
    assert_eq!(obeys(&with_config(data)).distrusted(""), None);
    let scratch = with_config("[include]\n\tpath = ../more.cfg\n");
    scratch.write("repo/more.cfg", "[blame]\n\tignoreRevsFile = .revs\n");
    assert_eq!(obeys(&scratch).distrusted(""), None);
    scratch.write("repo/more.cfg", data);
    assert!(obeys(&scratch).distrusted("").unwrap().contains("blame.ignorerevsfile"));
}

// A4, C: `git diff` shows what lies there
#[test]
fn a_working_copy_that_lies_elsewhere_is_not_believed() {
    for (worktree, is_believed) in
        [("/elsewhere", false), ("../..", false), ("~", false), ("..", true), ("../tools", true)]
    {
        let scratch = with_config(&format!("[core]\n\tworktree = {worktree}\n"));
        assert_eq!(obeys(&scratch).distrusted("").is_none(), is_believed, "{worktree}");
    }
}

/// A repository with the submodule `repo/lib/sub`, which has its own `.git` folder.
fn with_submodule() -> Scratch {
    let scratch = with_config("");
    scratch.git(".", &["clone", "-q", "repo", "repo/lib/sub"]);
    scratch.git("repo", &["-c", "advice.addEmbeddedRepo=false", "add", "lib/sub"]);
    scratch
}

// A3, A4, threat F6: git looks into it from the top.
#[test]
fn a_submodule_with_a_git_folder_of_its_own_is_looked_at() {
    let scratch = with_submodule();
    assert_eq!(obeys(&scratch).distrusted(""), None);
    let config = fs::read_to_string(scratch.path("repo/lib/sub/.git/config")).unwrap();
    for more in [
        "[core]\n\tfsmonitor = evil",
        "[core]\n\thooksPath = 1",
        "[core]\n\tworktree = /",
        "[url \"ext::evil \"]\n\tinsteadOf = x",
    ] {
        scratch.write("repo/lib/sub/.git/config", format!("{config}\n{more}"));
        let why = obeys(&scratch).distrusted("").unwrap_or_default();
        assert!(why.contains("the submodule lib/sub is a repository"), "{more}: {why}");
        assert!(obeys(&scratch).distrusted("tools").is_some(), "{more}");
    }
    scratch.write("repo/lib/sub/.git/config", config);
    hook(&scratch, "repo/lib/sub/.git/hooks/post-index-change");
    assert!(obeys(&scratch).distrusted("").is_some());
    fs::remove_dir_all(scratch.path("repo/lib/sub/.git")).unwrap();
    assert_eq!(obeys(&scratch).distrusted(""), None, "a submodule that is not there");
    scratch.write("repo/lib/sub/.git", format!("gitdir: /x{}", "\n".repeat(70_000)));
    assert!(obeys(&scratch).distrusted("").is_some());
}

// A3, A4
#[test]
fn submodules_are_found_in_every_form_of_the_index_and_in_submodules() {
    for form in [
        &["update-index", "--index-version", "4"][..],
        &["update-index", "--split-index"],
        &["rm", "--cached", "-qf", "lib/sub"],
    ] {
        let scratch = with_submodule();
        scratch.write("repo/.gitmodules", "[submodule \"x\"]\n\tpath = lib/sub\n\turl = ../x\n");
        scratch.git("repo", form);
        if form.first() != Some(&"rm") {
            fs::remove_file(scratch.path("repo/.gitmodules")).unwrap();
        }
        assert_eq!(obeys(&scratch).distrusted(""), None, "{form:?}");
        scratch.git("repo/lib/sub", &["config", "core.fsmonitor", "evil"]);
        assert!(obeys(&scratch).distrusted("").is_some(), "{form:?}");
    }
    let scratch = with_submodule();
    scratch.git(".", &["clone", "-q", "repo", "repo/lib/sub/deep"]);
    scratch.git("repo/lib/sub", &["-c", "advice.addEmbeddedRepo=false", "add", "deep"]);
    assert_eq!(obeys(&scratch).distrusted(""), None);
    scratch.git("repo/lib/sub/deep", &["config", "diff.external", "evil"]);
    assert!(obeys(&scratch).distrusted("").is_some());
}

// A4: a repository without an index has no submodules, and one whose index is not understood may have any.
#[test]
fn an_index_that_is_not_understood_may_have_submodules() {
    let scratch = with_config("");
    scratch.write("repo/.git/index", "DIRC and more");
    assert!(obeys(&scratch).distrusted("").is_some());
    fs::remove_file(scratch.path("repo/.git/index")).unwrap();
    assert_eq!(obeys(&scratch).distrusted(""), None);
}

// A4: refusing honest work is a fault too.
#[test]
fn a_plain_clone_a_working_copy_and_a_submodule_are_read_as_before() {
    let scratch =
        with_config("[filter \"lfs\"]\n\tprocess = git-lfs filter-process\n\tclean = git-lfs clean -- %f\n");
    hook(&scratch, "repo/.git/hooks/post-index-change");
    scratch.git(".", &["clone", "-q", "repo", "repo/vendor/a"]);
    scratch.git(".", &["clone", "-q", "repo", "lib"]);
    scratch.git("repo", &["submodule", "--quiet", "add", "../lib", "lib/sub"]);
    for folder in ["", "tools", "vendor/a", "lib/sub"] {
        assert_eq!(obeys(&scratch).distrusted(folder), None, "{folder}");
    }
    scratch.git("repo", &["config", "--remove-section", "filter.lfs"]);
    scratch.git("repo", &["config", "core.worktree", "../."]);
    scratch.git("repo", &["worktree", "add", "-q", ".trees/one"]);
    assert_eq!(obeys(&scratch).distrusted(".trees/one"), None, "the hooks and settings are its own");
}

// A5
#[test]
fn modes_count_unless_git_found_that_they_mean_nothing() {
    let scratch = with_config("");
    assert!(obeys(&scratch).heeds_modes());
    scratch.git("repo", &["config", "core.fileMode", "false"]);
    assert!(!obeys(&scratch).heeds_modes());
}

/// Every file with all its settings is read as `git config --list` reads it.
#[test]
fn settings_are_read_as_git_reads_them() {
    for (text, fsmonitor) in [
        ("[core]\n\tfsmonitor = tools/show.py # a comment\n", true),
        ("[core]\r\n\tfsmonitor = tools/show.py\r\n", true),
        ("[CORE]\n\tFSMonitor=\"tools/show.py\"\n", true),
        ("[core]\n\tfsmonitor = \"tools/\"show.py;x\n", true),
        ("[core]\n\tfsmonitor = tools/\\\n\\\nshow.py", true),
        ("[core]\n\tfsmonitor = \"a \\\"tools/show.py\\\" b\"\n", true),
        ("[core] [user] [core] fsmonitor = tools/show.py", true),
        ("[core]\n\tfsmonitor\n", false),
        ("[core \"x\"]\n\tpath = x#tools/show.py\n", false),
    ] {
        let scratch = with_config(text);
        let listed = scratch.git("repo", &["config", "--list"]);
        assert_eq!(listed.to_lowercase().contains("tools/show.py"), fsmonitor, "{text}: {listed}");
        assert_eq!(obeys(&scratch).distrusted("").is_some(), fsmonitor, "{text}");
    }
}
