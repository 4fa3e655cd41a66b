/** Gives the interpreter that runs the server: the user's own, or one in an environment that is made here. */
import * as fs from 'node:fs';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { COMPONENTS } from './components';
import { Environments, type Environment } from './environments';
import { install, installEnvironment, InstallError, wheelKey, type Plan, type RunTelling } from './install';
import { installFailedText, progressText } from './installText';
import { expanded, knownInterpreters } from './interpreter';
import { alone } from './lock';
import { candidates, findPython, runsServer, spelled, type Refusal } from './python';
import { noPythonText } from './pythonText';
import { run, runLong } from './run';
import { words } from './words';

/** Why there is no interpreter, in a sentence for the user. */
export class SetupProblem extends Error {
  constructor(
    message: string,
    readonly state: 'noPython' | 'notSetUp',
    readonly cancelled = false,
  ) {
    super(message);
  }
}

export interface Interpreter {
  command: string;
  version: string;
  env: NodeJS.ProcessEnv;
  /** Whether it was looked at, and not only taken as it was left. */
  checked: boolean;
  /** What the user is told although the server runs. */
  warning?: string;
}

export class Setup implements vscode.Disposable {
  private readonly storage: string;
  private readonly environments: Environments;
  private claimed: vscode.Disposable | undefined;

  constructor(
    private readonly context: vscode.ExtensionContext,
    private readonly say: (line: string) => void,
  ) {
    this.storage = context.globalStorageUri.fsPath;
    this.environments = new Environments(path.join(this.storage, 'env'));
  }

  /**
   * Returns an interpreter, making the environment when there is none for this version; throws a SetupProblem. The environment of an
   * earlier start is looked at only when it is `doubted`.
   */
  async interpreter(signal: AbortSignal, working: () => void, doubted: boolean): Promise<Interpreter> {
    const own = await this.own();
    if (own) {
      return own;
    }
    const wheel = this.wheel();
    const current = this.environments.current();
    if (current?.key === wheelKey(wheel) && (!doubted || (await this.works(current)))) {
      return { ...this.used(current), checked: doubted };
    }
    working();
    try {
      return this.used(await this.make(wheel, current?.components ?? [], signal));
    } catch (error) {
      if (error instanceof SetupProblem && current && (await this.works(current))) {
        return { ...this.used(current), warning: meanwhile(error) };
      }
      throw error;
    }
  }

  /** Returns the components that are installed; undefined when the interpreter is the user's own. */
  installed(): string[] | undefined {
    return this.ownSetting() ? undefined : (this.environments.current()?.components ?? []);
  }

  /** Makes an environment that has a component too; throws a SetupProblem. The server runs from it after a restart. */
  async add(component: string, signal: AbortSignal): Promise<void> {
    const current = this.environments.current();
    const components = new Set([...(current?.components ?? []), component]);
    try {
      await this.make(this.wheel(), Object.keys(COMPONENTS).filter(name => components.has(name)), signal);
    } catch (error) {
      throw error instanceof SetupProblem && current ? new SetupProblem(meanwhile(error), 'notSetUp', error.cancelled) : error;
    }
  }

  /** Removes the environments that are used no more: to be called when the server runs. */
  async tidy(): Promise<void> {
    if (!this.environments.current()) {
      return;
    }
    try {
      // not while another window makes one
      await alone(this.lock, AbortSignal.timeout(1), () => undefined, () => {
        this.environments.sweep().forEach(line => this.say(`not removed: ${line}`));
        return Promise.resolve();
      });
    } catch (error) {
      this.say(`old environments stay for now: ${String(error)}`);
    }
  }

  dispose(): void {
    this.claimed?.dispose();
  }

  private get lock(): string {
    return path.join(this.environments.folder, 'lock');
  }

  private ownSetting(): string {
    return vscode.workspace.getConfiguration('bslScout').get<string>('pythonPath', '').trim();
  }

  private async own(): Promise<Interpreter | undefined> {
    if (!this.ownSetting()) {
      return undefined;
    }
    const { command, version } = await this.search({ ...process.env, PYTHONUTF8: '1' });
    return { command, version, env: process.env, checked: true };
  }

  private async search(env: NodeJS.ProcessEnv): Promise<{ command: string; version: string }> {
    const known = await knownInterpreters(this.say);
    const found = await findPython(candidates(known), (command, args) => run(command, args, this.storage, env));
    found.refused.forEach(one => this.say(refusalLine(one)));
    if (!found.command) {
      throw new SetupProblem(noPythonText(found.refused, words().t), 'noPython');
    }
    return { command: found.command, version: found.version };
  }

  private wheel(): string {
    const folder = path.join(this.context.extensionPath, 'dist', 'server');
    const name = fs.existsSync(folder) ? fs.readdirSync(folder).find(file => file.endsWith('.whl')) : undefined;
    if (!name) {
      const text = words().t('BSL Scout: this build of the extension has no server in it. Name a Python that has the package bsl-scout in the setting bslScout.pythonPath.');
      throw new SetupProblem(text, 'notSetUp');
    }
    return path.join(folder, name);
  }

  private async works({ python }: Environment): Promise<boolean> {
    const result = await runsServer(python, (command, args) => run(command, args, this.storage, this.env()));
    if ('reason' in result) {
      this.say(`the environment is to be made anew: ${refusalLine(result)}`);
      return false;
    }
    return true;
  }

  private used(environment: Environment): Interpreter {
    this.claimed?.dispose();
    try {
      this.claimed = this.environments.claim(environment);
    } catch (error) {
      // a full disk is no reason not to run
      this.say(`not claimed: ${String(error)}`);
    }
    // the server tells how a component is installed that it misses
    const env = { ...this.env(), BSL_SCOUT_INSTALL_COMMAND: words().t('BSL Scout: Install Additional Components') };
    return { command: environment.python, version: environment.version, env, checked: true };
  }

  private env(): NodeJS.ProcessEnv {
    return installEnvironment(process.env, vscode.workspace.getConfiguration('http').get<string>('proxy', ''));
  }

  private async make(wheel: string, components: string[], outer: AbortSignal): Promise<Environment> {
    const { t } = words();
    // before the progress is shown: without a Python there is none
    const base = await this.search(this.env());
    const settings = vscode.workspace.getConfiguration('bslScout');
    const plan: Plan = {
      base: base.command,
      wheel,
      key: wheelKey(wheel),
      components,
      wheelhouse: expanded(settings.get<string>('wheelhouse', '').trim()),
      extraArgs: extraArguments(settings.get<unknown>('pip.extraArgs', [])),
      platform: process.platform,
    };
    const options = { location: vscode.ProgressLocation.Notification, title: t('BSL Scout: setting up the search server'), cancellable: true };
    return vscode.window.withProgress(options, async (progress, token) => {
      const cancel = new AbortController();
      token.onCancellationRequested(() => cancel.abort());
      const signal = AbortSignal.any([outer, cancel.signal]);
      const show = (message: string): void => progress.report({ message });
      try {
        fs.mkdirSync(this.environments.folder, { recursive: true });
        return await alone(
          this.lock,
          signal,
          () => show(t('waiting for another window…')),
          () => this.makeAlone(plan, signal, show),
        );
      } catch (error) {
        if (signal.aborted) {
          throw new SetupProblem(t('BSL Scout: setting up the search server was cancelled.'), 'notSetUp', true);
        }
        const failed = error instanceof InstallError ? error : new InstallError('venv', String(error));
        throw new SetupProblem(installFailedText(failed, plan, this.environments.folder, words()), 'notSetUp');
      }
    });
  }

  private async makeAlone(plan: Plan, signal: AbortSignal, show: (message: string) => void): Promise<Environment> {
    const { base, key, components } = plan;
    const current = this.environments.current();
    // another window may have done it meanwhile
    if (current?.key === key && components.every(name => current.components.includes(name)) && (await this.works(current))) {
      return current;
    }
    this.say(`making an environment with ${base}, components: ${components.join(', ') || 'none'}`);
    const telling: RunTelling = (command, args, line) => {
      this.say([command, ...args].join(' '));
      const told = (text: string): void => {
        this.say(`  ${text}`);
        line?.(text);
      };
      return runLong(command, args, { cwd: this.storage, env: this.env(), signal, line: told });
    };
    const made = await install(plan, this.environments, telling, progress => show(progressText(progress, words())));
    signal.throwIfAborted();
    this.environments.use(made);
    return made;
  }
}

// settings.json may hold anything; a string would be taken apart into letters
function extraArguments(value: unknown): string[] {
  if (Array.isArray(value) && value.every(one => typeof one === 'string')) {
    return value;
  }
  throw new SetupProblem(words().t('BSL Scout: the setting bslScout.pip.extraArgs has to be a list of strings, one for each argument of pip.'), 'notSetUp');
}

function meanwhile(problem: SetupProblem): string {
  return words().t('{0} What was installed before is used meanwhile.', problem.message);
}

function refusalLine({ candidate, reason, detail }: Refusal): string {
  return `${spelled(candidate)}: ${reason} ${detail}`;
}
