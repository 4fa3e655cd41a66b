/** Builds the parts and starts the server; nothing here waits. */
import * as vscode from 'vscode';
import { registerCommands } from './commands';
import { Results } from './results';
import { wantedOffers } from './offers';
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
  const results = new Results(context.workspaceState);
  const own = (server = new Server(context, output));
  let offers = JSON.stringify(wantedOffers());
  const restartWhenOffersChange = (): void => {
    const wanted = JSON.stringify(wantedOffers());
    if (offers !== wanted) {
      offers = wanted;
      void own.restart();
    }
  };
  context.subscriptions.push(
    output,
    results,
    own,
    showStatus(own),
    registerCommands(own, results, context.workspaceState),
    vscode.extensions.onDidChange(restartWhenOffersChange),
    vscode.workspace.onDidGrantWorkspaceTrust(() => own.status.state === 'noPython' && own.restart()),
    vscode.workspace.onDidChangeConfiguration(change => {
      if (RESTARTING.some(setting => change.affectsConfiguration(setting))) {
        void own.restart();
      } else {
        restartWhenOffersChange();
      }
    }),
  );
  void own.restart();
}

export async function deactivate(): Promise<void> {
  await server?.stop();
}
