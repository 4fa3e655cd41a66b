/** Ticks the step of the walkthrough that asks for a configuration, once there is one. */
import * as vscode from 'vscode';
import type { Server } from './server';
import { hasSources } from './statusText';

/** The editor loads its walkthroughs with the first page that shows one. */
const LOADED_MS = 500;

/**
 * Ticks the step when sources are found, and when a page is opened that may show it. A key that holds already when the walkthrough is
 * loaded ticks nothing in VS Code, now and later: only its change does, so the key holds for a moment.
 */
export function tickFound(server: Server): vscode.Disposable {
  let found = false;
  const tick = (): void => {
    if (found) {
      void vscode.commands.executeCommand('setContext', 'bslScout.found', true);
      void vscode.commands.executeCommand('setContext', 'bslScout.found', false);
    }
  };
  return vscode.Disposable.from(
    server.onStatus(status => {
      if (found !== hasSources(status)) {
        found = !found;
        tick();
      }
    }),
    vscode.window.tabGroups.onDidChangeTabs(({ opened, changed }) => {
      // the page of a walkthrough has no kind that extensions know
      if ([...opened, ...changed].some(tab => tab.input === undefined)) {
        setTimeout(tick, LOADED_MS);
      }
    }),
  );
}
