/** The texts of this window: its language and its translations. */
import * as vscode from 'vscode';
import type { Words } from './format';

/** Returns the translation function and the language of the texts it gives. */
export function words(): Words {
  // without a bundle the texts stay English whatever the language of the editor is
  const lang = vscode.l10n.bundle && vscode.env.language.startsWith('ru') ? 'ru' : 'en';
  return { t: (message, ...args) => vscode.l10n.t(message, ...args), lang };
}

/** Opens the settings that say where the server is and how it is set up. */
export function openSetupSettings(): Thenable<unknown> {
  const query = '@id:bslScout.pythonPath,bslScout.wheelhouse,bslScout.pip.extraArgs';
  // settings of a machine are not among those of the user when the machine is another one
  return vscode.env.remoteName
    ? vscode.commands.executeCommand('workbench.action.openRemoteSettings', { query })
    : vscode.commands.executeCommand('workbench.action.openSettings', query);
}
