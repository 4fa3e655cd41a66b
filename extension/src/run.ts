/** Runs a short program and collects what it writes. */
import { execFile } from 'node:child_process';
import type { Outcome } from './python';

const TIMEOUT_MS = 15_000;

/** Returns what the program wrote; never rejects. */
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
