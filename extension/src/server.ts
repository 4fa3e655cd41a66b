/** Owns the server: starts it, keeps its state, starts it again when it dies. */
import * as fs from 'node:fs';
import * as vscode from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node';
import type { Running } from './client';
import { reasonOf } from './format';
import { CrashBudget, OneAtATime } from './restarts';
import { started } from './run';
import { Setup, SetupProblem, type Interpreter } from './setup';
import { LogLevelChanged } from './methods';
import type { InitializationOptions } from './protocol';
import { LEVELS } from './serverLog';
import { STARTING, type ScoutState, type ScoutStatus } from './statusText';
import { wantedOffers } from './offers';
import { openSetupSettings, words } from './words';

const RESTART_DELAY_MS = 500;
const DOWN = new Set<ScoutState>(['noPython', 'notSetUp', 'stopped']);

/** Why the server does not run, in a sentence for the user. */
export class ServerProblem extends Error {}

export class Server implements vscode.Disposable {
  status: ScoutStatus = STARTING;
  private readonly changed = new vscode.EventEmitter<ScoutStatus>();
  readonly onStatus = this.changed.event;
  private readonly launches = new OneAtATime(() => this.relaunch());
  private readonly crashes = new CrashBudget();
  readonly setup: Setup;
  private setupEnd = new AbortController();
  private running: Running | undefined;
  private problem: Error | undefined;
  private launched: Promise<void> = Promise.resolve();
  private launchNumber = 0;
  private delayMs = 0;
  /** Messages why the server does not run that nobody has answered. */
  private problems = 0;
  private disposed = false;

  constructor(
    private readonly context: vscode.ExtensionContext,
    readonly output: vscode.LogOutputChannel,
  ) {
    context.subscriptions.push(output.onDidChangeLogLevel(level => this.tellLevel(level)));
    this.setup = new Setup(context, line => this.say(line));
  }

  /** Why the server does not run, undefined while it runs or starts. */
  get trouble(): string | undefined {
    return this.problem?.message;
  }

  /** The client of the server that runs now. */
  get current(): LanguageClient | undefined {
    return this.running?.client;
  }

  /** Starts the server, or starts it anew; resolves when that is over, well or not. */
  restart(): Promise<void> {
    this.crashes.reset();
    return this.again();
  }

  /** Starts the server anew with settings that say otherwise where it is: a set-up under way is broken off. */
  restartElsewhere(): Promise<void> {
    this.setupEnd.abort();
    return this.restart();
  }

  /** Installs a component into the server's environment and starts the server with it; throws a SetupProblem. */
  async addComponent(name: string): Promise<void> {
    await this.launched;
    await this.setup.add(name, this.setupEnd.signal);
    await this.restart();
  }

  /** Returns the running client, waiting for a start under way; rejects with a ServerProblem when there is none. */
  async ready(): Promise<LanguageClient> {
    await this.launched;
    if (!this.running) {
      throw this.problem ?? new ServerProblem(words().t('The search server does not run; restart it or look into the log.'));
    }
    return this.running.client;
  }

  /** Stops the server for good. */
  async stop(): Promise<void> {
    this.disposed = true;
    this.setupEnd.abort();
    await this.launched;
    const { running } = this;
    this.running = undefined;
    await running?.end();
    this.setup.dispose();
  }

  dispose(): void {
    this.changed.dispose();
  }

  private again(): Promise<void> {
    this.launched = this.launches.run();
    return this.launched;
  }

  private async relaunch(): Promise<void> {
    const { running } = this;
    this.running = undefined;
    this.problem = undefined;
    await running?.end();
    if (this.disposed) {
      return;
    }
    this.forgetProblems();
    this.show(STARTING);
    await new Promise(resolve => setTimeout(resolve, this.delayMs));
    this.delayMs = 0;
    try {
      this.running = await this.start();
    } catch (error) {
      if (error instanceof SetupProblem) {
        this.problem = new ServerProblem(error.message);
      } else {
        this.problem = error instanceof ServerProblem ? error : new ServerProblem(this.startText(error));
      }
      this.output.error(this.problem.message);
    }
  }

  private async start(): Promise<Running> {
    // not by the editor's own file system: that is asked in another process, which is busy at this time
    fs.mkdirSync(this.context.globalStorageUri.fsPath, { recursive: true });
    const python = await this.interpreter(false);
    try {
      return await this.launch(python);
    } catch (error) {
      if (python.checked) {
        throw error;
      }
      // looked at only now: that takes a process of its own, at each start
      const checked = await this.interpreter(true);
      if (checked.command === python.command) {
        throw error;
      }
      return this.launch(checked);
    }
  }

  private async launch(python: Interpreter): Promise<Running> {
    const storage = this.context.globalStorageUri;
    const args = ['-m', 'bsl_scout', 'lsp', '--index-dir', vscode.Uri.joinPath(storage, 'index').fsPath];
    this.say(`Python ${python.version}: ${[python.command, ...args].join(' ')}`);
    const child = await started(python.command, args, {
      // not a folder of the user: Python would import modules from it
      cwd: storage.fsPath,
      env: { ...python.env, PYTHONUTF8: '1', PYTHONUNBUFFERED: '1' },
    });
    // loading the client library takes a tenth of a second, in which the server starts
    const { connect } = await import('./client.js');
    const number = ++this.launchNumber;
    const running = await connect({
      process: child,
      options: this.options(),
      output: this.output,
      // what an earlier process still says is dropped
      status: status => number === this.launchNumber && this.show(status),
      died: () => number === this.launchNumber && this.died(),
    });
    void this.setup.tidy();
    return running;
  }

  private options(): InitializationOptions {
    const settings = vscode.workspace.getConfiguration('bslScout');
    return {
      locale: words().lang,
      logLevel: LEVELS[this.output.logLevel],
      ...wantedOffers(),
      formDiagnostics: settings.get('forms.diagnostics', true),
      vectors: { store: settings.get('vectors.store', 'exact'), chromaUrl: settings.get('vectors.chromaUrl', '') },
      encoder: settings.get('encoder', ''),
      rerankModel: settings.get('rerank.model', ''),
      adapt: settings.get('adapt', false),
      roots: ofFolders(uri => ({ paths: vscode.workspace.getConfiguration('bslScout', uri).get<string[]>('roots', []) })),
      synonyms: ofFolders(uri => ({ groups: vscode.workspace.getConfiguration('bslScout.search', uri).get<string[]>('synonyms', []) })),
    };
  }

  private async interpreter(doubted: boolean): Promise<Interpreter> {
    this.setupEnd = new AbortController();
    const { signal } = this.setupEnd;
    try {
      const python = await this.setup.interpreter(signal, () => this.show({ ...STARTING, state: 'settingUp' }), doubted);
      if (python.warning) {
        this.ask('warning', python.warning, ['retry', 'log', 'settings']);
      }
      this.show(STARTING);
      return python;
    } catch (error) {
      // whoever broke it off knows
      if (error instanceof SetupProblem && !signal.aborted) {
        this.stopped(error.state, '');
        this.ask(error.cancelled ? 'warning' : 'error', error.message, ['retry', 'log', 'settings']);
      }
      throw error;
    }
  }

  private startText(error: unknown): string {
    const { t } = words();
    const text = t('BSL Scout: the search server did not start ({0}). Look into the log for the cause.', reasonOf(error));
    this.stopped('stopped', '');
    this.ask('error', text, ['retry', 'log', 'settings']);
    return text;
  }

  private died(): void {
    const { running } = this;
    if (this.disposed || !running) {
      return;
    }
    const { t } = words();
    this.running = undefined;
    // it may have closed its streams only
    void running.end();
    this.output.error('The server process ended by itself.');
    if (this.crashes.mayRestart()) {
      this.ask('warning', t('BSL Scout: the search server stopped unexpectedly and is being started again.'), ['log']);
      this.delayMs = RESTART_DELAY_MS;
      void this.again();
    } else {
      const text = t('BSL Scout: the search server keeps stopping and is not started again. Look into the log for the cause.');
      this.problem = new ServerProblem(text);
      this.stopped('stopped', '');
      this.ask('error', text, ['restart', 'log']);
    }
  }

  private show(status: ScoutStatus): void {
    this.status = status;
    this.changed.fire(status);
  }

  private stopped(state: ScoutState, message: string): void {
    this.show({ ...STARTING, state, message });
  }

  private say(line: string): void {
    this.output.info(`[client] ${line}`);
  }

  private tellLevel(level: vscode.LogLevel): void {
    void this.running?.client.sendNotification(LogLevelChanged.name, { level: LEVELS[level] });
  }

  private ask(severity: 'warning' | 'error', message: string, offers: Offer[]): void {
    const { t } = words();
    const actions: Record<Offer, { title: string; act: () => unknown }> = {
      settings: { title: t('Open Settings'), act: openSetupSettings },
      log: { title: t('Show Log'), act: () => this.output.show(true) },
      retry: { title: t('Retry'), act: () => this.restart() },
      restart: { title: t('Restart Server'), act: () => this.restart() },
    };
    const show = severity === 'error' ? vscode.window.showErrorMessage : vscode.window.showWarningMessage;
    const titles = offers.map(offer => actions[offer].title);
    const problem = DOWN.has(this.status.state) ? 1 : 0;
    this.problems += problem;
    void show(message, ...titles).then(title => {
      this.problems -= problem;
      return offers.map(offer => actions[offer]).find(one => one.title === title)?.act();
    });
  }

  /**
   * Takes messages off the screen that say why the server does not run: it is being started. An extension cannot close a message; this
   * moves all that are on screen to the notification centre, where none of them is lost.
   */
  private forgetProblems(): void {
    if (this.problems > 0) {
      void vscode.commands.executeCommand('notifications.hideToasts');
    }
  }
}

type Offer = 'settings' | 'log' | 'retry' | 'restart';

function ofFolders<T>(setting: (uri: vscode.Uri) => T): ({ folder: string } & T)[] {
  return (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => ({ folder: uri.toString(), ...setting(uri) }));
}
