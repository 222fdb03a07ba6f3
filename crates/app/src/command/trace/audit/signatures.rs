//! How a commit says that an agent made it: trailers, and names and addresses of products in signatures.

/// Names of agents that sign commits they helped with.
const AGENTS: &[&str] = &[
    "claude", "codex", "copilot", "cursor", "gemini", "devin", "aider", "jules", "cline", "opencode", "qwen",
];

/// Words that stand beside such a name; a person who has that name has another one as well.
const BESIDE: &[&str] = &[
    "agent",
    "ai",
    "anthropic",
    "assistant",
    "bot",
    "cli",
    "code",
    "github",
    "google",
    "haiku",
    "integration",
    "labs",
    "openai",
    "opus",
    "pro",
    "sonnet",
    "swe",
];

/// Trailers that name an agent or an intent. Trailers stand in the last paragraph of a message.
pub(super) fn mark(message: &str) -> Option<String> {
    let last = message.trim_end().rsplit("\n\n").next()?;
    last.lines().find_map(|line| {
        let (key, value) = line.split_once(':')?;
        let (key, value) = (key.trim().to_lowercase(), value.trim().to_lowercase());
        let names_agent = || names_an_agent(&value);
        let is_mark = match key.as_str() {
            "intent" | "agent" => !value.is_empty(),
            "co-authored-by" | "assisted-by" | "generated-by" => names_agent(),
            _ => false,
        };
        is_mark.then(|| format!("trailer {}", line.trim()))
    })
}

/// Whether a signature in small letters is an agent's: its name holds nothing but such a name and words of a product, or its
/// address is a product's.
fn names_an_agent(signature: &str) -> bool {
    let (name, address) = signature.split_once('<').unwrap_or((signature, ""));
    let (local, host) = address.trim_end_matches('>').split_once('@').unwrap_or((address, ""));
    let local = local.rsplit('+').next().unwrap_or(local);
    let is_address = |agent: &str| {
        let is_bot = local.ends_with("[bot]") || host.ends_with("users.noreply.github.com");
        local.contains(agent) && (is_bot || host.contains(agent))
    };
    let mut words = name.split(|sign: char| !sign.is_alphanumeric()).filter(|word| !word.is_empty());
    let is_name = words.clone().any(|word| AGENTS.contains(&word))
        && words.all(|word| {
            AGENTS.contains(&word)
                || BESIDE.contains(&word)
                || word.starts_with(|sign: char| sign.is_ascii_digit())
        });
    let is_anthropics = (local, host) == ("noreply", "anthropic.com");
    is_name || is_anthropics || AGENTS.iter().any(|agent| is_address(agent))
}

#[cfg(test)]
mod tests {
    use super::{mark, names_an_agent};

    #[test]
    fn an_agent_signs_with_a_products_name_or_address_and_a_person_may_be_called_like_one() {
        for signature in [
            "claude <noreply@anthropic.com>",
            "claude opus 4.1 (1m context) <noreply@anthropic.com>",
            "someone <noreply@anthropic.com>",
            "copilot <223556219+copilot@users.noreply.github.com>",
            "github copilot",
            "codex <codex@openai.com>",
            "cursor agent <cursoragent@cursor.com>",
            "gemini-cli <218195315+gemini-cli@users.noreply.github.com>",
            "devin ai <158243242+devin-ai-integration[bot]@users.noreply.github.com>",
            "google-labs-jules[bot] <161369871+google-labs-jules[bot]@users.noreply.github.com>",
            "aider <aider@aider.chat>",
        ] {
            assert!(names_an_agent(signature), "{signature}");
        }
        for signature in [
            "jean-claude martin <jc@example.org>",
            "claude monet <claude.monet@example.org>",
            "devin booker <devin@example.org>",
            "gemini jones <g@example.org>",
            "jules verne <jules@example.org>",
        ] {
            assert!(!names_an_agent(signature), "{signature}");
        }
    }

    #[test]
    fn only_trailers_of_the_last_paragraph_are_marks() {
        for (message, is_mark) in [
            ("Fix it\n\nIntent: INT-001\n", true),
            ("Fix it\n\nCo-Authored-By: Claude <noreply@anthropic.com>\n", true),
            ("Fix it\n\nCo-authored-by: Ada <ada@example.com>\n", false),
            ("Fix it\n\nIntent: is explained here\n\nSigned-off-by: Ada <ada@example.com>\n", false),
            ("Intent\n", false),
        ] {
            assert_eq!(mark(message).is_some(), is_mark, "{message}");
        }
    }
}
