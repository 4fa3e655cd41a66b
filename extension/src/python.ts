/** Finds a Python that can run the server. What runs a program and what the editor knows are passed in. */

export interface Candidate {
  command: string;
  args: string[];
  /** The setting that names it, when one does: it is then used as it is, and nothing else is tried. */
  setting?: string;
}

export interface Known {
  setting: string;
  /** The interpreter that the Python extension has chosen. */
  active?: string;
  defaultInterpreter?: string;
  platform: NodeJS.Platform;
}

export interface Outcome {
  code: number | null;
  stdout: string;
  stderr: string;
  /** Set when the program could not be run at all. */
  error?: string;
}

export type Run = (command: string, args: string[]) => Promise<Outcome>;

export type Reason = 'notFound' | 'tooOld' | 'noServer' | 'failed';

export interface Refusal {
  candidate: Candidate;
  reason: Reason;
  /** The version of a Python that is too old, or the last line that it wrote. */
  detail: string;
}

export type Search = { command: string; version: string; refused: Refusal[] } | { command: undefined; refused: Refusal[] };

export const OLDEST: [number, number] = [3, 10];

const PROBE = 'import sys; print(sys.version_info[0], sys.version_info[1], sys.executable); import bsl_scout';

/** Returns the interpreters to try, in order, each once. */
export function candidates(known: Known): Candidate[] {
  if (known.setting) {
    return [{ command: known.setting, args: [], setting: 'bslScout.pythonPath' }];
  }
  const found: Candidate[] = [];
  for (const path of [known.active, known.defaultInterpreter]) {
    // "python" alone is the default value of that setting and comes in its turn below
    if (path && path !== 'python') {
      found.push({ command: path, args: [] });
    }
  }
  if (known.platform === 'win32') {
    found.push({ command: 'py', args: ['-3'] });
  }
  found.push({ command: 'python3', args: [] }, { command: 'python', args: [] });
  return found.filter((one, index) => found.findIndex(other => spelled(other) === spelled(one)) === index);
}

/** Returns the command line of a candidate. */
export function spelled(candidate: Candidate): string {
  return [candidate.command, ...candidate.args].join(' ');
}

/** Tries the candidates in turn; returns the first that can run the server and why those before it cannot. */
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

async function probe(candidate: Candidate, run: Run): Promise<Refusal | { executable: string; version: string }> {
  const outcome = await run(candidate.command, [...candidate.args, '-c', PROBE]);
  if (outcome.error !== undefined) {
    return { candidate, reason: 'notFound', detail: outcome.error };
  }
  const answer = /^(\d+) (\d+) (.*)$/m.exec(outcome.stdout);
  if (!answer) {
    return { candidate, reason: 'failed', detail: lastLine(outcome.stderr) };
  }
  const [major, minor] = [Number(answer[1]), Number(answer[2])];
  const version = `${major}.${minor}`;
  if (major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1])) {
    return { candidate, reason: 'tooOld', detail: version };
  }
  if (outcome.code !== 0) {
    const missing = /No module named '?bsl_scout'?\s*$/.test(outcome.stderr.trim());
    return { candidate, reason: missing ? 'noServer' : 'failed', detail: lastLine(outcome.stderr) };
  }
  return { executable: answer[3].trim(), version };
}

function lastLine(text: string): string {
  return text.trim().split(/\r?\n/).pop() ?? '';
}
