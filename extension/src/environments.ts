/** The folder of the server's own environments: which one is used, and the removal of the others. */
import { randomBytes } from 'node:crypto';
import * as fs from 'node:fs';
import * as path from 'node:path';

const MARKER = 'current.json';
const IN_USE = 'in-use-';

/** An environment that was made, checked and taken into use. */
export interface Environment {
  /** Begins the name of its folder: tells the server's wheel that is installed in it. */
  key: string;
  /** Where it lies in fact: what a Python of the Microsoft Store writes is moved by Windows. */
  place: string;
  /** Its interpreter. */
  python: string;
  version: string;
  components: string[];
}

interface Marker extends Environment {
  /** Environments used before that are not removed yet. */
  old: string[];
}

/**
 * An environment cannot be moved, so each is made in a folder of its own, and a marker file that is written last says which one is
 * used: an installation that is broken off leaves the one before as it was.
 */
export class Environments {
  constructor(readonly folder: string) {}

  /** Returns the environment in use; undefined when there is none, or its interpreter is gone. */
  current(): Environment | undefined {
    const marker = this.marker();
    return marker && fs.existsSync(marker.python) ? marker : undefined;
  }

  /** Returns a folder for a new environment; the name is short, because on Windows a whole path may have 260 characters only. */
  fresh(key: string): string {
    fs.mkdirSync(this.folder, { recursive: true });
    return path.join(this.folder, `${key}-${randomBytes(2).toString('hex')}`);
  }

  /** Takes an environment into use. */
  use(environment: Environment): void {
    const before = this.marker();
    const old = before ? [...before.old, before.place].filter(place => place !== environment.place) : [];
    this.write({ ...environment, old });
  }

  /** Notes that this process runs the server from an environment, so that no other window removes it. */
  claim({ place }: Environment): Claim {
    const file = path.join(place, `${IN_USE}${process.pid}`);
    fs.writeFileSync(file, '');
    return { dispose: () => fs.rmSync(file, { force: true }) };
  }

  /** Removes what is neither current nor used by a process that runs; returns what could not be removed, with the reason. */
  sweep(): string[] {
    const marker = this.marker();
    if (!marker) {
      return [];
    }
    const kept: string[] = [];
    const here = fs.readdirSync(this.folder, { withFileTypes: true }).filter(entry => entry.isDirectory());
    const places = new Set([...here.map(entry => path.join(this.folder, entry.name)), ...marker.old]);
    const left = [...places].filter(place => {
      if (sameFolder(place, marker.place) || !fs.existsSync(place)) {
        return false;
      }
      if (isUsed(place)) {
        return true;
      }
      try {
        fs.rmSync(place, { recursive: true, force: true });
        return false;
      } catch (error) {
        kept.push(`${place}: ${String(error)}`);
        return true;
      }
    });
    this.write({ ...marker, old: left });
    return kept;
  }

  private marker(): Marker | undefined {
    try {
      const read = JSON.parse(fs.readFileSync(path.join(this.folder, MARKER), 'utf8')) as Partial<Marker>;
      const { key, place, python, version, components, old } = read;
      const whole = key && place && python && version && Array.isArray(components) && Array.isArray(old);
      return whole ? { key, place, python, version, components, old } : undefined;
    } catch {
      // absent, or cut by a full disk: as if nothing were installed
      return undefined;
    }
  }

  private write(marker: Marker): void {
    const file = path.join(this.folder, MARKER);
    const draft = `${file}.${process.pid}`;
    fs.writeFileSync(draft, JSON.stringify(marker, undefined, 2));
    fs.renameSync(draft, file);
  }
}

interface Claim {
  dispose(): void;
}

function sameFolder(one: string, other: string): boolean {
  try {
    return fs.realpathSync(one) === fs.realpathSync(other);
  } catch {
    return path.resolve(one) === path.resolve(other);
  }
}

function isUsed(place: string): boolean {
  const ids = fs.readdirSync(place).filter(name => name.startsWith(IN_USE)).map(name => Number(name.slice(IN_USE.length)));
  return ids.some(isAlive);
}

/** Returns whether a process runs. */
export function isAlive(id: number): boolean {
  try {
    process.kill(id, 0);
    return true;
  } catch (error) {
    // another user's process is alive too
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
