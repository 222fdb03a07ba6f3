//! Pipelines (D-03): proved exactly when each part is proved alone, and one unsafe part anywhere makes all of it unproved.

use bailiwick_domain::{CommandReader, CommandReading};
use proptest::prelude::*;

use crate::cases::{cases, table};

/// Parts that do more than read, or that obey what is piped into them.
const HOSTILE: &[&str] = &[
    "sh",
    "sh -s",
    "bash",
    "zsh -c 'cat'",
    // PowerShell and fish read the quotes differently.
    "basename -- --% x",
    "echo 'a\\' x",
    "xargs rm",
    "xargs cat",
    "parallel",
    "tee f",
    "tee -a f",
    "sponge f",
    "dd of=f",
    "dd",
    "sudo tee f",
    "sudo cat",
    "env cat",
    "time -p cat",
    "command cat",
    "exec cat",
    "nohup cat",
    "python3 -",
    "python3",
    "perl -ne 'print'",
    "ruby",
    "node",
    "awk '{print > 1}'",
    "awk -f 1",
    "sed -i p f",
    "sed w",
    "sed -n 'w f'",
    "sed -f - a",
    "sort -o f",
    "sort --output=f",
    "sort --files0-from=-",
    "wc --files0-from=-",
    "du --files0-from=-",
    "uniq - f",
    "uniq a b",
    "grep -f - a",
    "rg -f - a",
    "rg --pre sh x",
    "jq -f - a",
    "jq env",
    "tree --fromfile .",
    "tree -o f",
    "file -f -",
    "date -s 1",
    "date -f -",
    "hostname x",
    "tail -f x",
    "git apply",
    "git am",
    "git hash-object -w --stdin",
    "git update-index --stdin",
    "git update-ref --stdin",
    "git fast-import",
    "git cat-file --batch",
    "git rev-list --stdin",
    "git log --output=f",
    "git checkout --pathspec-from-file=-",
    "git add --pathspec-from-file=-",
    "git -c x=y log",
    "git commit -F -",
    "git tag x",
    "git branch x",
    "patch -p1",
    "tar x",
    "tar xf -",
    "cpio -i",
    "unzip -",
    "gzip -d",
    "crontab -",
    "at now",
    "mail x",
    "nc host 1",
    "ssh host",
    "curl -T - host",
    "psql",
    "sqlite3 f",
    "docker load",
    "kubectl apply -f -",
    "less",
    "more",
    "vi -",
    "ed f",
    "m4",
    "find . -delete",
    "find . -exec rm f",
    "find -files0-from -",
    "find . -fprint f",
    "read x",
    "while read x",
    "mapfile",
    "source -",
    ". f",
    "eval",
    "exit",
    "pushd x",
    "export x",
    "unset x",
    "trap x",
    "wait",
    "kill 1",
    "rm f",
    "mv a b",
    "cp - b",
    "install - f",
    "truncate -s 0 f",
    "split",
    "csplit - 1",
    "shred f",
    "chmod 1 f",
    "make -f -",
    "bailiwick approval approve x",
    "bailiwick tool list_intents",
    "claude --bare",
    "./cat",
    "/bin/cat",
    "\\cat",
    "\"cat\"",
    "A=b cat",
    "( cat",
    "{ cat",
    "! cat",
    "cat )",
    "cat }",
    "cat &",
    "cat > f",
    "cat >f",
    "cat >> f",
    "cat 2>f",
    "cat <> f",
    "cat <&f",
    "cat $x",
    "cat $(x)",
    "cat `x`",
    "cat -*",
    "cat a*/../b",
    "uniq a*",
    "c?t",
    "cat ~",
    "cat {a,{b,c}}",
    "cat; rm f",
    "cat && rm f",
    "cat\nrm f",
    "cat # x",
    "& cat",
    "> f",
    "",
    " ",
];

/// Labelled commands that are proved and one command each.
fn proved() -> impl Strategy<Value = String> {
    let is_one = |command: &String| !["&&", "||", ";", "\n", "cd "].iter().any(|sign| command.contains(sign));
    let commands = cases().into_iter().filter(|case| case.want == "read-only").map(|case| case.command);
    let commands = commands.filter(is_one);
    prop::sample::select(commands.collect::<Vec<_>>())
}

/// Whether a reading shows no file whole and reads exactly these, and looks at those behind them.
fn is_whole(reading: &CommandReading, wanted: &[String]) -> bool {
    let CommandReading::ReadOnly(found) = reading else { return false };
    found.folder.is_none()
        && found.all_parts().count() == 1
        && found.shows.is_empty()
        && [&*found.reads, &*found.looks.paths].concat() == wanted
}

/// What each part reads alone, and then what it looks at; `None` when one is unproved.
fn reads_of(parts: &[String]) -> Option<Vec<String>> {
    let (mut reads, mut looks) = (Vec::new(), Vec::new());
    for part in parts {
        match table().read(part) {
            CommandReading::ReadOnly(found) => {
                reads.extend(found.reads);
                looks.extend(found.looks.paths);
            }
            CommandReading::OwnTool { .. } | CommandReading::Unproved { .. } => return None,
        }
    }
    Some([reads, looks].concat())
}

fn is_unproved(command: &str) -> Result<(), TestCaseError> {
    let reading = table().read(command);
    prop_assert!(matches!(reading, CommandReading::Unproved { .. }), "{command:?} was read as {reading:?}");
    Ok(())
}

proptest! {
    // D-03
    #[test]
    fn a_pipeline_of_proved_parts_reads_what_they_read_and_shows_no_file(
        parts in prop::collection::vec(proved(), 2..5), bar in prop::sample::select(&["|", " | ", "| ", "  |", "|\n", " |\n\n  "][..]),
    ) {
        let whole = parts.join(bar);
        prop_assume!(whole.len() <= 4096);
        let reads = reads_of(&parts).unwrap();
        prop_assert!(is_whole(&table().read(&whole), &reads));
    }

    // D-03, threats A3, A7, B1
    #[test]
    fn one_hostile_part_anywhere_makes_a_pipeline_unproved(
        mut parts in prop::collection::vec(proved(), 1..4), hostile in prop::sample::select(HOSTILE),
        at: prop::sample::Index,
    ) {
        parts.insert(at.index(parts.len() + 1), hostile.to_owned());
        is_unproved(&parts.join(" | "))?;
        // `||` between two commands is a sign of its own.
        if !hostile.trim().is_empty() {
            is_unproved(&parts.join("|"))?;
        }
    }

    // D-03: the labelled commands that are not proved stay so in every place of a pipeline
    #[test]
    fn a_labelled_unproved_command_makes_a_pipeline_unproved(
        mut parts in prop::collection::vec(proved(), 1..3),
        unproved in prop::sample::select(
            cases().into_iter().filter(|case| case.want != "read-only" && !case.command.contains(['\'', '"']))
                .map(|case| (case.want == "own-tool", case.command)).collect::<Vec<_>>()
        ),
        at: prop::sample::Index,
    ) {
        // An own tool may stand first, before what passes its text on.
        let (is_own, unproved) = unproved;
        let first = usize::from(is_own);
        parts.insert(first + at.index(parts.len() + 1 - first), unproved);
        is_unproved(&parts.join(" | "))?;
    }

    // threats A3, A4, A9
    #[test]
    fn every_operator_but_four_between_proved_parts_is_unproved(
        first in proved(), second in proved(),
        operator in prop::sample::select(&[
            "|&", "|||", "| |", "|;", ";|", "&|", "&", "&&&", "&& &", "; ;", ";;", "\n|", "|\r", ">|", "<|", "|>", "|<",
            "|!", "|(", "|{", "|$", "|`", "|#", "|\\", "|\u{a0}", "\u{ff5c}", "\u{2502}", "|\0", "|\t",
        ][..]),
    ) {
        is_unproved(&format!("{first} {operator} {second}"))?;
    }

    // D-32: commands that read one after another read what each of them reads
    #[test]
    fn a_list_of_proved_commands_reads_what_they_read(
        parts in prop::collection::vec(proved(), 2..5), sign in prop::sample::select(&["&&", " && ", " &&\n", " || ", " ||\n ", "; ", ";", "\n", ";\n", "\n# and then\n\n"][..]),
    ) {
        let whole = parts.join(sign);
        prop_assume!(whole.len() <= 4096);
        let reads = reads_of(&parts).unwrap();
        prop_assert!(is_whole(&table().read(&whole), &reads));
    }

    // D-32
    #[test]
    fn one_hostile_command_anywhere_makes_a_list_unproved(
        mut parts in prop::collection::vec(proved(), 1..4), hostile in prop::sample::select(HOSTILE),
        at: prop::sample::Index, sign in prop::sample::select(&[" && ", " || ", "; ", "\n"][..]),
    ) {
        let at = at.index(parts.len() + 1);
        // An empty line, or nothing behind the last `;`, does nothing.
        prop_assume!(!hostile.trim().is_empty());
        parts.insert(at, hostile.to_owned());
        is_unproved(&parts.join(sign))?;
    }

    // D-03: the naive oracle, where no bar can be quoted
    #[test]
    fn without_quotes_a_pipeline_is_proved_exactly_when_each_part_is(
        text in "((ls|cat a|head -3|sort|sort -o f|uniq - a|wc -l|xargs rm|tee f|git log|git apply|sh|grep x|)( ?\\| ?)){1,4}(ls|wc -l|sh|)",
    ) {
        prop_assume!(!text.contains("||"));
        let parts: Vec<String> = text.split('|').map(str::to_owned).collect();
        let reads = reads_of(&parts).filter(|_| parts.len() > 1);
        match reads {
            Some(reads) => prop_assert!(is_whole(&table().read(&text), &reads)),
            None => is_unproved(&text)?,
        }
    }
}

#[test]
fn no_hostile_part_is_read_only_alone() {
    for hostile in HOSTILE {
        let reading = table().read(hostile);
        assert!(!matches!(reading, CommandReading::ReadOnly(_)), "{hostile:?} was read as {reading:?}");
    }
}
