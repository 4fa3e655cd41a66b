/** Shows hits in a preview tab while the user moves through a list, and puts everything back. */
import * as vscode from 'vscode';
import { openTarget, type Target } from './open';
import { allTabs, placeOf, reopens, showAgain, showsQuietly, uriOf, type Place } from './tabs';

const SETTLE_MS = 60;
const PATIENCE_MS = 1_000;

/** What there was before the first hit was shown, and what was shown since. */
interface Before {
  origin: Place | undefined;
  /** A preview tab behind the active one: the editor takes its place for ours. */
  replaced: Place | undefined;
  open: ReadonlySet<string | undefined>;
  /** Whether what is shown gets tabs that are kept: preview tabs are switched off, or ours would replace one that cannot be reopened. */
  apart: boolean;
  shown: Set<string>;
}

export class Preview implements vscode.Disposable {
  /** The one whose list is open. */
  private static current: Preview | undefined;
  /** What a list could not put back before the next one was open: that one does it when it closes. */
  private static left: Before | undefined;
  /** What the lists do with editors, one after the other: none looks at what another is about to put back. */
  private static queue: Promise<void> = Promise.resolve();
  /** What was chosen in the last list is being opened until then, and takes the focus. */
  private static opening: Promise<void> = Promise.resolve();

  private before!: Before;
  private readonly mark = vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
    backgroundColor: new vscode.ThemeColor('editor.rangeHighlightBackground'),
  });
  private timer: NodeJS.Timeout | undefined;
  private wanted: Target | undefined;
  private ended: Promise<void> | undefined;

  constructor() {
    void Preview.current?.restore();
    Preview.current = this;
    void Preview.inTurn(() => {
      this.before = Preview.left ?? lookAround();
      Preview.left = undefined;
    });
  }

  /** Shows a hit soon, in place of the one before it. */
  later(target: Target, delay = SETTLE_MS): void {
    this.wanted = target;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void Preview.inTurn(() => this.show()), delay);
  }

  /** Resolves when a list that is opened keeps the focus; a file that takes long to open is not waited for. */
  static async settled(): Promise<void> {
    await Promise.race([Promise.allSettled([Preview.opening]), new Promise(resolve => setTimeout(resolve, PATIENCE_MS))]);
  }

  /** The list is closed: opens what was chosen in it, and puts nothing back. */
  leaveFor(open: () => Promise<void>): Promise<void> {
    return (Preview.opening = this.end(open));
  }

  /**
   * The list is closed: puts back the tab, its selection and its scroll position, and closes what only the preview had opened. Then `open`
   * opens what was chosen beside it.
   */
  restore(open?: () => Promise<void>): Promise<void> {
    const done = this.end(async () => {
      if (Preview.current) {
        Preview.left = this.before;
      } else {
        await this.putBack();
      }
      await open?.();
    });
    Preview.opening = open ? done : Preview.opening;
    return done;
  }

  /** Puts everything back while the list stays open: there is nothing to show. */
  blank(): void {
    this.forget();
    void Preview.inTurn(() => {
      const { origin } = this.before;
      if (!origin || showsQuietly(origin)) {
        return this.putBack();
      }
      // it would take the focus, and the list would close; what is previewed stays until then
      vscode.window.visibleTextEditors.forEach(editor => editor.setDecorations(this.mark, []));
      return undefined;
    });
  }

  dispose(): void {
    this.forget();
    this.mark.dispose();
  }

  /** Leads the focus back from a list that is closed; another one keeps it. */
  private static async focusEditor(): Promise<void> {
    if (!Preview.current) {
      await quietly(() => vscode.commands.executeCommand('workbench.action.focusActiveEditorGroup'));
    }
  }

  private static inTurn(step: () => Promise<void> | void): Promise<void> {
    const done = Preview.queue.then(step);
    // a failure is told to who waits for it; the next ones have their turn all the same
    Preview.queue = done.catch(() => undefined);
    return done;
  }

  private forget(): void {
    clearTimeout(this.timer);
    this.wanted = undefined;
  }

  private end(last: () => Promise<void>): Promise<void> {
    this.forget();
    if (Preview.current === this) {
      Preview.current = undefined;
    }
    return (this.ended ??= Preview.inTurn(last));
  }

  private async putBack(): Promise<void> {
    const { origin, replaced, shown } = this.before;
    if (shown.size === 0) {
      return;
    }
    // a text stays focused when another takes its place; first, because a list that is opened meanwhile would lose the focus
    if (origin && reopens(origin)) {
      await Preview.focusEditor();
    }
    await quietly(() => replaced && reopens(replaced) && showAgain(replaced));
    await quietly(() => origin && showAgain(origin));
    if (origin && !reopens(origin)) {
      await Preview.focusEditor();
    }
    await this.closeShown();
    shown.clear();
  }

  /** Closes what only the preview had opened, and the user has not kept since. */
  private async closeShown(except?: string): Promise<void> {
    const { open, apart, shown } = this.before;
    const ours = allTabs().filter(tab => {
      const uri = uriOf(tab)?.toString();
      return (tab.isPreview || apart) && uri !== undefined && uri !== except && shown.has(uri) && !open.has(uri);
    });
    await quietly(() => vscode.window.tabGroups.close(ours, true));
  }

  private async show(): Promise<void> {
    const target = this.wanted;
    if (!target) {
      return;
    }
    this.wanted = undefined;
    const { origin, apart, shown } = this.before;
    await quietly(async () => {
      if (origin?.preview && !reopens(origin)) {
        await vscode.commands.executeCommand('workbench.action.keepEditor');
        origin.preview = false;
      }
      // a file that is gone has no preview; opening it says so
      const editor = await openTarget(target, { preview: !apart, preserveFocus: true, viewColumn: origin?.column });
      const uri = editor.document.uri.toString();
      shown.add(uri);
      editor.setDecorations(this.mark, [editor.selection]);
      if (apart) {
        await this.closeShown(uri);
      }
    });
  }
}

function lookAround(): Before {
  const { activeTab, tabs } = vscode.window.tabGroups.activeTabGroup;
  const behind = tabs.find(tab => tab.isPreview && !tab.isActive);
  const replaced = behind && placeOf(behind);
  const takeTurns = vscode.workspace.getConfiguration('workbench.editor').get('enablePreview', true);
  return {
    origin: activeTab && placeOf(activeTab),
    replaced,
    open: new Set(allTabs().map(tab => uriOf(tab)?.toString())),
    apart: !takeTurns || (replaced !== undefined && !reopens(replaced)),
    shown: new Set(),
  };
}

async function quietly(act: () => unknown): Promise<void> {
  try {
    await act();
  } catch {
    // the file may be gone by now; what can be put back is
  }
}
