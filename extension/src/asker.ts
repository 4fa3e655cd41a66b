/** Asks while one types: waits for a pause, cancels the previous question, drops answers that come too late. */

export interface Shows<Q, A> {
  busy(on: boolean): void;
  answer(question: Q, answer: A): void;
  failure(question: Q, error: unknown): void;
}

export class Asker<Q, A> {
  private timer: ReturnType<typeof setTimeout> | undefined;
  private current: AbortController | undefined;

  constructor(
    private readonly ask: (question: Q, signal: AbortSignal) => Promise<A>,
    private readonly shows: Shows<Q, A>,
  ) {}

  /** Asks after a pause of `delay` milliseconds, in place of whatever was asked before. */
  later(question: Q, delay: number): void {
    this.cancel();
    this.shows.busy(true);
    this.timer = setTimeout(() => void this.run(question), delay);
  }

  /** Cancels the question under way; nothing of it will be shown. */
  cancel(): void {
    clearTimeout(this.timer);
    this.current?.abort();
    this.current = undefined;
    this.shows.busy(false);
  }

  private async run(question: Q): Promise<void> {
    const current = (this.current = new AbortController());
    try {
      const answer = await this.ask(question, current.signal);
      if (!current.signal.aborted) {
        this.shows.answer(question, answer);
      }
    } catch (error) {
      if (!current.signal.aborted) {
        this.shows.failure(question, error);
      }
    } finally {
      if (this.current === current) {
        this.current = undefined;
        this.shows.busy(false);
      }
    }
  }
}
