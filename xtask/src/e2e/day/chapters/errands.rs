//! A sub-agent, a prompt that the client injects, a formatter.

use crate::e2e::staged::line::{
    Expected, Line, command, delegate, edit, in_background, read, reader, says, select, write,
};
use crate::e2e::staged::session::Session;

/// A sub-agent looks and changes; the agent goes on after the client told it that the errand is done.
pub(crate) fn sub_agent() -> Session {
    let lines = vec![
        select("INT-001"),
        read("src/billing/quote.js"),
        // The first one in a clone: that its calls are judged is not known yet.
        Line { expected: Expected::Asked, ..delegate() },
        says("the errand is under way"),
        edit("src/billing/quote.js", "label = 'the quote'", "label = 'a quote'"),
    ];
    let errand = vec![
        read("src/billing/receipt.js"),
        reader("grep -n label src/billing/receipt.js"),
        edit("src/billing/receipt.js", "label = 'the receipt'", "label = 'a receipt'"),
        says("the receipts are done"),
    ];
    Session::new("sub-agent", lines).errand(errand)
}

/// A command in the background ends, the client injects a prompt, and the agent goes on under the same intent.
pub(crate) fn background() -> Session {
    let lines = vec![
        select("INT-001"),
        read("src/billing/dunning.js"),
        in_background("node --test tests/billing.test.js"),
        says("the tests are under way"),
        edit("src/billing/dunning.js", "label = 'the dunning'", "label = 'a dunning'"),
    ];
    Session::new("background", lines)
}

/// The project's formatter changes what the agent wrote; the agent goes on.
pub(crate) fn formatter() -> Session {
    let lines = vec![
        select("INT-001"),
        write("src/billing/margin.js", "export const margin    = 1;\nexport const floor = 0;\n"),
        command("npm run --silent format").shows("formatted"),
        edit("src/billing/margin.js", "floor = 0", "floor = 1"),
        read("src/billing/margin.js"),
        edit("src/billing/margin.js", "margin = 1", "margin = 2"),
    ];
    Session::new("formatter", lines)
}
