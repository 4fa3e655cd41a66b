/** Find Logic: what the code does is typed, the procedure is opened. */
import * as vscode from 'vscode';
import type { RequestType } from 'vscode-languageclient/node';
import { Asker } from './asker';
import { answerNote, collectionName, indexingText, listTitle, oneLine } from './format';
import { answerItems, infoItem, nameItems, problemItems, rowButtons, type Item } from './items';
import { isNarrowed, typedName, withName } from './narrowing';
import { openForGood } from './open';
import { Preview } from './preview';
import {
  FindLogic,
  FindObjectNames,
  type Answer,
  type Collection,
  type FindLogicParams,
  type ObjectNames,
  type ObjectNamesParams,
} from './protocol';
import { ServerProblem, type Server } from './server';
import { nothingText, placeholder } from './statusText';
import { words } from './words';

/** The first row is shown without the user's doing, so it waits until typing has stopped. */
const FIRST_PREVIEW_MS = 350;
/** While an index grows, a query that found nothing is asked again. */
const AGAIN_MS = 1_000;
const COLLECTIONS: Collection[] = ['all', 'code', 'metadata', 'form'];

/** What was asked and what came: the tree of pinned results keeps one. */
export interface Found {
  params: FindLogicParams;
  answer: Answer;
}

/** Asks the server, and again when it dies over the question; rejects with a ServerProblem when it does not run. */
export async function ask<P, R>(
  server: Server,
  request: RequestType<P, R, void>,
  params: P,
  signal?: AbortSignal,
  again = true,
): Promise<R> {
  const client = await server.ready();
  signal?.throwIfAborted();
  const source = new vscode.CancellationTokenSource();
  const cancel = () => source.cancel();
  signal?.addEventListener('abort', cancel);
  try {
    return await client.sendRequest(request, params, source.token);
  } catch (error) {
    if (again && !signal?.aborted && server.current !== client) {
      return ask(server, request, params, signal, false);
    }
    throw error;
  } finally {
    signal?.removeEventListener('abort', cancel);
    source.dispose();
  }
}

export class LogicFinder {
  private collection: Collection = 'all';

  constructor(
    private readonly server: Server,
    private readonly found: (found: Found) => void,
    private readonly pin: () => Thenable<unknown>,
  ) {}

  /** Opens the list of results with a query, or empty. */
  open(query = ''): void {
    new Picker(this.server, this.collection, this.found, this.pin, collection => {
      this.collection = collection;
    }).show(oneLine(query));
  }
}

class Picker {
  private readonly pick = vscode.window.createQuickPick<Item>();
  private readonly preview = new Preview();
  private readonly words = words();
  private readonly settings = vscode.workspace.getConfiguration('bslScout.search');
  private readonly buttons = {
    filter: { iconPath: new vscode.ThemeIcon('filter'), tooltip: this.words.t('Where to Search') },
    pin: { iconPath: new vscode.ThemeIcon('pin'), tooltip: this.words.t('Pin Results') },
  };
  private readonly row = rowButtons(this.words);
  private readonly asker = new Asker<FindLogicParams, Answer>((params, signal) => ask(this.server, FindLogic, params, signal), {
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
  private note = '';
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
    private collection: Collection,
    private readonly found: (found: Found) => void,
    private readonly pinFound: () => Thenable<unknown>,
    private readonly chosen: (collection: Collection) => void,
  ) {
    const { pick } = this;
    // the server has ranked the rows: they are neither filtered nor sorted here (the property is not in the typings yet)
    Object.assign(pick, { sortByLabel: false });
    pick.buttons = [this.buttons.filter, this.buttons.pin];
    pick.onDidChangeValue(() => this.search());
    pick.onDidChangeActive(([item]) => this.activate(item));
    pick.onDidAccept(() => this.accept(pick.activeItems[0]));
    pick.onDidTriggerButton(button => (button === this.buttons.filter ? this.chooseCollection() : this.pinAll()));
    pick.onDidTriggerItemButton(({ item, button }) => this.rowButton(item, button));
    pick.onDidHide(() => this.hidden());
    this.listening = server.onStatus(status => {
      this.describe();
      const more = status.state === 'indexing' && this.nothing && Date.now() - this.asked > AGAIN_MS;
      if (more || (status.state === 'ready' && this.incomplete && this.activations < 2)) {
        this.search(0);
      }
    });
  }

  show(query: string): void {
    this.describe();
    this.pick.show();
    if (query) {
      this.pick.value = query;
      this.search(0);
    }
  }

  private describe(): void {
    const { status } = this.server;
    this.pick.placeholder = placeholder(status, this.words);
    const note = status.state === 'indexing' ? indexingText(status.indexed, status.pending, this.words) : this.note;
    this.pick.title = listTitle(this.collection, note, this.words);
  }

  private search(delay = this.settings.get('debounce', 120)): void {
    const query = this.pick.value.trim();
    this.asker.cancel();
    this.namer.cancel();
    this.asked = Date.now();
    this.nothing = false;
    const name = typedName(this.pick.value);
    if (name !== undefined) {
      this.namer.later({ query: name }, delay);
      return;
    }
    if (!query) {
      this.pick.items = [];
      return;
    }
    this.asker.later({ query, mode: 'auto', top: this.settings.get('top', 20), collection: this.collection }, delay);
  }

  private showAnswer(params: FindLogicParams, answer: Answer): void {
    this.note = answerNote(answer, this.words);
    const { status } = this.server;
    this.incomplete = answer.fresh.pending > 0 || status.state !== 'ready';
    this.activations = 0;
    this.nothing = answer.hits.length === 0;
    const advice = isNarrowed(params.query)
      ? this.words.t('After @ stands a metadata object, a kind of objects or a subsystem.')
      : nothingText(status, this.collection, this.words);
    this.pick.items = answerItems(answer, this.words, Object.values(this.row), advice);
    // a note may stand above the first hit; Enter still opens the hit
    this.pick.activeItems = this.pick.items.filter(item => item.hit).slice(0, 1);
    this.describe();
    this.found({ params, answer });
  }

  private showFailure(error: unknown): void {
    const message = error instanceof Error ? error.message : String(error);
    this.incomplete = true;
    this.pick.items =
      error instanceof ServerProblem
        ? problemItems(this.server.status, this.words)
        : [infoItem(this.words.t('The search failed'), message, 'error')];
  }

  private activate(item: Item | undefined): void {
    if (item?.hit) {
      this.activations++;
      this.preview.later(item.hit, this.activations > 1 ? undefined : FIRST_PREVIEW_MS);
    }
  }

  private async accept(item: Item | undefined): Promise<void> {
    if (item?.hit) {
      this.close();
      await this.preview.settle();
      await openForGood(item.hit);
      this.preview.dispose();
    } else if (item?.insert) {
      this.pick.value = withName(this.pick.value, item.insert);
      this.search(0);
    } else if (item?.command) {
      await this.cancel();
      await vscode.commands.executeCommand(item.command);
    }
  }

  private async rowButton({ hit }: Item, button: vscode.QuickInputButton): Promise<void> {
    if (!hit) {
      return;
    }
    if (button === this.row.copy) {
      await vscode.env.clipboard.writeText(hit.symbol);
      vscode.window.setStatusBarMessage(this.words.t('Copied: {0}', hit.symbol), 3000);
    } else {
      await this.cancel();
      await openForGood(hit, vscode.ViewColumn.Beside);
    }
  }

  private async pinAll(): Promise<void> {
    await this.cancel();
    await this.pinFound();
  }

  private async chooseCollection(): Promise<void> {
    const { t } = this.words;
    const items = COLLECTIONS.map(collection => ({
      label: `${collection === this.collection ? '$(check) ' : ''}${collectionName(collection, this.words)}`,
      collection,
    }));
    this.choosing = true;
    this.pick.hide();
    const picked = await vscode.window.showQuickPick(items, { title: t('Where to Search') });
    this.choosing = false;
    if (picked) {
      this.collection = picked.collection;
      this.chosen(picked.collection);
    }
    this.describe();
    this.pick.show();
    this.search(0);
  }

  private hidden(): void {
    if (!this.choosing && !this.closed) {
      void this.cancel();
    }
  }

  /** Closes the list and puts the editor back. */
  private async cancel(): Promise<void> {
    this.close();
    await this.preview.restore();
    this.preview.dispose();
  }

  private close(): void {
    this.closed = true;
    this.asker.cancel();
    this.namer.cancel();
    this.listening.dispose();
    this.pick.dispose();
  }
}
