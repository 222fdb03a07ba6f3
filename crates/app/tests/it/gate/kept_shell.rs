//! Hosts that keep their shell between calls and do not tell where it stands: what follows a `cd` is believed only where
//! the line itself says where it runs.

use bailiwick::gate::{HostTraits, Outcome};
use bailiwick_domain::{ErrorCode, json};

use super::world::{World, command, yes};

/// A world whose host keeps its shell, in which `INT-001` is selected.
fn kept() -> World {
    let world = World::with_shell(HostTraits { keeps_shell: true, ..HostTraits::default() });
    world.prompt();
    world.select("INT-001");
    world
}

impl World {
    fn knows_where(&self, line: &str, expected: bool) {
        let call = command(self, line);
        match expected {
            true => self.passes_unasked(&call),
            false => {
                let reason = self.asks_what(&call).reason;
                assert!(reason.contains("an earlier `cd` may have left the shell"), "{line}: {reason}");
            }
        }
    }

    fn approved(&self, line: &str) {
        self.will_say(yes());
        let outcome = self.pre(&command(self, line));
        assert!(matches!(outcome, Outcome::Allow(_)), "{line}: {outcome:?}");
    }
}

#[test]
fn a_command_that_moves_nothing_leaves_the_shell_where_it_stands() {
    let world = kept();
    for line in ["make all", "echo recd > x", "ls src", "cat README.md && ls"] {
        match line {
            "ls src" | "cat README.md && ls" => world.knows_where(line, true),
            _ => world.approved(line),
        }
        world.knows_where("ls", true);
    }
}

#[test]
fn a_command_with_a_mover_anywhere_may_have_left_it_somewhere_else() {
    for line in ["make; cd src", "pushd src > /dev/null; make", "make || CD src", "Set-Location src; make"] {
        let world = kept();
        world.approved(line);
        world.knows_where("ls", false);
        world.knows_where("cd /repo && ls", true);
        world.knows_where("ls", true);
    }
}

#[test]
fn a_command_behind_a_leading_cd_leaves_the_shell_in_that_folder() {
    for (line, known) in [
        ("cd src && make", false),
        ("cd /repo && make", true),
        ("cd /repo && make; ls", true),
        ("make && cd src", false),
        ("(cd src); make", true),
    ] {
        let world = kept();
        world.approved(line);
        world.knows_where("ls", known);
    }
}

#[test]
fn what_may_not_come_to_run_brings_no_shell_back() {
    for line in ["cd /repo && rm x", "make && cd /repo; ls", "(cd /repo && make)"] {
        let world = kept();
        world.approved("cd src && make");
        if line.contains("rm") {
            drop(world.asks(&command(&world, line)))
        } else {
            world.approved(line)
        }
        world.knows_where("ls", false);
    }
}

#[test]
fn a_mover_that_is_put_together_is_seen() {
    for line in [
        "A_B=1 . ./go.sh",
        "c\"\"d src",
        "make; c$x src",
        "eval x",
        "while . ./f; do ls; done",
        "{c,}d src",
        "src/",
    ] {
        let world = kept();
        world.approved(line);
        world.knows_where("ls", false);
    }
}

#[test]
fn a_refused_call_moves_no_shell() {
    let world = World::with_shell(HostTraits { keeps_shell: true, ..HostTraits::default() });
    world.prompt();
    world.refuses(&command(&world, "cd src && rm x"), ErrorCode::StateViolation);
    world.knows_where("ls", true);
}

// A second shell of the same host is not told apart, and one that comes back is where it was
#[test]
fn a_named_shell_is_a_kept_one() {
    let world = World::with_shell(HostTraits::default());
    world.prompt();
    world.select("INT-001");
    let named =
        |line: &str, shell: &str| world.call("execute_command", json!({"command": line, "shellId": shell}));
    assert!(matches!(world.pre(&named("cd src && ls", "a")), Outcome::Allow(_)));
    world.knows_where("ls", true);
    world.asks(&named("ls", "a"));
}
