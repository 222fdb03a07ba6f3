//! The verdict on random trees, against what the system itself says.

use std::fs;
use std::path::Path;

use bailiwick_domain::Location;
use proptest::prelude::*;

use super::Tree;

#[derive(Clone, Debug)]
enum Thing {
    Folder(String),
    File(String),
    Link(String, String),
}

fn name() -> impl Strategy<Value = String> {
    prop::sample::select(vec!["a", "b", "c"]).prop_map(str::to_owned)
}

fn path(up: bool) -> impl Strategy<Value = String> {
    let segment =
        if up { prop_oneof![4 => name(), 1 => Just("..".to_owned())].boxed() } else { name().boxed() };
    prop::collection::vec(segment, 1..5).prop_map(|segments| segments.join("/"))
}

fn target() -> impl Strategy<Value = String> {
    prop_oneof![
        path(true),
        path(true).prop_map(|path| format!("TOP/repo/{path}")),
        Just("TOP/out".to_owned())
    ]
}

fn thing() -> impl Strategy<Value = Thing> {
    prop_oneof![
        path(false).prop_map(Thing::Folder),
        path(false).prop_map(Thing::File),
        (path(false), target()).prop_map(|(at, target)| Thing::Link(at, target)),
    ]
}

fn build(tree: &Tree, things: &[Thing]) {
    let root = tree.top.join("repo");
    for thing in things {
        // What another thing already stands in the way of is left out.
        let _ = match thing {
            Thing::Folder(at) => fs::create_dir_all(root.join(at)),
            Thing::File(at) => fs::write(root.join(at), at),
            Thing::Link(at, target) => {
                let target = target.replace("TOP", tree.top.to_str().unwrap());
                std::os::unix::fs::symlink(target, root.join(at))
            }
        };
    }
}

fn real_path_inside<'a>(tree: &Tree, real: &'a Path) -> Option<&'a Path> {
    real.strip_prefix(tree.top.join("repo")).ok()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: ProptestConfig::default().cases / 4, failure_persistence: None, ..ProptestConfig::default() })]

    // K-35, threat C3
    #[test]
    fn inside_is_exactly_what_really_is_below_the_root(
        things in prop::collection::vec(thing(), 0..12),
        requested in path(true),
    ) {
        let tree = Tree::new();
        build(&tree, &things);
        let spelled = tree.top.join("repo").join(&requested);
        let location = tree.locate(&requested);
        let Ok(real) = spelled.canonicalize() else {
            // Nothing is there: the nearest folder that is there must not lead out unnoticed.
            if let Location::Inside(found) = &location {
                let claimed = tree.top.join("repo").join(found.path.as_str());
                let there = claimed.ancestors().find_map(|folder| folder.canonicalize().ok());
                prop_assert!(there.is_some_and(|there| real_path_inside(&tree, &there).is_some()));
            }
            return Ok(());
        };
        match (&location, real_path_inside(&tree, &real)) {
            (Location::Inside(found), Some(inside)) => prop_assert_eq!(Path::new(found.path.as_str()), inside),
            (Location::Root, Some(inside)) => prop_assert_eq!(inside, Path::new("")),
            (Location::Outside(_), None) => {}
            (Location::Invalid(_), _) => prop_assert!(requested.contains("..")),
            (Location::Outside(_), Some(_)) => {
                // Only when the name itself is a link that stands outside.
                let stands = spelled.parent().unwrap().canonicalize().unwrap();
                prop_assert!(spelled.symlink_metadata().unwrap().is_symlink());
                prop_assert!(real_path_inside(&tree, &stands).is_none());
            }
            (location, inside) => prop_assert!(false, "{location:?}, but really {inside:?}"),
        }
    }
}
