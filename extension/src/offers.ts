/** What the server is asked for in this window, by its settings and extensions. */
import * as vscode from 'vscode';
import { offers, type Choice, type Offers } from './coexistence';

/** Returns what the server is asked for now. */
export function wantedOffers(): Offers {
  const settings = vscode.workspace.getConfiguration('bslScout');
  return offers(setting => settings.get<Choice>(setting, 'auto'), vscode.extensions.all);
}
