//! `xargs` behind commands that name files: which files it gets, and what it may run on them.

use bailiwick_domain::{CommandReader, CommandReading, ReadOnly};

use crate::cases::table;

fn read(line: &str) -> ReadOnly {
    match table().read(line) {
        CommandReading::ReadOnly(reading) => reading,
        other => panic!("{line}: {other:?}"),
    }
}

// K-16: what a reader gets by `xargs` are files below the folders of the command before it
#[test]
fn a_reader_may_get_the_files_that_another_command_names() {
    for (line, below, without) in [
        ("find src -name '*.rs' | xargs wc -l", "src", ""),
        ("find . -type f -name '*.rs' -not -path '*/target/*' | xargs grep -n foo", ".", "target"),
        ("find . -type f -name '*.ts' ! -path './dist/*' | sort | head -20 | xargs head -5", ".", "./dist"),
        ("find src -type f -name '*.ts' | grep -v node_modules | xargs -n1 grep -l foo", "src", ""),
        ("find -type f -name '*.py' -not -path './.venv/*' | xargs -I {} sed -n '1,5p' {}", ".", "./.venv"),
        ("find src -type f -name '*.py' | xargs -P4 -n 2 wc -l 2>&1 | tail -1", "src", ""),
        ("find src -name '*.rs' -not -path '*/out/*' | xargs -I% wc %", "src", "out"),
    ] {
        let [listed] = &read(line).listed[..] else { panic!("{line}") };
        assert_eq!(
            (listed.below.join(" "), listed.without.join(" ")),
            (below.into(), without.into()),
            "{line}"
        );
    }
    for line in
        ["find a b | xargs -I{} basename {}", "grep -rl x src | xargs -n1 dirname", "ls *.rs | xargs echo"]
    {
        assert!(read(line).listed.is_empty(), "{line}");
    }
    assert!(read("find src -type f -name '*.rs' -print0 | xargs -0 grep -n foo").listed.is_empty());
    let shown = read("find src -type f -name '*.rs' | xargs cat");
    assert_eq!((shown.names, shown.starts.searcher), (vec!["*.rs".to_owned()], true));
    assert!(shown.reads.contains(&"src".to_owned()) && shown.shows.is_empty());
    let counted = read("find src -name '*.rs' | xargs wc -l");
    assert!(counted.looks.paths.contains(&"src".to_owned()));
}

// K-16
#[test]
fn what_may_get_other_files_or_do_more_is_not_read() {
    for line in [
        "xargs cat",
        "ls | xargs cat",
        "cat list | xargs cat",
        "echo /etc/passwd | xargs cat",
        "xargs cat < list",
        "find src | xargs cat < list",
        "find src -type f -name '*.rs' | sort < list | xargs cat",
        "find src -type f -name '*.rs' | head -n 5 < list | xargs cat",
        "find src -type f -newermt 'a /etc/passwd b' 2>&1 | xargs wc",
        "find src -type f -name '*.rs' 2>&1 | sort | xargs cat",
        "find src -name '*.rs' | xargs cat",
        "find src -name '*.rs' | xargs ls",
        "find src -type f -name a -exec cat {} + | xargs cat",
        "find src -type f -exec wc -l {} + | xargs ls",
        "find . -print -type f -name '*.rs' | grep '[.]en' | xargs cat",
        "find . ! -print -type f -name zz | xargs cat",
        "find . -print0 -type f -name '*.rs' | xargs -0 cat",
        "find . -type f \\( -name zz -o -type f \\) | grep '[.]en' | xargs cat",
        "find . \\( -name '*.rs' -o -name '*.md' \\) | xargs wc -l",
        "find . -type f -name '!' -path '*/target/*' | xargs cat",
        "find . -type f ! -type f | xargs cat",
        "find . -type f -not -path '*/./target/*' | xargs cat",
        "find src -type f -not -path './out/*' | xargs cat",
        "find src -type f | xargs -I F -n 2 cat F",
        "find src -type f | xargs -n1 -I{} cat {}",
        "find src -type f | xargs -I{} -I% cat %",
        "find src -type f | xargs rm",
        "find src -type f | xargs sed -i s/a/b/",
        "find src -type f | xargs sh -c x",
        "find src -type f | xargs git log",
        "find src -type f | xargs env cat",
        "find src -type f -printf '/etc/%f' | xargs cat",
        "find src -type f -ls | xargs wc",
        "find src -type f -print0 | xargs wc",
        "find src -type f | xargs -0 wc",
        "find src -type f | sed 's,^,/etc/,' | xargs wc",
        "find src -type f | cut -c2- | xargs wc",
        "find src -type f | sort -o x | xargs wc",
        "find src -type f | grep -o 'a.*' | xargs wc",
        "find src -type f | grep -n a | xargs wc",
        "find . -type f | grep 'en[v]$' | xargs cat",
        "find . -type f -name '*' | grep env | xargs cat",
        "find . -type f | sort | head -n 1 | xargs cat",
        "find . -type f ! ! -path '*/target/*' | xargs wc -l",
        "find . -type f ! \\( ! -path '*/target/*' \\) | xargs wc -l",
        "find . -type f -newer ! -path '*/target/*' | xargs wc -l",
        "find . -name '*.rs' -o -name '.env' -type f | xargs cat",
        "find . -type f -name '.en[v]' | xargs cat",
        "find -L . -type f | xargs cat",
        "git ls-files | xargs cat",
        "git ls-files '*.rs' | xargs wc -l",
        "git ls-files -z | xargs -0 tree",
        "git diff --name-only | xargs cat",
        "grep -r foo src | xargs cat",
        "grep -rl foo src | xargs cat",
        "rg -rl zzz src/b.txt | xargs cat",
        "rg -l '/etc/hostname (' src 2>&1 | xargs cat",
        "rg -l foo | xargs strings",
        "find src -type f | xargs -a list cat",
        "find src -type f | xargs --arg-file=list cat",
        "find src -type f | xargs -d x cat",
        "find src -type f | xargs -I x cat x",
        "find src -type f | xargs -I {} cat {} {}",
        "find src -type f | xargs -I {} cat a{}",
        "find src -type f | xargs -I {} cat {}/../../x",
        "find src -type f | xargs -I {} sed {} a",
        "find src -type f | xargs -p cat",
        "find src -type f | xargs -t cat",
        "find src -type f | xargs -o cat",
        "find src -type f | xargs",
        "find src -type f | xargs -n cat",
        "find src -type f | xargs 'cat' *.rs",
        "find src -type f | xargs grep -f",
        "find 'a b' -type f | xargs cat",
        "find {a,b} -type f | xargs cat",
        "for d in a b; do find $d -type f | xargs cat; done",
        "(find a -type f) | xargs cat",
        "(find b -type f; find a -type f) | xargs cat",
        "find src -type f; xargs cat",
        "find src -type f && ls | xargs cat",
        "find src -type f | xargs cat | xargs cat",
        "find src -type f | xargs grep -l foo | xargs cat",
    ] {
        let reading = table().read(line);
        assert!(matches!(reading, CommandReading::Unproved { .. }), "{line}: {reading:?}");
    }
}
