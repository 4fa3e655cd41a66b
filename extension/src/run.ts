/** Runs programs, never through a shell, and collects what they write. */
import { execFile, spawn, type ChildProcess, type ChildProcessWithoutNullStreams, type SpawnOptionsWithoutStdio } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Outcome } from './python';

const TIMEOUT_MS = 15_000;

/** Returns what a short program wrote; never rejects. */
export function run(command: string, args: string[], cwd: string, env: NodeJS.ProcessEnv): Promise<Outcome> {
  return new Promise(resolve => {
    const options = { cwd, env, timeout: TIMEOUT_MS, windowsHide: true, encoding: 'utf8' as const };
    try {
      execFile(command, args, options, (error, stdout, stderr) => {
        const code = error?.code;
        if (typeof code === 'string') {
          resolve({ code: null, stdout, stderr, error: code });
        } else {
          resolve({ code: error ? (code ?? 1) : 0, stdout, stderr });
        }
      });
    } catch (error) {
      // an empty command or one with a null byte is refused before anything runs
      resolve({ code: null, stdout: '', stderr: '', error: String(error) });
    }
  });
}

/** Starts a program that is talked to over its streams; rejects when it cannot be run. */
export async function started(command: string, args: string[], options: SpawnOptionsWithoutStdio): Promise<ChildProcessWithoutNullStreams> {
  const child = spawn(command, args, { ...options, windowsHide: true, stdio: 'pipe' });
  await once(child, 'spawn');
  return child;
}

export interface LongRun {
  cwd: string;
  env: NodeJS.ProcessEnv;
  /** Ends the program and all that it has started. */
  signal: AbortSignal;
  /** Is told each line as it is written. */
  line: (text: string) => void;
}

/** Returns what a program of any length wrote, once it and its streams have ended; never rejects. */
export function runLong(command: string, args: string[], { cwd, env, signal, line }: LongRun): Promise<Outcome> {
  return new Promise(resolve => {
    const outcome: Outcome = { code: null, stdout: '', stderr: '' };
    if (signal.aborted) {
      resolve({ ...outcome, error: 'aborted' });
      return;
    }
    // a group of its own on POSIX, so that what it starts can be ended with it
    const child = spawn(command, args, { cwd, env, windowsHide: true, stdio: ['ignore', 'pipe', 'pipe'], detached: process.platform !== 'win32' });
    const stop = (): void => endTree(child);
    signal.addEventListener('abort', stop);
    for (const stream of ['stdout', 'stderr'] as const) {
      createInterface({ input: child[stream] }).on('line', text => {
        outcome[stream] += `${text}\n`;
        line(text);
      });
    }
    child.once('error', error => (outcome.error = (error as NodeJS.ErrnoException).code ?? String(error)));
    child.once('close', code => {
      signal.removeEventListener('abort', stop);
      resolve({ ...outcome, code: outcome.error ? null : code });
    });
  });
}

function endTree({ pid }: ChildProcess): void {
  if (pid === undefined) {
    return;
  }
  if (process.platform === 'win32') {
    execFile('taskkill', ['/pid', String(pid), '/t', '/f'], { windowsHide: true }, () => undefined);
    return;
  }
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // it has ended by itself
  }
}
