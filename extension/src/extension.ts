/** Builds the parts and starts the server; nothing here waits. */
import * as vscode from 'vscode';
import { orSay, registerCommands } from './commands';
import { DiagnosticsPage } from './diagnostics';
import { offerComponents } from './installComponents';
import { Results } from './results';
import { wantedOffers } from './offers';
import { tellReady } from './ready';
import { Server } from './server';
import { showStatus } from './status';
import type { ScoutState } from './statusText';
import { tellWaiting } from './waiting';
import { tickFound } from './walkthrough';

const SETUP_SETTINGS = ['bslScout.wheelhouse', 'bslScout.pip', 'python.defaultInterpreterPath', 'http.proxy'];
const SETUP_FAILED = new Set<ScoutState>(['noPython', 'notSetUp']);

/** Settings that the server takes when it starts. */
const RESTARTING = [
  'bslScout.vectors',
  'bslScout.encoder',
  'bslScout.rerank',
  'bslScout.adapt',
  'bslScout.search.synonyms',
];

let server: Server | undefined;

export function activate(context: vscode.ExtensionContext): void {
  const output = vscode.window.createOutputChannel('BSL Scout', { log: true });
  const results = new Results(context.workspaceState);
  const own = (server = new Server(context, output));
  const page = new DiagnosticsPage(own, context);
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
    page,
    showStatus(own),
    tellWaiting(own),
    tellReady(own, context.globalState),
    tickFound(own),
    registerCommands(own, results, page, context.workspaceState),
    vscode.extensions.onDidChange(restartWhenOffersChange),
    vscode.workspace.onDidGrantWorkspaceTrust(() => SETUP_FAILED.has(own.status.state) && own.restart()),
    vscode.workspace.onDidChangeConfiguration(change => {
      void orSay(() => offerComponents(own, change));
      const changed = (names: string[]): boolean => names.some(name => change.affectsConfiguration(name));
      // what only helps to set up does not disturb a server that runs
      if (changed(['bslScout.pythonPath']) || (SETUP_FAILED.has(own.status.state) && changed(SETUP_SETTINGS))) {
        void own.restartElsewhere();
      } else if (changed(RESTARTING)) {
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
