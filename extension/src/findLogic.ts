/** Find Logic: what the code does is typed, the procedure is opened. */
import * as vscode from 'vscode';
import type { Found } from './ask';
import { pickCollection, pickMode } from './choices';
import { oneLine } from './format';
import { History } from './history';
import { modeOf } from './modes';
import { Picker, type Memory, type Similar } from './picker';
import { Preview } from './preview';
import type { Collection, Mode } from './protocol';
import type { Server } from './server';

const MODE = 'bslScout.mode';

/** Opens the list of results; the mode is kept for the workspace, where to search for one opening: a filter left on hides hits silently. */
export class LogicFinder implements Memory {
  collection: Collection = 'all';
  readonly history: History;
  private opened: Picker | undefined;

  constructor(
    private readonly server: Server,
    private readonly state: vscode.Memento,
    readonly found: (found: Found) => void,
    readonly pin: () => Thenable<unknown>,
  ) {
    this.history = new History(state);
  }

  get mode(): Mode {
    return modeOf(this.state.get(MODE));
  }

  set mode(mode: Mode) {
    void this.state.update(MODE, mode);
  }

  /** Opens the list with a query, or empty. */
  async open(query = ''): Promise<void> {
    await Preview.settled();
    this.picker().show(oneLine(query));
  }

  /** Opens the list with what is similar to a procedure. */
  async openSimilar(similar: Similar): Promise<void> {
    await Preview.settled();
    this.picker().show('', similar);
  }

  /** Lets the mode be chosen: of the list when it is open, else for the next one. */
  async chooseMode(): Promise<void> {
    if (this.opened) {
      await this.opened.chooseMode();
      return;
    }
    this.mode = (await pickMode(this.mode)) ?? this.mode;
  }

  /** Lets it be chosen where is searched: by the list when it is open, else by the next one. */
  async chooseCollection(): Promise<void> {
    if (this.opened) {
      await this.opened.chooseCollection();
      return;
    }
    this.collection = (await pickCollection(this.collection)) ?? this.collection;
  }

  private picker(): Picker {
    const picker = (this.opened = new Picker(this.server, this, gone => {
      if (this.opened === gone) {
        this.opened = undefined;
        this.collection = 'all';
        void vscode.commands.executeCommand('setContext', 'bslScout.picking', false);
      }
    }));
    void vscode.commands.executeCommand('setContext', 'bslScout.picking', true);
    return picker;
  }
}
