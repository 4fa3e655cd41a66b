/** The log of the server as it comes on standard error, line by line with its level: pure functions. */

export type Level = 'error' | 'warn' | 'info' | 'debug';

/** The levels of an output channel by their numbers, as the server knows them. */
export const LEVELS = ['off', 'trace', 'debug', 'info', 'warning', 'error'] as const;

const HEAD = /^(CRITICAL|ERROR|WARNING|INFO|DEBUG) /;
const LEVEL: Record<string, Level> = { CRITICAL: 'error', ERROR: 'error', WARNING: 'warn', INFO: 'info', DEBUG: 'debug' };

/** Cuts a stream into lines and tells each with its level; what no line begins with goes on with the level before. */
export class LogLines {
  private rest = '';
  private level: Level = 'info';

  constructor(private readonly tell: (level: Level, line: string) => unknown) {}

  add(text: string): void {
    const lines = (this.rest + text).split(/\r?\n/);
    this.rest = lines.pop() ?? '';
    lines.forEach(line => this.line(line));
  }

  /** Tells what is left when the stream has ended. */
  end(): void {
    if (this.rest) {
      this.line(this.rest);
      this.rest = '';
    }
  }

  private line(line: string): void {
    const head = HEAD.exec(line);
    if (head) {
      this.level = LEVEL[head[1]];
    } else if (/^(Traceback|Fatal Python error)/.test(line)) {
      // nobody has given it a level: it comes from the interpreter itself
      this.level = 'error';
    }
    this.tell(this.level, head ? line.slice(head[0].length) : line);
  }
}
