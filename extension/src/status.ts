/** The state of the server and of the index: in the status bar, and at the language of a BSL file. */
import * as vscode from 'vscode';
import type { Server } from './server';
import { statusView, type ScoutStatus } from './statusText';
import { words } from './words';

/** Shows every state of a server until it is disposed. */
export function showStatus(server: Server): vscode.Disposable {
  const { t } = words();
  const language = vscode.languages.createLanguageStatusItem('bslScout.status', { language: 'bsl' });
  const bar = vscode.window.createStatusBarItem('bslScout.status', vscode.StatusBarAlignment.Right, 90);
  language.name = bar.name = 'BSL Scout';
  language.command = { command: 'bslScout.indexStatus', title: t('Index Status') };
  bar.command = 'bslScout.indexStatus';
  const show = (status: ScoutStatus): void => {
    const view = statusView(status, words());
    language.text = `BSL Scout: ${view.text}`;
    language.detail = view.detail;
    language.busy = view.busy;
    language.severity = SEVERITY[view.severity];
    bar.text = `${view.busy ? '$(sync~spin)' : ICON[view.severity]} BSL Scout: ${view.text}`;
    bar.tooltip = view.detail;
    bar.backgroundColor = view.severity === 'information' ? undefined : new vscode.ThemeColor(`statusBarItem.${view.severity}Background`);
    void vscode.commands.executeCommand('setContext', 'bslScout.active', ACTIVE.has(status.state));
    void vscode.commands.executeCommand('setContext', 'bslScout.indexing', status.state === 'indexing');
    void vscode.commands.executeCommand('setContext', 'bslScout.empty', status.state === 'empty');
  };
  show(server.status);
  bar.show();
  return vscode.Disposable.from(server.onStatus(show), language, bar);
}

// the list may be opened while the server starts: what is typed is asked as soon as it answers
const ACTIVE = new Set<ScoutStatus['state']>(['starting', 'settingUp', 'indexing', 'ready', 'locked', 'missing', 'full', 'paused']);
const ICON = { information: '$(search)', warning: '$(warning)', error: '$(error)' };
const SEVERITY = {
  information: vscode.LanguageStatusSeverity.Information,
  warning: vscode.LanguageStatusSeverity.Warning,
  error: vscode.LanguageStatusSeverity.Error,
};
