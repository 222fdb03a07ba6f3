//! How a commit says that an agent made it: trailers, and names and addresses of products in signatures.

/// Names of agents that sign commits they helped with. Each host of the gate is here or among the next.
const AGENTS: &[&str] = &[
    "aider",
    "ampcode",
    "antigravity",
    "chatgpt",
    "claude",
    "cline",
    "codex",
    "copilot",
    "cursor",
    "devin",
    "gemini",
    "jules",
    "opencode",
    "qwen",
    "vscode",
    "windsurf",
];

/// Names of agents that a person may sign with alone: they count beside a word of a product, or at a maker's address.
const SHARED: &[&str] = &["amp", "droid", "junie", "kimi", "kiro", "oz"];

/// Words that stand beside such a name; a person who has that name has another one as well.
const BESIDE: &[&str] = &[
    "agent",
    "ai",
    "anthropic",
    "assistant",
    "bot",
    "cli",
    "code",
    "coder",
    "factory",
    "github",
    "google",
    "haiku",
    "integration",
    "jetbrains",
    "labs",
    "openai",
    "opus",
    "pro",
    "sonnet",
    "swe",
];

/// Where agents have their addresses, which people who make them have as well.
const MAKERS: &[&str] = &[
    "ampcode.com",
    "anthropic.com",
    "codeium.com",
    "factory.ai",
    "jetbrains.com",
    "kimi.com",
    "kiro.dev",
    "moonshot.ai",
    "moonshot.cn",
    "warp.dev",
    "windsurf.com",
];

/// Trailers that name an agent or an intent. Trailers stand in the last paragraph of a message.
pub(super) fn mark(message: &str) -> Option<String> {
    let last = message.trim_end().rsplit("\n\n").next()?;
    last.lines().find_map(|line| {
        let (key, value) = line.split_once(':')?;
        let (key, value) = (key.trim().to_lowercase(), value.trim().to_lowercase());
        let is_mark = match key.as_str() {
            "intent" | "agent" => !value.is_empty(),
            "co-authored-by" => names_an_agent(&value),
            "assisted-by" | "generated-by" => names_a_tool(&value),
            _ => false,
        };
        is_mark.then(|| format!("trailer {}", line.trim()))
    })
}

/// Whether a signature in small letters is an agent's: its name holds nothing but such a name and words of a product, or its
/// address is a product's.
fn names_an_agent(signature: &str) -> bool {
    let (name, address) = signature.split_once('<').unwrap_or((signature, ""));
    is_name(name, false) || is_address(address.trim_end_matches('>'))
}

/// The same where tools are named and people hardly ever: a word for an agent is enough, whatever stands beside it, such as a
/// version or a model. What made it stands before a colon, behind it the model.
fn names_a_tool(signature: &str) -> bool {
    let named = signature.split('<').next().unwrap_or_default();
    let tool = named.split(':').next().unwrap_or_default();
    let has = |text: &str, of: &[&str]| words(text).any(|word| of.contains(&word));
    let is_shared = || is_name(tool, true) || has(tool, SHARED) && has(tool, BESIDE);
    has(named, AGENTS) || is_shared() || names_an_agent(signature)
}

/// Whether this is a name of an agent and words of a product, and nothing else. A name that people have does not count
/// alone, but where it `may_stand_alone`.
fn is_name(name: &str, may_stand_alone: bool) -> bool {
    let has = |of: &[&str]| words(name).any(|word| of.contains(&word));
    let is_agents = has(AGENTS) || has(SHARED) && (may_stand_alone || has(BESIDE));
    is_agents && is_all_known(name)
}

/// Whether this is made of names of agents, words of a product and numbers alone.
fn is_all_known(name: &str) -> bool {
    let is_number = |word: &str| word.starts_with(|sign: char| sign.is_ascii_digit());
    let is_known = |word: &str| [AGENTS, SHARED, BESIDE].iter().any(|of| of.contains(&word));
    let mut named = words(name).filter(|word| !is_number(word)).peekable();
    named.peek().is_some() && named.all(is_known)
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|sign: char| !sign.is_alphanumeric()).filter(|word| !word.is_empty())
}

/// Whether an address is an agent's: an account of its name, or one at a maker's that no person has.
fn is_address(address: &str) -> bool {
    let (local, host) = address.split_once('@').unwrap_or((address, ""));
    let local = local.rsplit('+').next().unwrap_or(local);
    let is_in_both = |agent: &str| local.contains(agent) && host.contains(agent);
    let is_bot = || local.ends_with("[bot]") && AGENTS.iter().any(|agent| local.contains(agent));
    match host {
        "users.noreply.github.com" => is_bot() || is_name(local, false),
        _ if MAKERS.contains(&host) => local == "noreply" || is_all_known(local),
        _ => is_bot() || AGENTS.iter().any(|agent| is_in_both(agent)),
    }
}

#[cfg(test)]
mod tests {
    use bailiwick_adapters_hooks::HOSTS;

    use super::{AGENTS, SHARED, mark, names_an_agent, words};

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
            "qwen-coder <qwen-coder@alibabacloud.com>",
            "factory-droid[bot] <138933559+factory-droid[bot]@users.noreply.github.com>",
            "kimi code <noreply@moonshot.cn>",
            "kiro <noreply@kiro.dev>",
            "windsurf <w@codeium.com>",
            "antigravity <a@google.com>",
            "amp <amp@ampcode.com>",
            "oz <oz-agent@warp.dev>",
            "junie <junie@jetbrains.com>",
            "warp <agent@warp.dev>",
        ] {
            assert!(names_an_agent(signature), "{signature}");
        }
        for signature in [
            "jean-claude martin <jc@example.org>",
            "claude monet <claude.monet@example.org>",
            "devin booker <devin@example.org>",
            "gemini jones <g@example.org>",
            "jules verne <jules@example.org>",
            "kiro <kiro@example.org>",
            "kimi <kimi@users.noreply.github.com>",
            "amp <amp@example.org>",
            "junie moon <junie@example.org>",
            "ada <ada@kiro.dev>",
            "claude monet <claude@example.org>",
            "claude monet (the painter) <claude@example.org>",
            "ada <1@warp.dev>",
            "ada agent <ada.agent@warp.dev>",
            "devin booker <1+devinbooker@users.noreply.github.com>",
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
            ("Fix it\n\nAssisted-by: Claude:claude-3-opus coccinelle\n", true),
            ("Fix it\n\nGenerated-by: Junie\n", true),
            ("Fix it\n\nGenerated-by: Claude Code v2.1.3\n", true),
            ("Fix it\n\nAssisted-by: Claude Opus 4.5 (1M context)\n", true),
            ("Fix it\n\nGenerated-by: GitHub Copilot (GPT-5)\n", true),
            ("Fix it\n\nGenerated-by: Cursor Composer\n", true),
            ("Fix it\n\nGenerated-by: Kiro CLI (nightly build)\n", true),
            ("Fix it\n\nAssisted-by: make patch:claude-opus-4\n", true),
            ("Fix it\n\nCo-Authored-By: Warp <agent@warp.dev>\n", true),
            ("Fix it\n\nCo-authored-by: Claude Monet <claude@example.org>\n", false),
            ("Fix it\n\nGenerated-by: protoc v28.3\n", false),
            ("Fix it\n\nAssisted-by: Kiro Tanaka <kiro@example.com>\n", false),
        ] {
            assert_eq!(mark(message).is_some(), is_mark, "{message}");
        }
    }

    #[test]
    fn every_host_of_the_gate_signs_with_a_name_that_is_known() {
        for host in HOSTS.iter().filter(|host| host.profile.name != "generic") {
            let name = host.profile.name;
            assert!(words(name).any(|word| AGENTS.contains(&word) || SHARED.contains(&word)), "{name}");
            assert!(mark(&format!("Fix it\n\nGenerated-by: {name}\n")).is_some(), "{name}");
            assert!(names_an_agent(&format!("{name} agent")), "{name}");
        }
    }
}
