//! The sessions of a connection, as far as both sides name them: which folder each works in, and which has a prompt.

use std::collections::{BTreeMap, VecDeque};

use bailiwick_domain::Value;
use bailiwick_frames::Id;

use crate::Question;

/// So many sessions and open requests are followed; later ones pass all the same.
const MOST: usize = 256;

/// What an open request of the editor begins.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Begins {
    /// The connection.
    Talk,
    /// A session in this folder, whose name the agent will say, or which has this one.
    Session(Option<String>, String),
    /// A turn of this session.
    Turn(String),
}

/// What came of an answer of the agent.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Came {
    /// The agent says who it is.
    Agent(Option<String>),
    /// A session works in a folder.
    Session(String, String),
}

/// The sessions of one connection.
#[derive(Debug, Default)]
pub(crate) struct Sessions {
    folders: BTreeMap<String, String>,
    open: BTreeMap<Id, Begins>,
    /// The last requests of the editor that were answered with an error in the agent's place.
    failed: VecDeque<Id>,
}

/// A text among parameters.
pub(crate) fn text<'v>(value: &'v Value, key: &str) -> Option<&'v str> {
    value.get(key).and_then(Value::as_str)
}

impl Sessions {
    /// The editor asks something of the agent.
    pub(crate) fn asked(&mut self, id: &Id, method: &str, params: &Value) {
        self.has_failed(id);
        let (session, folder) = (text(params, "sessionId"), text(params, "cwd"));
        let begins = match (method, session, folder) {
            ("initialize", ..) => Begins::Talk,
            ("session/prompt", Some(session), _) => Begins::Turn(session.to_owned()),
            ("session/new" | "session/fork", _, Some(folder)) => Begins::Session(None, folder.to_owned()),
            ("session/load" | "session/resume", Some(session), Some(folder)) => {
                Begins::Session(Some(session.to_owned()), folder.to_owned())
            }
            _ => return,
        };
        if self.open.len() < MOST {
            self.open.insert(id.clone(), begins);
        }
    }

    /// The agent answers; nothing where it failed.
    pub(crate) fn answered(&mut self, id: &Id, result: Option<&Value>) -> Option<Came> {
        match (self.open.remove(id)?, result?) {
            (Begins::Talk, result) => {
                let name = result.get("agentInfo").and_then(|info| text(info, "name"));
                Some(Came::Agent(name.map(str::to_owned)))
            }
            (Begins::Session(session, folder), result) => {
                let session = session.or_else(|| text(result, "sessionId").map(str::to_owned))?;
                if self.folders.len() < MOST {
                    self.folders.insert(session.clone(), folder.clone());
                }
                Some(Came::Session(session, folder))
            }
            (Begins::Turn(_), _) => None,
        }
    }

    /// The agent's answer cannot be read: the editor is told that this request failed, and a turn is over.
    pub(crate) fn failed(&mut self, id: &Id) {
        self.open.remove(id);
        self.failed.push_back(id.clone());
        if self.failed.len() > MOST {
            self.failed.pop_front();
        }
    }

    /// Whether the editor was told that this request failed; said once.
    pub(crate) fn has_failed(&mut self, id: &Id) -> bool {
        let before = self.failed.len();
        self.failed.retain(|failed| failed != id);
        self.failed.len() < before
    }

    /// Whether the folder of this session is known.
    pub(crate) fn knows(&self, session: &str) -> bool {
        self.folders.contains_key(session)
    }

    /// The sessions with a prompt.
    pub(crate) fn turns(&self) -> Vec<String> {
        self.prompted().cloned().collect()
    }

    fn prompted(&self) -> impl Iterator<Item = &String> {
        self.open.values().filter_map(|begins| match begins {
            Begins::Turn(session) => Some(session),
            _ => None,
        })
    }

    /// The session in the editor that a question belongs to: the one of its name, else the only one with a prompt in that
    /// folder.
    pub(crate) fn of(&self, question: &Question) -> Option<String> {
        if self.folders.contains_key(&question.session) {
            return Some(question.session.clone());
        }
        let mut there = self.prompted().filter(|session| {
            self.folders.get(*session).is_some_and(|folder| is_below(folder, &question.root))
        });
        let only = there.next()?;
        there.all(|other| other == only).then(|| only.clone())
    }
}

/// Whether a folder is this root or lies below it.
fn is_below(folder: &str, root: &str) -> bool {
    std::path::Path::new(folder).starts_with(root)
}

#[cfg(test)]
mod tests {
    use bailiwick_domain::json;

    use super::*;

    fn question(session: &str) -> Question {
        Question {
            id: "ap-1".to_owned(),
            session: session.to_owned(),
            root: "/repo".to_owned(),
            title: String::new(),
            runs: false,
            text: String::new(),
            files: Vec::new(),
            paths: Vec::new(),
        }
    }

    fn begun(sessions: &mut Sessions, id: i64, name: &str, folder: &str) {
        sessions.asked(&Id::Number(id), "session/new", &json!({"cwd": folder}));
        let came = sessions.answered(&Id::Number(id), Some(&json!({"sessionId": name})));
        assert_eq!(came, Some(Came::Session(name.to_owned(), folder.to_owned())));
    }

    fn prompted(sessions: &mut Sessions, id: i64, name: &str) {
        sessions.asked(&Id::Number(id), "session/prompt", &json!({"sessionId": name}));
    }

    #[test]
    fn a_question_belongs_to_the_session_of_its_name_else_to_the_only_one_that_works_there() {
        let mut sessions = Sessions::default();
        assert_eq!(sessions.of(&question("h1")), None);
        begun(&mut sessions, 1, "a", "/repo");
        assert_eq!(sessions.of(&question("a")).as_deref(), Some("a"));
        assert_eq!(sessions.of(&question("h1")), None, "it has no prompt");
        prompted(&mut sessions, 2, "a");
        assert_eq!(sessions.of(&question("h1")).as_deref(), Some("a"));
        begun(&mut sessions, 3, "b", "/elsewhere");
        prompted(&mut sessions, 4, "b");
        assert_eq!(sessions.of(&question("h1")).as_deref(), Some("a"), "another folder");
        begun(&mut sessions, 5, "c", "/repo/below");
        prompted(&mut sessions, 6, "c");
        assert_eq!(sessions.of(&question("h1")), None, "nobody can say which");
        assert_eq!(sessions.answered(&Id::Number(6), Some(&json!({"stopReason": "end_turn"}))), None);
        assert_eq!(sessions.of(&question("h1")).as_deref(), Some("a"), "its turn is over");
    }

    #[test]
    fn a_session_that_was_not_begun_is_none() {
        let mut sessions = Sessions::default();
        sessions.asked(&Id::Number(1), "session/new", &json!({"cwd": "/repo"}));
        assert_eq!(sessions.answered(&Id::Number(1), None), None);
        sessions.asked(&Id::Number(2), "session/load", &json!({"sessionId": "a", "cwd": "/repo"}));
        let loaded = sessions.answered(&Id::Number(2), Some(&Value::Null));
        assert_eq!(loaded, Some(Came::Session("a".to_owned(), "/repo".to_owned())));
    }

    // limits
    #[test]
    fn no_more_is_followed_than_fits() {
        let mut sessions = Sessions::default();
        for number in 0..2000 {
            sessions.asked(&Id::Number(number), "session/new", &json!({"cwd": "/repo"}));
        }
        assert_eq!(sessions.open.len(), MOST);
    }
}
