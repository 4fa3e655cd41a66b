/** Rules of restarting: one at a time with at most one more waiting, and no endless restarts of a server that dies. */

/** Runs a job; a call while it runs makes it run once more afterwards, however many calls come. */
export class OneAtATime {
  private running: Promise<void> | undefined;
  private next: Promise<void> | undefined;

  constructor(private readonly job: () => Promise<void>) {}

  /** Resolves when a run that began after this call has ended. */
  run(): Promise<void> {
    if (!this.running) {
      return this.begin();
    }
    this.next ??= this.running
      .catch(() => undefined)
      .then(() => {
        this.next = undefined;
        return this.begin();
      });
    return this.next;
  }

  private begin(): Promise<void> {
    const running = this.job().finally(() => {
      if (this.running === running) {
        this.running = undefined;
      }
    });
    this.running = running;
    return running;
  }
}

/** Allows a few restarts within a window of time. */
export class CrashBudget {
  private crashes: number[] = [];

  constructor(
    private readonly limit = 3,
    private readonly windowMs = 180_000,
    private readonly now: () => number = Date.now,
  ) {}

  /** Counts a crash; returns whether the server may be started again by itself. */
  mayRestart(): boolean {
    const now = this.now();
    this.crashes = [...this.crashes.filter(at => now - at < this.windowMs), now];
    return this.crashes.length <= this.limit;
  }

  /** Forgets the crashes: the user has taken over. */
  reset(): void {
    this.crashes = [];
  }
}
