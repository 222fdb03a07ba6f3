//! Two agents on one working copy, each under its own intent, asking the same person.

use crate::e2e::day::repository::module;
use crate::e2e::staged::line::{Line, edit, read, reader, select, test_run};
use crate::e2e::staged::session::Session;

const BILLED: [&str; 4] = ["address", "contact", "payment", "discount"];

/// Both sessions.
pub(crate) fn together() -> [Session; 2] {
    let mut billing = vec![select("INT-001")];
    for name in BILLED {
        billing.push(read(&module(name)));
        billing.push(edit(&module(name), "items.length", "items.flat().length"));
    }
    billing.push(test_run("npm test --silent"));
    let mut catalog = vec![select("INT-002"), reader("ls src/catalog/shelf01")];
    catalog.extend((0..4).flat_map(sold));
    [Session::new("first agent", billing), Session::new("second agent", catalog)]
}

fn sold(item: u32) -> [Line; 2] {
    let path = format!("src/catalog/shelf01/item{item:02}.js");
    [read(&path), edit(&path, "shelf: 1", "sold: true, shelf: 1")]
}
