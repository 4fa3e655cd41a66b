/** Builds the parts and starts the server; nothing here waits. */
import * as vscode from 'vscode';
import { registerCommands } from './commands';
import { Results } from './results';
import { semanticTokensWanted } from './semanticTokens';
import { Server } from './server';
import { showStatus } from './status';

/** Settings that the server takes when it starts. */
const RESTARTING = [
  'bslScout.pythonPath',
  'bslScout.vectors',
  'bslScout.encoder',
  'bslScout.rerank',
  'bslScout.adapt',
  'bslScout.search.synonyms',
];

let server: Server | undefined;

export function activate(context: vscode.ExtensionContext): void {
  const output = vscode.window.createOutputChannel('BSL Scout');
  const results = new Results();
  const own = (server = new Server(context, output));
  let semanticTokens = semanticTokensWanted();
  const restartWhenColoursChange = (): void => {
    if (semanticTokens !== semanticTokensWanted()) {
      semanticTokens = semanticTokensWanted();
      void own.restart();
    }
  };
  context.subscriptions.push(
    output,
    results,
    own,
    showStatus(own),
    registerCommands(own, results),
    vscode.extensions.onDidChange(restartWhenColoursChange),
    vscode.workspace.onDidGrantWorkspaceTrust(() => own.status.state === 'noPython' && own.restart()),
    vscode.workspace.onDidChangeConfiguration(change => {
      if (RESTARTING.some(setting => change.affectsConfiguration(setting))) {
        void own.restart();
      } else {
        restartWhenColoursChange();
      }
    }),
  );
  void own.restart();
}

export async function deactivate(): Promise<void> {
  await server?.stop();
}
