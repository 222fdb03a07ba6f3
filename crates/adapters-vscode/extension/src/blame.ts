// Who wrote each line, on demand: a note at the end of the line, a hover on it, and a lens above functions and types.

import * as vscode from 'vscode';
import type { Answers } from './answers';
import { placeIn } from './commands';
import type { Model } from './model';
import { type BlameLine, type MapRow } from './queries';
import { endNote, hoverLines, lastOf } from './blameWords';
import { inert } from './words';

const NOTE = vscode.window.createTextEditorDecorationType({
  after: { color: new vscode.ThemeColor('editorCodeLens.foreground'), margin: '0 0 0 3em', fontStyle: 'normal' },
  isWholeLine: true,
});

const LENSED = new Set([
  vscode.SymbolKind.Class, vscode.SymbolKind.Interface, vscode.SymbolKind.Struct, vscode.SymbolKind.Enum,
  vscode.SymbolKind.Function, vscode.SymbolKind.Method, vscode.SymbolKind.Constructor, vscode.SymbolKind.Module,
]);
const LENSES = 200;

export class Blame implements vscode.HoverProvider, vscode.CodeLensProvider, vscode.Disposable {
  private on = false;
  private readonly lensesChanged = new vscode.EventEmitter<void>();
  readonly onDidChangeCodeLenses = this.lensesChanged.event;
  private readonly parts: vscode.Disposable;

  constructor(
    private readonly model: Model,
    private readonly answers: Answers,
  ) {
    const files = { scheme: 'file' };
    const redraw = () => void this.draw();
    this.parts = vscode.Disposable.from(
      NOTE,
      this.lensesChanged,
      vscode.languages.registerHoverProvider(files, this),
      vscode.languages.registerCodeLensProvider(files, this),
      vscode.commands.registerCommand('bailiwick.blame', () => this.toggle()),
      vscode.window.onDidChangeTextEditorSelection(redraw),
      vscode.window.onDidChangeActiveTextEditor(redraw),
      vscode.workspace.onDidSaveTextDocument(redraw),
      answers.onChanged(() => {
        this.lensesChanged.fire();
        redraw();
      }),
      vscode.workspace.onDidChangeConfiguration(event => {
        if (event.affectsConfiguration('bailiwick.codeLens')) this.lensesChanged.fire();
      }),
    );
  }

  private async toggle(): Promise<void> {
    this.on = !this.on;
    await this.draw();
  }

  /** The blame of a file as it is on disk; none where it is unsaved, as line numbers would differ. */
  private async of(document: vscode.TextDocument): Promise<BlameLine[]> {
    const place = placeIn(this.model, document.uri);
    if (!place || document.isDirty) return [];
    // A file that no entry names needs no blame.
    const map = await this.answers.query<{ rows: MapRow[] }>(place.root, 'ledger', ['map', `--intents=${place.path}`]);
    if (map.rows.length === 0) return [];
    const args = ['trace', 'blame', '--', place.path];
    const { lines } = await this.answers.query<{ lines: BlameLine[] }>(place.root, 'ledger', args);
    return lines;
  }

  private async draw(): Promise<void> {
    const editor = vscode.window.activeTextEditor;
    for (const other of vscode.window.visibleTextEditors) {
      if (other !== editor || !this.on) other.setDecorations(NOTE, []);
    }
    if (!editor || !this.on) return;
    try {
      const line = editor.selection.active.line;
      const lines = await this.of(editor.document);
      if (vscode.window.activeTextEditor !== editor || editor.selection.active.line !== line) return;
      const blamed = lines.find(each => each.line === line + 1);
      const note = endNote(blamed, Date.now());
      const range = editor.document.lineAt(line).range;
      editor.setDecorations(NOTE, [{ range, renderOptions: { after: { contentText: note } } }]);
    } catch {
      editor.setDecorations(NOTE, []);
    }
  }

  async provideHover(document: vscode.TextDocument, position: vscode.Position): Promise<vscode.Hover | undefined> {
    if (!this.on) return undefined;
    const lines = await this.of(document).catch(() => []);
    const blamed = lines.find(each => each.line === position.line + 1);
    if (!blamed?.intent) return undefined;
    const text = new vscode.MarkdownString();
    hoverLines(blamed, await this.approvalOf(document, blamed), Date.now()).forEach((line, index) => {
      if (index > 0) text.appendMarkdown('  \n');
      text.appendText(line);
    });
    return new vscode.Hover(text);
  }

  private async approvalOf(document: vscode.TextDocument, blamed: BlameLine): Promise<string | undefined> {
    const place = placeIn(this.model, document.uri);
    if (!place || !blamed.entry) return undefined;
    type Why = { metadata?: { 'dev.bailiwick'?: { approval?: string | null; approved_by?: string | null } } };
    const shown = await this.answers
      .query<Why & { entry?: Why }>(place.root, 'ledger', ['trace', 'show', blamed.entry])
      .catch(() => undefined);
    const own = (shown?.entry ?? shown)?.metadata?.['dev.bailiwick'];
    if (!own?.approval) return undefined;
    return own.approved_by ? `${own.approval} by ${own.approved_by}` : own.approval;
  }

  async provideCodeLenses(document: vscode.TextDocument): Promise<vscode.CodeLens[]> {
    if (!vscode.workspace.getConfiguration('bailiwick').get('codeLens', true)) return [];
    const lines = await this.of(document).catch(() => []);
    if (lines.length === 0) return [];
    const symbols = await vscode.commands.executeCommand<vscode.DocumentSymbol[] | undefined>(
      'vscode.executeDocumentSymbolProvider',
      document.uri,
    );
    const ranges = flat(symbols ?? []).filter(each => LENSED.has(each.kind)).map(each => each.range);
    // Without a language's symbols the file as a whole gets one.
    const whole = new vscode.Range(0, 0, Math.max(0, document.lineCount - 1), 0);
    return (ranges.length > 0 ? ranges : [whole]).slice(0, LENSES).flatMap(range => {
      const last = lastOf(lines, range.start.line + 1, range.end.line + 1);
      if (!last?.intent) return [];
      const title = inert(endNote(last, Date.now()));
      return [new vscode.CodeLens(range, { title, command: 'bailiwick.ledgerOfFile', arguments: [document.uri] })];
    });
  }

  dispose(): void {
    this.parts.dispose();
  }
}

function flat(symbols: readonly vscode.DocumentSymbol[]): vscode.DocumentSymbol[] {
  // Some providers answer with the older kind of symbol, which has no children and no range of its own.
  return symbols.filter(each => each.range !== undefined).flatMap(each => [each, ...flat(each.children ?? [])]);
}
