/** The language client: one process of the server over stdio. */
import type * as vscode from 'vscode';
import {
  CloseAction,
  ErrorAction,
  LanguageClient,
  RevealOutputChannelOn,
  State,
  TransportKind,
  type LanguageClientOptions,
  type ServerOptions,
} from 'vscode-languageclient/node';
import { IndexStatusChanged, type IndexStatus, type InitializationOptions } from './protocol';

export interface Launch {
  command: string;
  args: string[];
  cwd: string;
  env: NodeJS.ProcessEnv;
  options: InitializationOptions;
  output: vscode.OutputChannel;
  status: (status: IndexStatus) => unknown;
  /** Called once when the process dies after it has started. */
  died: () => unknown;
}

/** The base class shows popups of its own for a broken connection; ours are shown in one place. */
class QuietClient extends LanguageClient {
  override error(message: string, data?: unknown): void {
    super.error(message, data, false);
  }
}

/** Starts a server and returns the client once it has answered `initialize`; rejects when it does not start. */
export async function launch({ command, args, cwd, env, options, output, status, died }: Launch): Promise<LanguageClient> {
  const server: ServerOptions = { command, args, transport: TransportKind.stdio, options: { cwd, env } };
  let started = false;
  const settings: LanguageClientOptions = {
    documentSelector: [{ language: 'bsl', scheme: 'file' }],
    initializationOptions: options,
    outputChannel: output,
    revealOutputChannelOn: RevealOutputChannelOn.Never,
    initializationFailedHandler: () => false,
    errorHandler: {
      error: () => ({ action: ErrorAction.Continue, handled: true }),
      closed: () => {
        if (started) {
          died();
        }
        return { action: CloseAction.DoNotRestart, handled: true };
      },
    },
  };
  const client = new QuietClient('bslScout', 'BSL Scout', server, settings);
  // before the start: the first status may come right after `initialize`
  client.onNotification(IndexStatusChanged, status);
  try {
    await client.start();
    started = true;
    return client;
  } catch (error) {
    await end(client);
    throw error;
  }
}

/** Stops a client in whatever state it is. */
export async function end(client: LanguageClient): Promise<void> {
  if (client.state === State.Stopped) {
    return;
  }
  try {
    await client.stop();
  } catch {
    // it had not started, or did not answer in time: the process is killed by the client
  }
}
