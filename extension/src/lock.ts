/** One window at a time: the others wait, and take over from one that has died. */
import * as fs from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { isAlive } from './environments';

const BEAT_MS = 5_000;
const STALE_MS = 30_000;
const LOOK_MS = 500;

/** Runs a job while no other process holds the lock file; `waiting` is called when one does. */
export async function alone<T>(file: string, signal: AbortSignal, waiting: () => void, job: () => Promise<T>): Promise<T> {
  while (!taken(file)) {
    if (isStale(file)) {
      fs.rmSync(file, { force: true });
    } else {
      waiting();
      await pause(LOOK_MS, undefined, { signal });
    }
  }
  // a process that was put to sleep is alive and does nothing: the time of the file tells
  const beat = setInterval(() => {
    const now = new Date();
    fs.utimes(file, now, now, () => undefined);
  }, BEAT_MS);
  try {
    return await job();
  } finally {
    clearInterval(beat);
    fs.rmSync(file, { force: true });
  }
}

function taken(file: string): boolean {
  try {
    fs.writeFileSync(file, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') {
      return false;
    }
    throw error;
  }
}

function isStale(file: string): boolean {
  try {
    const id = Number(fs.readFileSync(file, 'utf8'));
    // empty for the moment between its making and its writing
    return Date.now() - fs.statSync(file).mtimeMs > STALE_MS || (id > 0 && !isAlive(id));
  } catch {
    // it has just been given back
    return true;
  }
}
