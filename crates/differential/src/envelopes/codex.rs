//! The judge `codex-patches`: the applier of the real Codex, which its binary is when it is called by that name.

use std::cell::Cell;
use std::os::unix::fs::symlink;
use std::path::Path;

use anyhow::{Context, Result};
use bailiwick_adapters_hooks::{Host, host};
use bailiwick_domain::json;

use super::{held, said, texts};
use crate::clients::installed;
use crate::judge::{Finding, Orders, Tally, play};
use crate::patches::texts::Text;
use crate::tree::Tree;

const CLIENT: &str = "codex-0.169.0";
const BINARY: &str = "@openai/codex-linux-x64/vendor/x86_64-unknown-linux-musl/bin/codex";

/// Plays hostile texts, then some as a model writes them.
pub(crate) fn run(orders: &Orders) -> Result<Tally> {
    let Some(binary) = installed("codex-patches", CLIENT, BINARY) else { return Ok(Tally::default()) };
    let tree = Tree::new()?;
    let applier = tree.home().join("apply_patch");
    symlink(binary, &applier)?;
    let codex = Codex {
        host: host("codex").context("no such host")?,
        applier: &applier.display().to_string(),
        tree: &tree,
        acted: Cell::new(0),
    };
    let any = play(orders, 1_500, &texts::any(), |text| codex.judge(text))?;
    println!("codex-patches: {} of {} hostile texts changed something", codex.acted.take(), any.cases);
    let plain = play(orders, 500, &texts::plain(), |text| codex.judge(text))?;
    println!("codex-patches: {} of {} plain texts changed something", codex.acted.take(), plain.cases);
    let plain = plain.of_plain()?;
    Ok(Tally { cases: any.cases + plain.cases, refused: any.refused + plain.refused })
}

struct Codex<'a> {
    host: &'a Host,
    applier: &'a str,
    tree: &'a Tree,
    acted: Cell<u32>,
}

impl Codex<'_> {
    fn judge(&self, text: &Text) -> Result<Finding> {
        let root = self.tree.root();
        let text = texts::placed(text, &root);
        let said = said(self.host, &event(&text, &root), &root)?;
        self.tree.feed(self.applier, &[], &text)?;
        let changed = self.tree.contents()?;
        self.tree.restore()?;
        self.acted.set(self.acted.get() + u32::from(!changed.is_empty()));
        Ok(held(&text, said.as_ref(), &changed))
    }
}

fn event(text: &str, root: &Path) -> bailiwick_domain::Value {
    json!({
        "hook_event_name": "PreToolUse", "session_id": "s", "turn_id": "t", "cwd": root, "model": "gpt-5.5-codex",
        "permission_mode": "default", "tool_name": "apply_patch", "tool_input": {"command": text}, "tool_use_id": "c",
    })
}
