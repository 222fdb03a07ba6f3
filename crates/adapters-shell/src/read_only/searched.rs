//! Which files a searcher takes by their names: its file patterns, and the named types of `rg`.
//!
//! What such a pattern or type takes `rg` searches though it is hidden, and of a pattern though git ignores it.
//! Deliberately absent: which of the names are secrets.

/// The options with a file pattern, of those that look further into folders for it; those of `rg` find what is hidden.
pub(crate) const INCLUDES: &[&str] = &["include"];
pub(crate) const GLOBS: &[&str] = &["g", "glob", "iglob"];

/// The options of `rg` with a named type.
pub(crate) const KINDS: &[&str] = &["t", "type"];

/// So many alternatives of one pattern are looked at.
const MOST_ALTERNATIVES: usize = 256;

/// The file patterns of a searcher, and those of its types, given what stands in each kind of option; an error where
/// hidden files would be shown that nobody asked for by name.
pub(crate) fn names_of<'a>(
    includes: impl Iterator<Item = &'a str>,
    globs: impl Iterator<Item = &'a str>,
    kinds: impl Iterator<Item = &'a str>,
) -> Result<Vec<String>, String> {
    let mut names: Vec<String> = includes.map(str::to_owned).collect();
    for glob in globs {
        if takes_any_name(glob) {
            return Err(format!("`{glob}` takes hidden and ignored files too; name the folder instead"));
        }
        names.push(glob.to_owned());
    }
    for kind in kinds {
        let patterns = patterns_of(kind);
        let patterns =
            patterns.ok_or_else(|| format!("the type `{kind}` may take hidden files with secrets"))?;
        names.extend(patterns.map(str::to_owned));
    }
    Ok(names)
}

/// Whether a file pattern asks for no name in particular, in whatever folder.
fn takes_any_name(pattern: &str) -> bool {
    let last = |path: &str| path.trim_end_matches('/').rsplit('/').next().is_none_or(says_nothing);
    !pattern.starts_with('!') && alternatives(pattern).is_none_or(|all| all.iter().any(|path| last(path)))
}

/// Whether a name has no letter of its own. What stands in a class says nothing: `[!z]*` takes `.env`.
fn says_nothing(name: &str) -> bool {
    let mut in_class = false;
    !name.chars().any(|sign| {
        in_class = if in_class { sign != ']' } else { sign == '[' };
        !in_class && sign.is_alphanumeric()
    })
}

/// The pattern with each of its alternatives (`*.{rs,toml}`); `None` where there are too many or a brace is left over.
fn alternatives(pattern: &str) -> Option<Vec<String>> {
    let (mut left, mut done) = (vec![pattern.to_owned()], Vec::new());
    while let Some(next) = left.pop() {
        match next.split_once('}') {
            None if next.contains('{') => return None,
            None => done.push(next),
            Some((before, behind)) => {
                let (before, inner) = before.rsplit_once('{')?;
                left.extend(inner.split(',').map(|one| format!("{before}{one}{behind}")));
            }
        }
        if left.len() + done.len() > MOST_ALTERNATIVES {
            return None;
        }
    }
    Some(done)
}

/// Names of a type of `rg`, and its patterns. Source: `rg --type-list` of ripgrep 15.1. `sh` and `all` name secrets.
#[rustfmt::skip]
const TYPES: &[(&str, &str)] = &[
    ("asm", "*.asm *.s *.S"),
    ("awk", "*.awk"),
    ("bazel", "*.bazel *.bzl *.BUILD *.bazelrc BUILD MODULE.bazel WORKSPACE WORKSPACE.bazel WORKSPACE.bzlmod"),
    ("c", "*.[chH] *.[chH].in *.cats"),
    ("clojure", "*.clj *.cljc *.cljs *.cljx"),
    ("cmake", "*.cmake CMakeLists.txt"),
    ("cpp", "*.[ChH] *.cc *.[ch]pp *.[ch]xx *.hh *.inl *.[ChH].in *.cc.in *.[ch]pp.in *.[ch]xx.in *.hh.in"),
    ("crystal", "Projectfile *.cr *.ecr shard.yml"),
    ("cs csharp", "*.cs"),
    ("css", "*.css *.scss"),
    ("csv", "*.csv"),
    ("cuda", "*.cu *.cuh"),
    ("d", "*.d"),
    ("dart", "*.dart"),
    ("docker", "*Dockerfile*"),
    ("elixir", "*.ex *.eex *.exs *.heex *.leex *.livemd"),
    ("elm", "*.elm"),
    ("erlang", "*.erl *.hrl"),
    ("fortran", "*.f *.F *.f77 *.F77 *.pfo *.f90 *.F90 *.f95 *.F95"),
    ("fsharp", "*.fs *.fsx *.fsi"),
    ("go", "*.go"),
    ("gradle", "*.gradle *.gradle.kts gradle.properties gradle-wrapper.* gradlew gradlew.bat"),
    ("graphql", "*.graphql *.graphqls"),
    ("groovy", "*.groovy *.gradle"),
    ("h", "*.h *.hh *.hpp"),
    ("haskell", "*.hs *.lhs *.cpphs *.c2hs *.hsc"),
    ("hs", "*.hs *.lhs"),
    ("html", "*.htm *.html *.ejs"),
    ("java", "*.java *.jsp *.jspx *.properties"),
    ("jl julia", "*.jl"),
    ("js", "*.js *.jsx *.vue *.cjs *.mjs"),
    ("json", "*.json composer.lock *.sarif"),
    ("jsonl", "*.jsonl"),
    ("jupyter", "*.ipynb *.jpynb"),
    ("kotlin", "*.kt *.kts"),
    ("less", "*.less"),
    ("lisp", "*.el *.jl *.lisp *.lsp *.sc *.scm"),
    ("lock", "*.lock package-lock.json"),
    ("log", "*.log"),
    ("lua", "*.lua"),
    ("make", "[Gg][Nn][Uu]makefile [Mm]akefile [Gg][Nn][Uu]makefile.am [Mm]akefile.am [Gg][Nn][Uu]makefile.in [Mm]akefile.in Makefile.* *.mk *.mak"),
    ("markdown md", "*.markdown *.md *.mdown *.mdwn *.mkd *.mkdn *.mdx"),
    ("nim", "*.nim *.nimf *.nimble *.nims"),
    ("nix", "*.nix"),
    ("objc", "*.h *.m"),
    ("objcpp", "*.h *.mm"),
    ("ocaml", "*.ml *.mli *.mll *.mly"),
    ("org", "*.org *.org_archive"),
    ("perl", "*.perl *.pl *.PL *.plh *.plx *.pm *.t"),
    ("php", "*.php *.php3 *.php4 *.php5 *.php7 *.php8 *.pht *.phtml"),
    ("proto protobuf", "*.proto"),
    ("py python", "*.py *.pyi"),
    ("r", "*.R *.r *.Rmd *.rmd *.Rnw *.rnw"),
    ("racket", "*.rkt"),
    ("rst", "*.rst"),
    ("ruby", "config.ru Gemfile .irbrc Rakefile *.gemspec *.rb *.rbw *.rake"),
    ("rust", "*.rs"),
    ("sass", "*.sass *.scss"),
    ("scala", "*.scala *.sbt"),
    ("sql", "*.sql *.psql"),
    ("svelte", "*.svelte *.svelte.ts"),
    ("svg", "*.svg"),
    ("swift", "*.swift"),
    ("tcl", "*.tcl"),
    ("tex", "*.tex *.ltx *.cls *.sty *.bib *.dtx *.ins"),
    ("thrift", "*.thrift"),
    ("toml", "*.toml Cargo.lock"),
    ("ts typescript", "*.ts *.tsx *.cts *.mts"),
    ("twig", "*.twig"),
    ("txt", "*.txt"),
    ("vim", "*.vim .vimrc .gvimrc vimrc gvimrc _vimrc _gvimrc"),
    ("vue", "*.vue"),
    ("xml", "*.xml *.xml.dist *.dtd *.xsl *.xslt *.xsd *.xjb *.rng *.sch *.xhtml"),
    ("yaml", "*.yaml *.yml"),
    ("zig", "*.zig"),
];

/// The patterns of a type; `None` for one that is not known, or that names secrets.
fn patterns_of(kind: &str) -> Option<impl Iterator<Item = &'static str>> {
    let (_, patterns) = TYPES.iter().find(|(names, _)| names.split(' ').any(|name| name == kind))?;
    Some(patterns.split(' '))
}
