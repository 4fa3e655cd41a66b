/** A procedure as context for the chat of an LLM: copied, or opened as a document. */
import * as vscode from 'vscode';
import { ask } from './ask';
import { showMarkdown } from './open';
import { copiedProcedureText } from './procedureText';
import { GetProcedureContext } from './methods';
import type { Server } from './server';
import { words } from './words';

export interface ProcedurePlace {
  uri: string;
  /** 1-based. */
  line: number;
}

/** Returns the place of the cursor in a module; undefined, and said so, when there is none. */
export function cursorPlace(): ProcedurePlace | undefined {
  const editor = vscode.window.activeTextEditor;
  if (editor?.document.languageId === 'bsl') {
    return { uri: editor.document.uri.toString(), line: editor.selection.active.line + 1 };
  }
  sayOutside();
  return undefined;
}

/** Says that the cursor is not in a procedure. */
export function sayOutside(): void {
  void vscode.window.showInformationMessage(words().t('BSL Scout: put the cursor into a procedure of a BSL module.'));
}

/** Copies the context of the procedure under the cursor, or of the one of a list that is given. */
export async function copyProcedure(server: Server, place = cursorPlace()): Promise<void> {
  if (!place) {
    return;
  }
  const { t } = words();
  const maxChars = vscode.workspace.getConfiguration('bslScout.procedures').get('maxChars', -1);
  const progress = { location: vscode.ProgressLocation.Window, title: t('Reading the procedure…') };
  const params = { ...place, maxChars };
  const context = await vscode.window.withProgress(progress, () => ask(server, GetProcedureContext, params));
  await vscode.env.clipboard.writeText(context.text);
  const show = t('Show');
  void vscode.window.showInformationMessage(copiedProcedureText(context, words()), show).then(answer => {
    if (answer === show) {
      void showMarkdown(context.text);
    }
  });
}
