/** The list of results: what is typed is asked, the rows are previewed and opened. */
import * as vscode from 'vscode';
import { Asker } from './asker';
import { ask, findLogic, type Found } from './ask';
import { pickCollection, pickMode } from './choices';
import { behindText, copiedName, listTitle, reasonOf } from './format';
import type { History } from './history';
import { answerItems, emptyItems, historyItems, infoItem, nameItems, problemItems, rowButtons, type Item } from './items';
import { answeredText, modeName, reasonText } from './modes';
import { isNarrowed, typedName, withName } from './narrowing';
import { openForGood } from './open';
import { Preview } from './preview';
import { FindObjectNames } from './methods';
import type { Answer, Collection, FindLogicParams, Mode, ObjectNames, ObjectNamesParams } from './protocol';
import { ServerProblem, type Server } from './server';
import { indexingText, isWaiting, nothingText, placeholder, statusView } from './statusText';
import { words } from './words';

/** The first row is shown without the user's doing, so it waits until typing has stopped. */
const FIRST_PREVIEW_MS = 350;
/** While an index grows, a query that found nothing is asked again. */
const AGAIN_MS = 1_000;

/** A procedure that others are compared with, by a line of it (1-based). */
export interface Similar {
  uri: string;
  line: number;
}

/** What outlives one opening of the list. */
export interface Memory {
  collection: Collection;
  mode: Mode;
  readonly history: History;
  found(found: Found): void;
  pin(): Thenable<unknown>;
}

export class Picker {
  private readonly pick = vscode.window.createQuickPick<Item>();
  private readonly preview = new Preview();
  private readonly words = words();
  private readonly settings = vscode.workspace.getConfiguration('bslScout.search');
  private readonly buttons = {
    mode: { iconPath: new vscode.ThemeIcon('settings'), tooltip: this.words.t('Search Mode') },
    filter: { iconPath: new vscode.ThemeIcon('filter'), tooltip: this.words.t('Where to Search') },
    pin: { iconPath: new vscode.ThemeIcon('pin'), tooltip: this.words.t('Pin Results') },
  };
  private readonly row = rowButtons(this.words);
  private readonly asker = new Asker<FindLogicParams, Answer>((params, signal) => findLogic(this.server, params, signal), {
    busy: on => (this.pick.busy = on),
    answer: (params, answer) => this.showAnswer(params, answer),
    failure: (_, error) => this.showFailure(error),
  });
  private readonly namer = new Asker<ObjectNamesParams, ObjectNames>(
    (params, signal) => ask(this.server, FindObjectNames, params, signal),
    {
      busy: on => (this.pick.busy = on),
      answer: (_, names) => (this.pick.items = nameItems(names, this.words)),
      failure: (_, error) => this.showFailure(error),
    },
  );
  private readonly listening: vscode.Disposable;
  private similar: Similar | undefined;
  private note = '';
  private behind = '';
  /** The last answer had no rows, and when it was asked for. */
  private nothing = false;
  private asked = 0;
  private choosing = false;
  /** Rows that became active since the rows were set: the first one is not the user's doing. */
  private activations = 0;
  /** The rows would be other ones when the index were complete. */
  private incomplete = false;
  private closed = false;

  constructor(
    private readonly server: Server,
    private readonly memory: Memory,
    private readonly gone: (picker: Picker) => void,
  ) {
    const { pick } = this;
    // the server has ranked the rows: they are neither filtered nor sorted here (the property is not in the typings yet)
    Object.assign(pick, { sortByLabel: false });
    pick.buttons = [this.buttons.mode, this.buttons.filter, this.buttons.pin];
    pick.onDidChangeValue(() => this.search());
    pick.onDidChangeActive(([item]) => this.activate(item));
    pick.onDidAccept(() => this.accept(pick.activeItems[0]));
    pick.onDidTriggerButton(button => this.titleButton(button));
    pick.onDidTriggerItemButton(({ item, button }) => this.rowButton(item, button));
    pick.onDidHide(() => this.hidden());
    this.listening = server.onStatus(status => {
      this.describe();
      const better = status.state === 'ready' && this.incomplete && this.activations < 2;
      const more = status.state === 'indexing' && this.nothing && Date.now() - this.asked > AGAIN_MS;
      if (better || more || status.state === 'empty') {
        this.search(0);
      }
    });
  }

  show(query: string, similar?: Similar): void {
    this.similar = similar;
    this.describe();
    this.pick.show();
    this.pick.value = query;
    this.search(0);
  }

  /** Lets a mode be chosen, and asks again in it. */
  async chooseMode(): Promise<void> {
    const mode = await this.aside(() => pickMode(this.memory.mode));
    if (mode) {
      this.memory.mode = mode;
    }
    this.back();
  }

  private describe(): void {
    const { status } = this.server;
    const { mode } = this.memory;
    this.pick.placeholder = this.similar ? this.words.t('Similar to the procedure; type to search in words') : placeholder(status, this.words);
    // while the index grows its present state is told, not that of the last answer
    const growing = status.state === 'indexing' ? indexingText(status, this.words) : this.behind;
    const state = isWaiting(status) || status.state === 'paused' ? statusView(status, this.words).text : growing;
    const shown = mode === 'auto' || this.isSimilar || this.note ? '' : modeName(mode, this.words);
    this.pick.title = listTitle(this.memory.collection, [shown, state, this.note].filter(Boolean).join(' · '), this.words);
  }

  private get isSimilar(): boolean {
    return this.similar !== undefined && !this.pick.value.trim();
  }

  private search(delay = this.settings.get('debounce', 120)): void {
    const query = this.pick.value.trim();
    const top = this.settings.get('top', 20);
    this.asked = Date.now();
    this.nothing = false;
    this.asker.cancel();
    this.namer.cancel();
    const name = typedName(this.pick.value);
    if (name !== undefined || (!query && !this.similar)) {
      // what the title told was about the last answer
      this.note = this.behind = '';
      this.describe();
    }
    if (name !== undefined) {
      this.namer.later({ query: name }, delay);
    } else if (query) {
      const { mode, collection } = this.memory;
      this.asker.later({ query, mode, top, collection }, delay);
    } else if (this.similar) {
      this.asker.later({ query: '', top, ...this.similar }, 0);
    } else {
      this.preview.blank();
      const empty = this.server.status.state === 'empty';
      this.pick.items = empty ? emptyItems(this.words) : historyItems(this.memory.history.queries, this.words, this.row.forget);
    }
  }

  private showAnswer(params: FindLogicParams, answer: Answer): void {
    const about = params.uri && answer.query ? this.words.t('Similar to {0}', answer.query) : '';
    this.incomplete = ['words', 'no-vectors'].includes(answer.route.code) || answer.fresh.pending > 0 || this.server.status.state !== 'ready';
    this.activations = 0;
    this.nothing = answer.hits.length === 0;
    const empty = this.server.status.state === 'empty' && this.nothing;
    this.note = empty ? '' : [about, answeredText(answer, this.words)].filter(Boolean).join(' · ');
    this.behind = empty ? '' : behindText(answer, this.words);
    const advice = this.advice(params, reasonText(answer.route, this.words));
    this.pick.items = empty ? emptyItems(this.words) : answerItems(answer, this.words, [this.row.side, this.row.copy], advice);
    // a note may stand above the first hit; Enter still opens the hit
    this.pick.activeItems = this.pick.items.filter(item => item.hit).slice(0, 1);
    this.describe();
    this.memory.found({ params, answer });
    if (this.nothing) {
      this.preview.blank();
    }
  }

  private advice({ query, uri }: FindLogicParams, reason: string): string {
    if (uri) {
      return reason;
    }
    return isNarrowed(query) && this.memory.collection === 'all'
      ? this.words.t('After @ stands a metadata object, a kind of objects or a subsystem.')
      : nothingText(this.server.status, this.memory.collection, this.words);
  }

  private showFailure(error: unknown): void {
    this.incomplete = true;
    const down = error instanceof ServerProblem;
    const failed = infoItem(this.words.t('The search failed'), reasonOf(error), 'error');
    this.pick.items = down ? problemItems(this.server.status, this.words) : [failed];
  }

  private activate(item: Item | undefined): void {
    if (item?.hit) {
      this.activations++;
      this.preview.later(item.hit, this.activations > 1 ? undefined : FIRST_PREVIEW_MS);
    }
  }

  private async accept(item: Item | undefined): Promise<void> {
    if (item?.hit) {
      this.remember();
      this.close();
      const { hit } = item;
      await this.preview.leaveFor(() => openForGood(hit));
      this.preview.dispose();
    } else if (item?.insert) {
      this.pick.value = withName(this.pick.value, item.insert);
      this.search(0);
    } else if (item?.query) {
      this.pick.value = item.query;
      this.search(0);
    } else if (item?.command) {
      await this.cancel();
      await vscode.commands.executeCommand(item.command);
    }
  }

  private async titleButton(button: vscode.QuickInputButton): Promise<void> {
    if (button === this.buttons.mode) {
      await this.chooseMode();
    } else if (button === this.buttons.filter) {
      await this.chooseCollection();
    } else {
      this.remember();
      await this.cancel();
      await this.memory.pin();
    }
  }

  private async rowButton({ hit, query }: Item, button: vscode.QuickInputButton): Promise<void> {
    if (query !== undefined) {
      await this.memory.history.remove(query);
      this.search(0);
    } else if (hit && button === this.row.copy) {
      await vscode.env.clipboard.writeText(copiedName(hit));
      vscode.window.setStatusBarMessage(this.words.t('Copied: {0}', copiedName(hit)), 3000);
    } else if (hit) {
      this.remember();
      await this.cancel(() => openForGood(hit, vscode.ViewColumn.Beside));
    }
  }

  /** Lets it be chosen where is searched, and asks again there. */
  async chooseCollection(): Promise<void> {
    const collection = await this.aside(() => pickCollection(this.memory.collection));
    if (collection) {
      this.memory.collection = collection;
    }
    this.back();
  }

  /** Shows another list in place of this one for a while. */
  private async aside<T>(choose: () => Thenable<T>): Promise<T> {
    this.choosing = true;
    this.pick.hide();
    try {
      return await choose();
    } finally {
      this.choosing = false;
    }
  }

  private back(): void {
    this.describe();
    this.pick.show();
    this.search(0);
  }

  private remember(): void {
    void this.memory.history.add(this.pick.value);
  }

  private hidden(): void {
    if (!this.choosing && !this.closed) {
      void this.cancel();
    }
  }

  /** Closes the list and puts the editor back; then something is opened. */
  private async cancel(open?: () => Promise<void>): Promise<void> {
    this.close();
    await this.preview.restore(open);
    this.preview.dispose();
  }

  private close(): void {
    this.closed = true;
    this.asker.cancel();
    this.namer.cancel();
    this.listening.dispose();
    this.pick.dispose();
    this.gone(this);
  }
}
