/** Finds a Python: one that runs the server, or one to make the server's environment of. What runs a program is passed in. */
import * as path from 'node:path';

export interface Candidate {
  command: string;
  args: string[];
  /** The setting that names it, when one does: it is then used as it is, and nothing else is tried. */
  setting?: string;
  /** One of the usual places: that nothing is there goes without saying. */
  guess?: boolean;
}

export interface Known {
  setting: string;
  /** The interpreter that the Python extension has chosen. */
  active?: string;
  defaultInterpreter?: string;
  platform: NodeJS.Platform;
  env: NodeJS.ProcessEnv;
}

export interface Outcome {
  code: number | null;
  stdout: string;
  stderr: string;
  /** Set when the program could not be run at all. */
  error?: string;
}

export type Run = (command: string, args: string[]) => Promise<Outcome>;

export type Reason = 'notFound' | 'tooOld' | 'noVenv' | 'bits32' | 'noServer' | 'failed';

export interface Refusal {
  candidate: Candidate;
  reason: Reason;
  /** The version of a Python that is too old, or the last line that it wrote. */
  detail: string;
}

export type Search = { command: string; version: string; refused: Refusal[] } | { command: undefined; refused: Refusal[] };

export const OLDEST: [number, number] = [3, 10];
const NEWEST_MINOR = 14;

// the version first, and in words that Python 2 understands too
const WHO = `import sys; print('%d %d %d %s' % (sys.version_info[0], sys.version_info[1], 64 if sys.platform != 'win32' or sys.maxsize > 2**32 else 32, sys.executable)); import `;

/** Returns the interpreters to try, in order, each once. */
export function candidates(known: Known): Candidate[] {
  if (known.setting) {
    return [{ command: known.setting, args: [], setting: 'bslScout.pythonPath' }];
  }
  const found: Candidate[] = [];
  for (const command of [known.active, known.defaultInterpreter]) {
    // "python" alone is the default value of that setting and comes in its turn below
    if (command && command !== 'python') {
      found.push({ command, args: [] });
    }
  }
  if (known.platform === 'win32') {
    found.push({ command: 'py', args: ['-3'] });
  }
  found.push({ command: 'python3', args: [] }, { command: 'python', args: [] });
  found.push(...guesses(known).map(command => ({ command, args: [], guess: true })));
  return found.filter((one, index) => found.findIndex(other => spelled(other) === spelled(one)) === index);
}

// PATH does not name every Python: an editor that was open during the installation, or was started from the dock, knows an older PATH
function guesses({ platform, env }: Known): string[] {
  const minors = Array.from({ length: NEWEST_MINOR - OLDEST[1] + 1 }, (_, index) => NEWEST_MINOR - index);
  if (platform !== 'win32') {
    const brew = platform === 'darwin' ? ['/opt/homebrew/bin/python3', '/usr/local/bin/python3'] : [];
    return [...brew, ...minors.map(minor => `python3.${minor}`)];
  }
  const folders = [env.LOCALAPPDATA && path.win32.join(env.LOCALAPPDATA, 'Programs', 'Python'), env.ProgramFiles].filter(folder => folder !== undefined);
  return folders.flatMap(folder => minors.map(minor => path.win32.join(folder, `Python3${minor}`, 'python.exe')));
}

/** Returns the command line of a candidate. */
export function spelled(candidate: Candidate): string {
  return [candidate.command, ...candidate.args].join(' ');
}

/** Tries the candidates in turn; returns the first that fits and why those before it do not. */
export async function findPython(list: Candidate[], run: Run): Promise<Search> {
  const refused: Refusal[] = [];
  for (const candidate of list) {
    const result = await probe(candidate, run);
    if ('reason' in result) {
      refused.push(result);
    } else {
      return { command: candidate.setting ? candidate.command : result.executable, version: result.version, refused };
    }
  }
  return { command: undefined, refused };
}

/** Returns whether an interpreter can run the server, and what it says when it cannot. */
export async function runsServer(command: string, run: Run): Promise<Refusal | { version: string }> {
  return probe({ command, args: [], setting: 'bslScout.pythonPath' }, run);
}

// an interpreter that a setting names has the server; any other is to make an environment with
async function probe(candidate: Candidate, run: Run): Promise<Refusal | { executable: string; version: string }> {
  const refuse = (reason: Reason, detail: string): Refusal => ({ candidate, reason, detail });
  const outcome = await run(candidate.command, [...candidate.args, '-c', WHO + (candidate.setting ? 'bsl_scout' : 'venv, ensurepip')]);
  if (outcome.error !== undefined) {
    return refuse('notFound', outcome.error);
  }
  const answer = /^(\d+) (\d+) (32|64) (.*)$/m.exec(outcome.stdout);
  if (!answer) {
    return refuse('failed', lastLine(outcome.stderr));
  }
  const [major, minor] = [Number(answer[1]), Number(answer[2])];
  const version = `${major}.${minor}`;
  if (major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1])) {
    return refuse('tooOld', version);
  }
  if (!candidate.setting && answer[3] === '32') {
    return refuse('bits32', version);
  }
  if (outcome.code !== 0) {
    const missing = /No module named '?(bsl_scout|venv|ensurepip)'?\s*$/.exec(outcome.stderr.trim());
    return refuse(!missing ? 'failed' : missing[1] === 'bsl_scout' ? 'noServer' : 'noVenv', lastLine(outcome.stderr));
  }
  return { executable: answer[4].trim(), version };
}

function lastLine(text: string): string {
  return text.trim().split(/\r?\n/).pop() ?? '';
}
