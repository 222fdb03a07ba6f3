//! The repository of the day: a thousand files of a shop, a billing module to work on, tests that run, a formatter, and
//! a branch on which somebody else has worked.

use anyhow::Result;

use crate::stage::world::World;

/// Modules of `src/billing/`; each of them uses the name that is renamed in the afternoon.
pub(crate) const MODULES: [&str; 12] = [
    "invoice", "tax", "refund", "ledger", "receipt", "quote", "dunning", "currency", "discount", "payment",
    "address", "contact",
];

/// What each module is called from.
pub(crate) fn module(name: &str) -> String {
    format!("src/billing/{name}.js")
}

/// A file that the other branch changes.
pub(crate) const ELSEWHERE: &str = "src/catalog/shelf00/item00.js";

const MANIFEST: &str = r#"{
  "name": "shop",
  "private": true,
  "type": "module",
  "scripts": { "test": "node --test tests/billing.test.js", "format": "node tools/format.js" }
}
"#;

const TEST: &str = "\
import assert from 'node:assert';
import test from 'node:test';
import { total } from '../src/billing/invoice.js';

test('an invoice has a total', () => assert.ok(total([1]) > 0));
";

const FORMATTER: &str = "\
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';

for (const name of readdirSync('src/billing')) {
  const path = `src/billing/${name}`;
  const before = readFileSync(path, 'utf8');
  const after = before.replace(/ {2,}=/g, ' =');
  if (after !== before) writeFileSync(path, after);
}
console.log('formatted');
";

/// Writes and commits all of it.
pub(crate) fn build(world: &World) -> Result<()> {
    for (path, text) in
        [("package.json", MANIFEST), ("tests/billing.test.js", TEST), ("tools/format.js", FORMATTER)]
    {
        world.write(path, text)?;
    }
    world.write("src/billing/refs.js", "export const customerRef = 'customer';\n")?;
    for name in MODULES {
        world.write(&module(name), &source(name))?;
    }
    for shelf in 0..50 {
        for item in 0..20 {
            let path = format!("src/catalog/shelf{shelf:02}/item{item:02}.js");
            world.write(&path, &format!("export const item = {{ shelf: {shelf}, item: {item} }};\n"))?;
        }
    }
    world.commit("shop")?;
    elsewhere(world)
}

fn source(name: &str) -> String {
    format!(
        "import {{ customerRef }} from './refs.js';\n\nexport const rate = 1;\nexport const label = '{name}';\n\n\
         export function total(items) {{\n  return items.length * rate;\n}}\n\n\
         export const key = customerRef + ':{name}';\n"
    )
}

/// A colleague's branch, one commit ahead.
fn elsewhere(world: &World) -> Result<()> {
    world.git(&["switch", "-q", "-c", "upstream"])?;
    world.write(ELSEWHERE, "export const item = { shelf: 0, item: 0, sold: true };\n")?;
    world.commit("sold")?;
    world.git(&["switch", "-q", "main"])
}
