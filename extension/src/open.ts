/** Opens the line of a hit. */
import * as vscode from 'vscode';
import { reasonOf } from './format';
import { words } from './words';

export interface Target {
  uri: string;
  line: number;
  column?: number | null;
}

/** Shows the line in the middle of an editor, with the cursor at its beginning. */
export async function openTarget(target: Target, options: vscode.TextDocumentShowOptions): Promise<vscode.TextEditor> {
  const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(target.uri, true));
  const line = Math.min(Math.max(target.line - 1, 0), document.lineCount - 1);
  const position = document.validatePosition(new vscode.Position(line, Math.max((target.column ?? 1) - 1, 0)));
  const editor = await vscode.window.showTextDocument(document, { ...options, selection: new vscode.Range(position, position) });
  editor.revealRange(new vscode.Range(position, position), vscode.TextEditorRevealType.InCenter);
  return editor;
}

/** Opens a text as a new document. */
export async function showMarkdown(text: string): Promise<void> {
  const document = await vscode.workspace.openTextDocument({ language: 'markdown', content: text });
  await vscode.window.showTextDocument(document, { preview: false });
}

/** Opens a hit for good; a file that cannot be opened is told about. */
export async function openForGood(target: Target, column?: vscode.ViewColumn): Promise<void> {
  try {
    await openTarget(target, { preview: false, viewColumn: column });
  } catch (error) {
    const reason = reasonOf(error);
    void vscode.window.showErrorMessage(words().t('BSL Scout: the file could not be opened. {0}', reason));
  }
}
