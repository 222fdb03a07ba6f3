//! Which files are specs, and of which kind, by their paths alone.

/// The largest file that is read, in bytes.
pub const MOST_PER_DOCUMENT: u64 = 1 << 20;
/// The most that is read of one project, in bytes.
pub const MOST_BYTES: u64 = 32 << 20;
/// The most files that are read of one project.
pub const MOST_DOCUMENTS: usize = 4_000;

/// The folders in which specs are, relative to the folder of a project.
pub const PLACES: &[&str] = &["specs", ".specify", "memory", "openspec", ".kiro"];

/// A kind of specs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Tool {
    /// spec-kit of GitHub.
    SpecKit,
    /// OpenSpec.
    OpenSpec,
    /// Kiro.
    Kiro,
}

impl Tool {
    /// All kinds.
    pub const ALL: &[Self] = &[Self::SpecKit, Self::OpenSpec, Self::Kiro];

    /// The word that a person types, and that the intents file keeps.
    pub fn word(self) -> &'static str {
        match self {
            Self::SpecKit => "speckit",
            Self::OpenSpec => "openspec",
            Self::Kiro => "kiro",
        }
    }

    /// Its name in a sentence.
    pub fn name(self) -> &'static str {
        match self {
            Self::SpecKit => "spec-kit",
            Self::OpenSpec => "OpenSpec",
            Self::Kiro => "Kiro",
        }
    }

    /// Where its specs are, for a person.
    pub fn place(self) -> &'static str {
        match self {
            Self::SpecKit => "specs/*/spec.md",
            Self::OpenSpec => "openspec/specs/*/spec.md, openspec/changes/*/proposal.md",
            Self::Kiro => ".kiro/specs/*/requirements.md",
        }
    }

    /// Whether a file alone shows that there are specs of this kind.
    fn is_shown_by(self, path: &str) -> bool {
        let parts: Vec<&str> = path.split('/').collect();
        match (self, parts.as_slice()) {
            (Self::SpecKit, ["specs", .., _, "spec.md"] | [".specify", "specs", .., _, "spec.md"]) => true,
            (Self::OpenSpec, ["openspec", "specs", .., _, "spec.md"]) => true,
            (Self::OpenSpec, ["openspec", "changes", id, "proposal.md"]) => *id != "archive",
            (Self::Kiro, [".kiro", "specs", .., _, "requirements.md" | "bugfix.md"]) => true,
            _ => false,
        }
    }
}

/// Whether the import of that kind reads this file.
pub fn is_wanted(tool: Tool, path: &str) -> bool {
    let parts: Vec<&str> = path.split('/').collect();
    match (tool, parts.as_slice()) {
        (
            Tool::SpecKit,
            ["specs", .., _, "spec.md" | "plan.md" | "tasks.md"]
            | [".specify", "specs", .., _, "spec.md" | "plan.md" | "tasks.md"]
            | [".specify", "memory", "constitution.md"]
            | ["memory", "constitution.md"],
        ) => true,
        (Tool::OpenSpec, ["openspec", "changes", "archive", ..]) => false,
        (
            Tool::OpenSpec,
            ["openspec", "project.md"]
            | ["openspec", "specs", .., _, "spec.md"]
            | ["openspec", "changes", _, "proposal.md" | "tasks.md" | "design.md" | "spec.md"]
            | ["openspec", "changes", _, "specs", .., _, "spec.md"],
        ) => true,
        (
            Tool::Kiro,
            [".kiro", "steering", _]
            | [".kiro", "specs", .., _, "requirements.md" | "bugfix.md" | "design.md" | "tasks.md"],
        ) => path.ends_with(".md"),
        _ => false,
    }
}

/// Whether a file binds all units, whichever of them are imported.
pub fn is_rule(path: &str) -> bool {
    let is_steering = path.starts_with(".kiro/steering/");
    is_steering || path == "openspec/project.md" || path.ends_with("memory/constitution.md")
}

/// Whether a change of OpenSpec, by the name of its proposal, lies in the archive, where a date stands before its name.
pub fn is_archived<'a>(path: &str, mut names: impl Iterator<Item = &'a str>) -> bool {
    let id = path.strip_prefix("openspec/changes/").and_then(|rest| rest.split('/').next());
    let is_date = |text: &str| text.ends_with('-') && text.chars().all(|c| c.is_ascii_digit() || c == '-');
    let is_of = |folder: &str, id: &str| {
        folder.strip_suffix(id).is_some_and(|before| before.is_empty() || is_date(before))
    };
    let folder = |name: &'a str| name.strip_prefix("openspec/changes/archive/")?.split('/').next();
    id.is_some_and(|id| names.any(|name| folder(name).is_some_and(|folder| is_of(folder, id))))
}

/// The kinds of specs that these files are.
pub fn found<'a>(paths: impl IntoIterator<Item = &'a str>) -> Vec<Tool> {
    let mut found: Vec<Tool> = Vec::new();
    for path in paths {
        found.extend(Tool::ALL.iter().filter(|tool| tool.is_shown_by(path)));
    }
    found.sort_unstable();
    found.dedup();
    found
}
