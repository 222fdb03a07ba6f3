//! What must hold for any bytes holds for all seeds, for inputs that once broke it, and for what is made of the seeds here.
#![cfg(test)]

use bailiwick_fuzz::{Target, targets};

fn each_target(play: impl Fn(&Target)) {
    for target in targets() {
        play(&target);
    }
}

#[test]
fn every_target_has_seeds_and_holds_for_them() {
    each_target(|target| {
        let seeds = target.seeds();
        assert!(seeds.len() > 5, "{} has {} seeds", target.name, seeds.len());
        seeds.iter().for_each(|seed| target.check(seed));
    });
}

#[test]
fn every_target_holds_for_seeds_that_are_cut_off_or_damaged() {
    each_target(|target| {
        for (number, seed) in target.seeds().iter().enumerate() {
            for part in 1..8 {
                let at = seed.len() * part / 8;
                target.check(&seed[..at]);
                let mut damaged = seed.clone();
                if let Some(byte) = damaged.get_mut(at) {
                    *byte = [b'"', b'\\', b'{', 0, 0xff, b'\n', b' '][(number + part) % 7];
                }
                target.check(&damaged);
            }
        }
    });
}

#[test]
fn no_two_targets_have_one_name() {
    let mut names: Vec<String> = targets().into_iter().map(|target| target.name).collect();
    let count = names.len();
    names.sort();
    names.dedup();
    assert_eq!(names.len(), count);
}
