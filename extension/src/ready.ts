/** Says once in a profile, after the first set-up, that one may search now. */
import * as vscode from 'vscode';
import { ask } from './ask';
import { readyText } from './format';
import { GetDiagnostics } from './methods';
import type { Server } from './server';
import type { ScoutStatus } from './statusText';
import { words } from './words';

const TOLD = 'bslScout.readyTold';

/** Tells that the first index is ready, with what to do next; `state` remembers that it was told. */
export function tellReady(server: Server, state: vscode.Memento): vscode.Disposable {
  const listening = server.onStatus(status => {
    if (isFirst(status, state)) {
      listening.dispose();
      void tell(server, state);
    }
  });
  return listening;
}

function isFirst(status: ScoutStatus, state: vscode.Memento): boolean {
  // another window may have told it meanwhile
  return status.state === 'ready' && !state.get(TOLD);
}

async function tell(server: Server, state: vscode.Memento): Promise<void> {
  const { t } = words();
  try {
    const { folders } = await ask(server, GetDiagnostics, {});
    const procedures = folders.reduce((sum, { content }) => sum + (content?.procedures ?? 0), 0);
    await state.update(TOLD, true);
    const find = t('Find Logic');
    const start = t('Getting Started');
    const chosen = await vscode.window.showInformationMessage(readyText(procedures, words()), find, start);
    if (chosen) {
      await vscode.commands.executeCommand(chosen === find ? 'bslScout.findLogic' : 'bslScout.gettingStarted');
    }
  } catch (error) {
    // the next start tells it
    server.output.warn(`[client] not told that the index is ready: ${String(error)}`);
  }
}
