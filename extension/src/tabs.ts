/** Tabs of the editor that are shown again after others have been in front of them or in their place. */
import * as vscode from 'vscode';

/** A tab as it was, and what of its text was on screen. */
export interface Place {
  tab: vscode.Tab;
  input: unknown;
  label: string;
  column: vscode.ViewColumn;
  preview: boolean;
  text: { selections: readonly vscode.Selection[]; top: vscode.Range | undefined } | undefined;
}

export function placeOf(tab: vscode.Tab): Place {
  const column = tab.group.viewColumn;
  const uri = uriOf(tab)?.toString();
  const editor = vscode.window.visibleTextEditors.find(one => one.viewColumn === column && one.document.uri.toString() === uri);
  const text = editor && { selections: editor.selections, top: editor.visibleRanges[0] };
  return { tab, input: tab.input, label: tab.label, column, preview: tab.isPreview, text };
}

/** Whether a tab can be opened anew as it was once it is closed: a comparison or a page of an extension cannot. */
export function reopens({ input }: Place): boolean {
  return input instanceof vscode.TabInputText;
}

/** Whether a tab can be shown while a list keeps the focus. */
export function showsQuietly({ input }: Place): boolean {
  return input instanceof vscode.TabInputText || input instanceof vscode.TabInputTextDiff;
}

/** Shows a tab again; one that `reopens` is opened anew when it is gone. The focus stays where it is if `showsQuietly`. */
export async function showAgain(place: Place): Promise<void> {
  const { tab, input, label, column: viewColumn, preview, text } = place;
  const options: vscode.TextDocumentShowOptions = { viewColumn, preview, preserveFocus: true };
  if (input instanceof vscode.TabInputText) {
    const editor = await vscode.window.showTextDocument(input.uri, options);
    if (text) {
      editor.selections = text.selections;
    }
    if (text?.top) {
      editor.revealRange(text.top, vscode.TextEditorRevealType.AtTop);
    }
  } else if (input instanceof vscode.TabInputTextDiff) {
    await vscode.commands.executeCommand('vscode.diff', input.original, input.modified, label, options);
  } else {
    const index = tab.group.tabs.indexOf(tab);
    if (index >= 0) {
      await vscode.commands.executeCommand('workbench.action.openEditorAtIndex', index);
    }
  }
}

export function allTabs(): vscode.Tab[] {
  return vscode.window.tabGroups.all.flatMap(group => group.tabs);
}

/** Returns the file that a tab shows as text. */
export function uriOf(tab: vscode.Tab): vscode.Uri | undefined {
  return tab.input instanceof vscode.TabInputText ? tab.input.uri : undefined;
}
