/** Shows hits in a preview tab while the user moves through a list, and puts everything back. */
import * as vscode from 'vscode';
import { openTarget, type Target } from './open';

const SETTLE_MS = 60;

interface Origin {
  uri: vscode.Uri;
  column: vscode.ViewColumn | undefined;
  selections: readonly vscode.Selection[];
  top: vscode.Range | undefined;
  preview: boolean;
}

export class Preview implements vscode.Disposable {
  private readonly origin = originOf(vscode.window.activeTextEditor);
  private readonly openBefore = new Set(textTabs().map(tab => uriOf(tab)?.toString()));
  /** A preview tab behind the active one: the editor takes its place for ours. */
  private readonly replaced = replacedPreview();
  private readonly shown = new Set<string>();
  private readonly mark = vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
    backgroundColor: new vscode.ThemeColor('editor.rangeHighlightBackground'),
  });
  private timer: NodeJS.Timeout | undefined;
  private wanted: Target | undefined;
  private showing: Promise<void> = Promise.resolve();

  /** Shows a hit soon, in place of the one before it. */
  later(target: Target, delay = SETTLE_MS): void {
    this.wanted = target;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.showing = this.showing.then(() => this.show());
    }, delay);
  }

  /** Shows nothing more; resolves when the last one has settled. */
  async settle(): Promise<void> {
    clearTimeout(this.timer);
    this.wanted = undefined;
    await this.showing;
  }

  /** Puts back the editor, its selection and its scroll position, and closes what only the preview had opened. */
  async restore(): Promise<void> {
    await this.settle();
    await this.putBack(false);
  }

  /** Puts everything back while the list stays open: there is nothing to show. */
  blank(): void {
    clearTimeout(this.timer);
    this.wanted = undefined;
    this.showing = this.showing.then(() => this.putBack(true));
  }

  private async putBack(preserveFocus: boolean): Promise<void> {
    if (this.shown.size === 0) {
      return;
    }
    if (this.replaced) {
      await quietly(vscode.window.showTextDocument(this.replaced, { preview: true, preserveFocus: true }));
    }
    if (this.origin) {
      const { uri, column, selections, top, preview } = this.origin;
      const editor = await quietly(vscode.window.showTextDocument(uri, { viewColumn: column, preview, preserveFocus }));
      if (editor) {
        editor.selections = selections;
        if (top) {
          editor.revealRange(top, vscode.TextEditorRevealType.AtTop);
        }
      }
    }
    const ours = textTabs().filter(tab => {
      const uri = uriOf(tab)?.toString();
      return tab.isPreview && uri !== undefined && this.shown.has(uri) && !this.openBefore.has(uri);
    });
    await quietly(vscode.window.tabGroups.close(ours, preserveFocus || !this.origin));
    this.shown.clear();
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.mark.dispose();
  }

  private async show(): Promise<void> {
    const target = this.wanted;
    if (!target) {
      return;
    }
    this.wanted = undefined;
    try {
      const editor = await openTarget(target, { preview: true, preserveFocus: true, viewColumn: this.origin?.column });
      this.shown.add(editor.document.uri.toString());
      editor.setDecorations(this.mark, [editor.selection]);
    } catch {
      // a file that is gone has no preview; opening it says so
    }
  }
}

function originOf(editor: vscode.TextEditor | undefined): Origin | undefined {
  return editor && {
    uri: editor.document.uri,
    column: editor.viewColumn,
    selections: editor.selections,
    top: editor.visibleRanges[0],
    preview: vscode.window.tabGroups.activeTabGroup.activeTab?.isPreview ?? false,
  };
}

function textTabs(): vscode.Tab[] {
  return vscode.window.tabGroups.all.flatMap(group => group.tabs);
}

function replacedPreview(): vscode.Uri | undefined {
  const tab = vscode.window.tabGroups.activeTabGroup.tabs.find(one => one.isPreview && !one.isActive);
  return tab && uriOf(tab);
}

function uriOf(tab: vscode.Tab): vscode.Uri | undefined {
  return tab.input instanceof vscode.TabInputText ? tab.input.uri : undefined;
}

async function quietly<T>(promise: Thenable<T>): Promise<T | undefined> {
  try {
    return await promise;
  } catch {
    // the file may be gone by now; what can be put back is
    return undefined;
  }
}
