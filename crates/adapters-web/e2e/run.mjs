// The page in a real Chromium: a person answers real hook processes, and what each hook said is what counts.
//
// node run.mjs BINARY CHROMIUM FOLDER SHOTS; `cargo xtask e2e web` calls it.

import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

import { chromium } from "playwright-core";

import { Stage, Terminal, until } from "./stage.mjs";

const [binary, program, folder, shots] = process.argv.slice(2);
const FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync", "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE *.localhost"];
mkdirSync(shots, { recursive: true });

const stage = new Stage(folder, binary);
const browser = await chromium.launch({ executablePath: program, args: FLAGS });
const context = await browser.newContext({ viewport: { width: 1400, height: 900 }, colorScheme: "light" });
const page = await context.newPage();
const faults = [];
page.on("pageerror", (error) => faults.push(`script: ${error.message}`));
page.on("console", (message) => message.type() === "error" && !message.text().includes("net::ERR_CONNECTION_") && faults.push(`console: ${message.text()}`));
page.on("dialog", (dialog) => faults.push(`a dialog of the browser: ${dialog.message()}`));
page.on("request", (request) => request.url().startsWith(origin) || faults.push(`it loads ${request.url()}`));
// Time on the page stands still unless the test moves it: what comes too soon is told from what does not.
await page.clock.install();
let origin = "";
let terminal;

const shown = (what) => page.getByRole("heading", { level: 2, name: what }).waitFor();
const later = () => page.clock.fastForward(300);
const press = async (...keys) => {
  for (const key of keys) await page.keyboard.press(key);
};
const note = (text) => page.locator("#note", { hasText: text }).waitFor();
const shot = (name) => page.screenshot({ path: join(shots, `${name}.png`) });

const scenarios = {
  async "the link opens the page once, and a reload needs no other"() {
    await stage.prompt();
    assert.equal((await stage.tool("select_active_intent", { intent_id: "INT-001" })).decision, "allow");
    await stage.reads("src/auth/login.ts");
    terminal = new Terminal(stage);
    const link = await terminal.link();
    origin = new URL(link).origin;
    await page.goto(link);
    await until("the page is a surface", () => terminal.printed.includes("The page is open"));
    assert.equal(page.url(), `${origin}/`, "the token is gone from the address");
    await page.reload();
    await shown("Nothing waits for an answer");
    const other = await (await browser.newContext()).newPage();
    await other.goto(link);
    await other.getByRole("heading", { name: "This page is closed" }).waitFor();
    await other.context().close();
  },

  async "a change is shown side by side, and a key that comes too soon answers nothing"() {
    await page.clock.pauseAt(Date.now() + 5_000);
    const changed = stage.read("src/auth/login.ts").replace("step5 = 5", "step5 = 55").replace("export const step9 = 9;\n", "").replace("step20 = 20;", "step20 = 20;\neval(input);");
    const write = stage.writes("src/auth/login.ts", changed);
    await shown("write_to_file src/auth/login.ts");
    await press("a");
    await note("Too fast");
    await page.getByRole("button", { name: "Approve" }).click();
    await note("Too fast");
    assert.equal(await page.locator("table.paired").count(), 1);
    await page.locator("#request dd", { hasText: "make login faster" }).waitFor();
    const row = page.locator("tr.pair", { hasText: "step5 = 55" });
    assert.equal((await row.locator("td.text.removed").innerText()).includes("step5 = 5;"), true);
    await page.getByText("runs code").first().waitFor();
    for (const scheme of ["light", "dark"]) {
      await page.emulateMedia({ colorScheme: scheme });
      await shot(`change-${scheme}`);
    }
    await page.setViewportSize({ width: 700, height: 900 });
    await page.locator("table.unified").waitFor();
    await shot("change-narrow");
    await page.setViewportSize({ width: 1400, height: 900 });
    await later();
    await press("a");
    assert.equal((await write).decision, "allow");
    await note("approved");
  },

  async "a rejection with feedback, by keyboard alone, and text stays text"() {
    const write = stage.writes("src/auth/<img src=x onerror=alert(1)>.ts", "export {};\n");
    await shown("<img src=x onerror=alert(1)>");
    assert.equal(await page.locator("main img").count(), 0);
    await later();
    await press("r");
    await page.keyboard.type("use the <b>helper</b>");
    await press("Enter");
    await page.locator("#dialog[open]").waitFor();
    await later();
    await press("Enter");
    const answer = await write;
    assert.equal(answer.error.code, "DESTRUCTIVE_ACTION_REJECTED");
    assert.equal(answer.error.details.feedback, "use the <b>helper</b>");
  },

  async "two agents' requests queue, and j and k choose"() {
    const first = stage.writes("src/auth/one.ts", "export {};\n");
    await shown("one.ts");
    const second = stage.writes("src/auth/two.ts", "export {};\n");
    await page.locator("#list li").nth(1).waitFor();
    await shown("one.ts");
    await press("j");
    await shown("two.ts");
    await press("a");
    await note("Too fast");
    await later();
    await press("a");
    assert.equal((await second).decision, "allow");
    await shown("one.ts");
    await later();
    await press("a");
    assert.equal((await first).decision, "allow");
  },

  async "a command is trusted with t and y"() {
    const first = stage.shell("npm test");
    await shown("npm test");
    await later();
    await press("t");
    await shown("Let agents run this without asking?");
    await shot("trust");
    await press("y");
    await page.locator("#dialog[open]").waitFor();
    await later();
    await press("y");
    assert.equal((await first).decision, "allow");
    assert.equal((await stage.shell("npm test")).decision, "allow", "nobody is asked again");
  },

  async "a draft is edited as text and accepted as it became"() {
    const drafted = stage.tool("propose_intent", { name: "Write the manual", owned_scope: ["docs/page-1.md"], why: "People ask.", acceptance_criteria: ["It reads well"] });
    await shown("new intent: Write the manual");
    await later();
    await press("e");
    const field = page.getByLabel("You see the change before anything is written.");
    await field.fill((await field.inputValue()).replace("Write the manual", "Write one page"));
    await later();
    await page.getByRole("button", { name: "Show the change" }).click();
    await shown("Accept it as you edited it?");
    await later();
    await press("y");
    assert.equal((await drafted).decision, "allow");
    assert.match(stage.read(".orchestration/active_intents.yaml"), /Write one page/);
  },

  async "a broad scope needs its own key"() {
    const drafted = stage.tool("propose_intent", { name: "Everything in docs", owned_scope: ["docs/"], why: "All of it.", acceptance_criteria: ["Done"] });
    await shown("new intent: Everything in docs");
    await later();
    await press("a");
    await shown("This scope is broad");
    await shot("broad");
    await later();
    await press("Enter", "y", "a");
    await page.locator("#dialog[open]").waitFor();
    await press("B");
    assert.equal((await drafted).decision, "allow");
  },

  async "a grant covers edits within its bounds, and is revoked"() {
    assert.equal((await stage.tool("select_active_intent", { intent_id: "INT-001" })).decision, "allow");
    const first = stage.writes("src/auth/granted.ts", "export const one = 1;\n");
    await shown("granted.ts");
    await later();
    await press("g");
    await page.getByLabel("files", { exact: true }).fill("3");
    await shot("grant");
    await later();
    await press("Enter");
    assert.equal((await first).decision, "allow");
    assert.equal((await stage.writes("src/auth/covered.ts", "export const two = 2;\n")).decision, "allow", "nobody is asked");
    assert.equal((await stage.writes("src/auth/kept.ts", "export const three = 3;\n")).decision, "allow", "nobody is asked");
    await page.getByRole("button", { name: "Revoke grant#1" }).click();
    await later();
    await press("y");
    await note("revoked");
  },

  async "a grant that is over is reviewed: one file goes back, the other stays"() {
    await page.getByRole("button", { name: "Review grant#1" }).waitFor();
    await press("v");
    await shown("Review grant#1");
    await page.getByLabel("src/auth/covered.ts").check();
    await shot("review");
    await later();
    await press("a");
    await shown("Put back 1 file of grant#1?");
    await later();
    await press("y");
    await note("1 file put back");
    assert.throws(() => stage.read("src/auth/covered.ts"));
    assert.equal(stage.read("src/auth/kept.ts"), "export const three = 3;\n");
  },

  async "the intents and the ledger are there to read"() {
    await press("2");
    await shown("Intents");
    await page.getByText("Fix login timeout").waitFor();
    await shot("intents");
    await press("3");
    await shown("Ledger");
    await page.getByRole("cell", { name: "src/auth/granted.ts" }).first().waitFor();
    await page.getByLabel("Path holds").fill("login");
    await press("Enter");
    await page.getByRole("cell", { name: "src/auth/granted.ts" }).first().waitFor({ state: "detached" });
    await page.getByRole("cell", { name: "src/auth/login.ts" }).first().waitFor();
    await shot("ledger");
    await page.getByRole("button", { name: "Queue" }).click();
    await shown("Nothing waits for an answer");
    await press("?");
    await shown("Keys");
    await shot("keys");
    await press("Escape");
  },

  async "what was answered is listed, and a change is taken back by a button and a key"() {
    await press("4");
    await shown("Answered");
    const row = (text) => page.locator(".record li", { hasText: text });
    await row("two.ts").getByText(/^approved by /).waitFor();
    await row("onerror").getByText("use the <b>helper</b>").waitFor();
    assert.equal(await row("onerror").getByRole("button").count(), 0, "nothing was done");
    await shot("answered");
    const was = stage.read("src/auth/two.ts");
    await row("two.ts").getByRole("button", { name: /^Take back: / }).click();
    await shown("Put back 1 file?");
    await shot("take-back");
    await press("y");
    await page.locator("#dialog[open]").waitFor();
    assert.equal(stage.read("src/auth/two.ts"), was, "it came too soon to be meant");
    await later();
    await press("y");
    await note("1 file put back");
    assert.throws(() => stage.read("src/auth/two.ts"));
    await row("two.ts").getByText("taken back").waitFor();
    assert.equal(await row("two.ts").getByRole("button").count(), 0);
    // What somebody changed since stays.
    stage.write("src/auth/one.ts", "export const mine = 1;\n");
    await row("one.ts").getByRole("button", { name: /^Take back: / }).click();
    await shown("It cannot be taken back");
    await press("Escape");
    assert.equal(stage.read("src/auth/one.ts"), "export const mine = 1;\n");
    await press("1");
  },

  async "every control has a name, and the tab key reaches the answers"() {
    const write = stage.writes("src/auth/named.ts", "export {};\n");
    await shown("named.ts");
    const unnamed = await page.locator("button, input, textarea, [role=region]").evaluateAll((all) => all.filter((one) => !(one.getAttribute("aria-label") || one.textContent.trim() || one.labels?.length)).length);
    assert.equal(unnamed, 0);
    await later();
    const names = [];
    for (let at = 0; at < 30 && !names.at(-1)?.startsWith("Approve"); at++) {
      await press("Tab");
      names.push(await page.evaluate(() => document.activeElement?.textContent ?? ""));
    }
    assert.match(names.at(-1), /^Approve/);
    await press("Enter");
    assert.equal((await write).decision, "allow");
  },

  async "the page says when its command has ended"() {
    terminal.type("q\n");
    assert.equal(await terminal.ended, 0);
    await page.getByText("Bailiwick does not answer.").waitFor();
    await shot("ended");
  },

  async "the report opens from its file and runs nothing"() {
    stage.says("report");
    const report = readdirSync(stage.root).find((name) => name.endsWith(".html"));
    const html = readFileSync(join(stage.root, report), "utf8");
    const reading = await (await browser.newContext()).newPage();
    reading.on("console", (message) => message.type() === "error" && faults.push(`report: ${message.text()}`));
    await reading.goto(pathToFileURL(join(stage.root, report)).href);
    await reading.getByText("Fix login timeout").first().waitFor();
    assert.equal(html.includes("<script"), false);
    for (const scheme of ["light", "dark"]) {
      await reading.emulateMedia({ colorScheme: scheme });
      await reading.screenshot({ path: join(shots, `report-${scheme}.png`) });
    }
  },
};

let failed = 0;
for (const [name, play] of Object.entries(scenarios)) {
  try {
    await play();
    assert.deepEqual(faults.splice(0), []);
    console.log(`ok      ${name}`);
  } catch (error) {
    failed += 1;
    console.log(`FAILED  ${name}: ${error.stack}`);
    await shot(`failed-${failed}`).catch(() => {});
    break;
  }
}
await browser.close();
terminal?.process.stdin.end();
process.exitCode = failed === 0 ? 0 : 1;
