/** The language client: one process of the server over stdio. */
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import type * as vscode from 'vscode';
import {
  CloseAction,
  ErrorAction,
  LanguageClient,
  RevealOutputChannelOn,
  State,
  type InitializeParams,
  type LanguageClientOptions,
} from 'vscode-languageclient/node';
import { reasonOf } from './format';
import { IndexStatusChanged } from './methods';
import type { IndexStatus, InitializationOptions } from './protocol';
import { documentSelector } from './selector';
import { LogLines } from './serverLog';

export interface Launch {
  process: ChildProcessWithoutNullStreams;
  options: InitializationOptions;
  output: vscode.LogOutputChannel;
  status: (status: IndexStatus) => unknown;
  /** Called once when the process dies after it has started. */
  died: () => unknown;
}

/** A cold start on a slow disk is to be waited for, a server that hangs is not. */
const START_MS = 60_000;
const STOP_MS = 3_000;

/** The base class shows popups of its own for a broken connection, and knows no levels of the log. */
class QuietClient extends LanguageClient {
  log: vscode.LogOutputChannel | undefined;

  override error(message: string, data?: unknown): void {
    this.log?.error(message, ...told(data));
  }

  override warn(message: string, data?: unknown): void {
    this.log?.warn(message, ...told(data));
  }

  /** The state of the index is shown by our own item of the status bar: progress beside it would tell the same again. */
  protected override fillInitializeParams(params: InitializeParams): void {
    super.fillInitializeParams(params);
    params.capabilities.window = { ...params.capabilities.window, workDoneProgress: false };
  }

  override info(message: string, data?: unknown): void {
    this.log?.info(message, ...told(data));
  }
}

function told(data: unknown): unknown[] {
  return data === undefined || data === null ? [] : [data];
}

/** A running server. */
export class Running {
  constructor(
    readonly client: LanguageClient,
    private readonly process: ChildProcessWithoutNullStreams,
  ) {}

  /** Stops the server in whatever state it is; a process that does not end is killed. */
  async end(): Promise<void> {
    if (this.client.state !== State.Stopped) {
      try {
        await this.client.stop(STOP_MS);
      } catch {
        // it hangs or is dead already: what matters is the process
      }
    }
    const { process } = this;
    if (process.exitCode === null && process.signalCode === null) {
      const ended = once(process, 'exit');
      const patience = setTimeout(() => process.kill('SIGKILL'), 1_000);
      await ended;
      clearTimeout(patience);
    }
  }
}

/** Talks to a server that was started; resolves once it has answered `initialize`, rejects with the reason when it does not. */
export async function connect(how: Launch): Promise<Running> {
  const { process: child, options, output } = how;
  let lastWords = '';
  const lines = new LogLines((level, line) => {
    output[level](line);
    lastWords = line.trim() || lastWords;
  });
  // a character of two bytes may come in two pieces
  child.stderr.setEncoding('utf8').on('data', (text: string) => lines.add(text)).on('end', () => lines.end());
  let started = false;
  const settings: LanguageClientOptions = {
    documentSelector,
    initializationOptions: options,
    outputChannel: output,
    revealOutputChannelOn: RevealOutputChannelOn.Never,
    initializationFailedHandler: () => false,
    errorHandler: {
      error: () => ({ action: ErrorAction.Continue, handled: true }),
      closed: () => {
        if (started) {
          how.died();
        }
        return { action: CloseAction.DoNotRestart, handled: true };
      },
    },
  };
  // given the process itself, the library would write its log into the channel without levels
  const streams = { reader: child.stdout, writer: child.stdin };
  const client = new QuietClient('bslScout', 'BSL Scout', () => Promise.resolve(streams), settings);
  client.log = output;
  // before the start: the first status may come right after `initialize`
  client.onNotification(IndexStatusChanged.name, how.status);
  const running = new Running(client, child);
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('no answer')), START_MS);
  });
  try {
    await Promise.race([client.start(), late]);
    // a process that ends during the start is no error to the client library
    if (client.state !== State.Running) {
      throw new Error('it ended at once');
    }
    started = true;
    return running;
  } catch (error) {
    await running.end();
    const code = child.exitCode === null ? '' : `exit code ${child.exitCode}`;
    const reason = [code, lastWords].filter(Boolean).join(': ');
    throw new Error(reason || reasonOf(error));
  } finally {
    clearTimeout(timer);
  }
}
