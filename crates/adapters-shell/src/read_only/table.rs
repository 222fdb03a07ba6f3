//! The read-only programs and the options that keep them so, as data. `find`, `git`, `echo` and `printf` have rules of
//! their own.
//!
//! An option is left out when it writes, runs another program, takes names from a file, follows symlinks through a
//! tree, or never ends; also when it means one thing to GNU programs and another to BSD ones.

mod checks;
mod long_options;

use crate::read_only::known::Known;
use crate::read_only::options::{Allowed, Operands, Parsed, Reader};
use crate::read_only::script::{self, awk};
use long_options::{CAT, CUT, DIFF, DU, ENDS, GREP, JQ, LS, REALPATH, RG, SED, SORT, TREE, UNIQ};

/// What is known of every program.
pub(crate) fn known() -> Vec<Known> {
    let describe = |reader: &Reader| reader.allowed.describe(reader.name.to_owned(), &[]);
    READERS.iter().map(describe).collect()
}

/// The entry of a program.
pub(crate) fn lookup(name: &str) -> Option<&'static Reader> {
    READERS.iter().find(|reader| reader.name == name)
}

const fn reader(
    name: &'static str,
    flags: &'static str,
    valued: &'static str,
    long: &'static [&'static str],
    operands: Operands,
) -> Reader {
    let allowed = Allowed { flags, valued, long, digits: false };
    Reader { name, allowed, operands, looks: false, check: checks::none }
}

const fn checked(check: fn(&Parsed<'_>) -> Result<(), String>, reader: Reader) -> Reader {
    Reader { check, ..reader }
}

/// One that shows names, sizes and times of files, and never what is in them.
const fn looking(reader: Reader) -> Reader {
    Reader { looks: true, ..reader }
}

const fn with_digits(reader: Reader) -> Reader {
    Reader { allowed: Allowed { digits: true, ..reader.allowed }, ..reader }
}

/// The programs that look through what is in the files of a folder, and not only at the folder.
pub(crate) const SEARCHERS: &[&str] = &["grep", "rg", "diff"];

const PATHS: Operands = Operands::Paths { at_most: usize::MAX };
const SUMS: &[&str] = &["binary", "text", "tag", "zero"];

static READERS: &[Reader] = &[
    reader("cat", "AbeEnstTuv", "", CAT, Operands::Shown),
    reader("tac", "", "", &[], Operands::Shown),
    reader("comm", "123", "", &["total", "check-order", "nocheck-order"], PATHS),
    reader("paste", "sz", "d", &["serial", "delimiters=", "zero-terminated"], PATHS),
    reader("fold", "bs", "w", &["bytes", "spaces", "width="], PATHS),
    checked(
        checks::counts,
        reader("seq", "w", "fs", &["equal-width", "format=", "separator="], Operands::Text),
    ),
    reader("nproc", "", "", &["all", "ignore="], Operands::None),
    with_digits(reader("head", "qvz", "cn", ENDS, PATHS)),
    with_digits(reader("tail", "qvz", "cn", ENDS, PATHS)),
    reader(
        "nl",
        "p",
        "bdfhilnsvw",
        &["body-numbering=", "number-format=", "number-width=", "starting-line-number="],
        PATHS,
    ),
    reader("wc", "clmLw", "", &["bytes", "chars", "lines", "words", "max-line-length", "total="], PATHS),
    looking(reader("ls", "aAbBcCdfFgGhHiklmnNopqQrRsStuUvxXZ1", "", LS, Operands::PathsOrHere)),
    looking(reader("tree", "adfipsuhDQCnqxvtcrNFSAJX", "L>P>I>", TREE, Operands::PathsOrHere)),
    looking(reader("du", "abchHklmPsSx", "dt", DU, Operands::PathsOrHere)),
    looking(reader(
        "df",
        "ahHiklmPT",
        "Bt",
        &["all", "human-readable", "inodes", "portability", "print-type", "total"],
        PATHS,
    )),
    looking(reader(
        "stat",
        "fLtx",
        "c",
        &["dereference", "file-system", "terse", "format=", "printf="],
        PATHS,
    )),
    reader(
        "file",
        "bhiLN",
        "",
        &["brief", "mime", "mime-type", "mime-encoding", "dereference", "no-dereference"],
        PATHS,
    ),
    reader("od", "bcdfhiloxv", "AjNt", &[], PATHS),
    reader("hexdump", "bcCdovx", "ns", &[], PATHS),
    checked(checks::sleeps, reader("sleep", "", "", &[], Operands::Text)),
    reader("uptime", "ps", "", &["pretty", "since"], Operands::None),
    reader(
        "free",
        "bghkmtw",
        "",
        &["bytes", "giga", "human", "kilo", "mega", "total", "wide"],
        Operands::None,
    ),
    checked(
        checks::processes,
        reader("ps", "Aaefjlw", "op", &["no-headers", "headers", "sort="], Operands::Text),
    ),
    reader(
        "ss",
        "46aeHilmnopstuwx",
        "",
        &["all", "listening", "numeric", "processes", "tcp", "udp"],
        Operands::None,
    ),
    checked(checks::ports, reader("lsof", "nPtl", "i?", &[], Operands::Text)),
    checked(checks::variables, reader("printenv", "", "", &[], Operands::Text)),
    // It looks at the first letter of an option alone, so behind another letter none takes the next word.
    reader("xxd", "abpu", "c<g<l<s<", &[], Operands::Paths { at_most: 1 }),
    // `-i` names a file to some.
    reader("base64", "d", "w", &["decode", "wrap="], Operands::Paths { at_most: 1 }),
    reader("rev", "", "", &[], PATHS),
    reader("expr", "", "", &[], Operands::Text),
    reader("column", "tx", "s", &["separator=", "table"], PATHS),
    checked(checks::of_binaries, reader("strings", "a", "nt", &[], PATHS)),
    // Some shells show the file of that name.
    reader("type", "", "", &[], PATHS),
    reader("pwd", "LP", "", &["logical", "physical"], Operands::None),
    reader("which", "a", "", &["all"], Operands::Text),
    reader("where", "", "", &[], Operands::Text),
    reader("basename", "az", "s", &["multiple", "suffix=", "zero"], Operands::Text),
    reader("dirname", "z", "", &["zero"], Operands::Text),
    looking(reader("realpath", "eLmPqsz", "", REALPATH, PATHS)),
    looking(reader("readlink", "efmnqsvz", "", REALPATH, PATHS)),
    reader("md5sum", "btz", "", SUMS, PATHS),
    reader("sha1sum", "btz", "", SUMS, PATHS),
    reader("sha256sum", "btz", "", SUMS, PATHS),
    reader("sha512sum", "btz", "", SUMS, PATHS),
    reader("b2sum", "btz", "", SUMS, PATHS),
    reader("cksum", "", "", &[], PATHS),
    reader("shasum", "b", "a", &["algorithm="], PATHS),
    reader("cmp", "bls", "in", &["print-bytes", "verbose", "silent", "quiet", "bytes="], PATHS),
    reader("diff", "abBcdeEinNpqstTuwy", "CUFIxW", DIFF, Operands::Files),
    reader("sort", "bcCdfghiMmnRrsuVz", "kt", SORT, PATHS),
    reader("uniq", "cdDiuz", "fsw", UNIQ, Operands::Paths { at_most: 1 }),
    reader("cut", "nsz", "bcdf", CUT, PATHS),
    reader("tr", "cCdst", "", &["complement", "delete", "squeeze-repeats", "truncate-set1"], Operands::Text),
    reader(
        "date",
        "uR",
        "dI?",
        &["utc", "universal", "rfc-email", "iso-8601?", "rfc-3339=", "date="],
        Operands::Moment,
    ),
    reader("true", "", "", &[], Operands::None),
    reader("false", "", "", &[], Operands::None),
    reader("whoami", "", "", &[], Operands::None),
    reader("arch", "", "", &[], Operands::None),
    reader("groups", "", "", &[], Operands::Text),
    reader("hostname", "fs", "", &[], Operands::None),
    reader(
        "uname",
        "aimnoprsv",
        "",
        &["all", "kernel-name", "kernel-release", "machine", "operating-system"],
        Operands::None,
    ),
    reader("id", "agGnruz", "", &["group", "groups", "name", "real", "user", "zero"], Operands::Text),
    checked(
        checks::scripts,
        reader(
            "sed",
            "nErsuz",
            "e",
            SED,
            Operands::Script { is_harmless: script::sed, given_by: &["e", "expression"] },
        ),
    ),
    checked(
        awk::check,
        reader("awk", "", "Fv", &[], Operands::Script { is_harmless: awk::only_prints, given_by: &[] }),
    ),
    reader("jq", "aceCjMnrRsS", "", JQ, Operands::Script { is_harmless: script::jq, given_by: &[] }),
    with_digits(reader("grep", "abcEFGhHiIlLnoPqrsTUvwxyzZ", "ABCdDem", GREP, PATTERN)),
    reader("rg", "0abcFhHiIlNnopPqsSUvwx", "ABCdegjMmrtTE", RG, RG_PATTERN),
];

const PATTERN: Operands = Operands::Script { is_harmless: script::pattern, given_by: &["e", "regexp"] };
const RG_PATTERN: Operands =
    Operands::Script { is_harmless: script::pattern, given_by: &["e", "regexp", "files", "type-list"] };
