// Offers the governed tools (`bailiwick mcp`) of each governed folder to the editor's own agent, where the editor takes
// MCP servers of extensions (VS Code 1.101 and later).

import * as vscode from 'vscode';
import type { Connection } from './connection';
import type { Model } from './model';
import { offers } from './offers';

/** Newer than the interfaces that the extension is compiled against. */
interface NewerEditor {
  lm?: { registerMcpServerDefinitionProvider?(id: string, provider: Provider): vscode.Disposable };
  McpStdioServerDefinition?: new (
    label: string,
    command: string,
    args: string[],
    env: Record<string, string>,
    version: string,
  ) => { cwd?: vscode.Uri };
}

interface Provider {
  onDidChangeMcpServerDefinitions: vscode.Event<void>;
  provideMcpServerDefinitions(): unknown[];
}

export function offerGovernedTools(model: Model, connection: Connection): vscode.Disposable {
  const { lm, McpStdioServerDefinition: Server } = vscode as NewerEditor;
  if (!lm?.registerMcpServerDefinitionProvider || !Server) return new vscode.Disposable(() => undefined);
  const changed = new vscode.EventEmitter<void>();
  const wanted = () => vscode.workspace.getConfiguration('bailiwick').get<boolean>('governedTools', true);
  const offered = () => (wanted() ? offers(model.governed, connection.program, connection.version) : []);
  let last = '';
  const update = () => {
    const now = JSON.stringify(offered());
    if (now !== last) changed.fire();
    last = now;
  };
  return vscode.Disposable.from(
    changed,
    model.onChanged(update),
    vscode.workspace.onDidChangeConfiguration(event => {
      if (event.affectsConfiguration('bailiwick.governedTools')) update();
    }),
    lm.registerMcpServerDefinitionProvider('bailiwick.governedTools', {
      onDidChangeMcpServerDefinitions: changed.event,
      provideMcpServerDefinitions: () =>
        offered().map(({ label, command, args, root, version }) => {
          const server = new Server(label, command, args, {}, version);
          server.cwd = vscode.Uri.file(root);
          return server;
        }),
    }),
  );
}
