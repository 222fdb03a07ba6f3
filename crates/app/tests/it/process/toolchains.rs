//! Questions that a program answers about itself, where a file of the repository chooses which program answers.

use bailiwick_domain::json;

use super::machine::Machine;

fn passes_unasked(machine: &Machine, id: &str, command: &str) -> bool {
    machine.hook(&machine.pre(id, "Bash", &json!({"command": command}))).decision().is_none()
}

// A3, A4: a cloned file that names a program by its path makes the question start that program
#[test]
fn a_file_that_names_a_toolchain_by_its_path_makes_a_question_no_reading() {
    let machine = Machine::new();
    machine.write("rust-toolchain.toml", "[toolchain]\nchannel = \"1.98.0\"\n");
    machine.write("tools/.tool-versions", "nodejs path:/tmp/evil\n");
    machine.write("esc/rust-toolchain.toml", "[toolchain]\n\"p\\u0061th\" = \"/tmp/evil\"\n");
    machine.write("old/rust-toolchain", " /tmp/evil\n");
    machine.write("script/mise.toml", "[env]\n_.source = \"./evil.sh\"\n");
    machine.write("deep/.config/mise.toml", "[tools]\nnode = \"path:/tmp/evil\"\n");
    machine.write("plain/mise.toml", "[tools]\nnode = \"22\"\n");
    machine.write("net/global.json", "{\"sdk\": {\"paths\": [\".dotnet\"]}}\n");
    machine.write("plain/global.json", "{\"sdk\": {\"version\": \"9.0.100\"}}\n");
    machine.write("big/mise.toml", &"#\n".repeat(64 << 10));
    for (line, passes) in [
        ("cargo --version", true),
        ("cd tools && ls", true),
        ("cd tools && node --version", false),
        ("cd esc && cargo --version", false),
        ("cd old && rustc -V", false),
        ("cd big && python3 --version", false),
        ("cd tools/deeper && node --version", false),
        ("cd script && node --version", false),
        ("cd deep && node --version", false),
        ("cd plain && node --version", true),
        ("cd plain && dotnet --version", true),
        ("cd net && dotnet --version", false),
        ("cd tools; node --version", false),
    ] {
        std::fs::create_dir_all(machine.root().join("tools/deeper")).unwrap();
        assert_eq!(passes_unasked(&machine, line, line), passes, "{line}");
    }
    machine.write("rust-toolchain.toml", "[toolchain]\npath = \"/tmp/evil\"\n");
    assert!(!passes_unasked(&machine, "later", "cargo --version"));
    assert!(!passes_unasked(&machine, "list", "ls && cargo --version"));
    assert!(passes_unasked(&machine, "ls", "ls"));
}
