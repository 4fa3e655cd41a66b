/** The queries that led somewhere, the last one first, kept for a workspace. */

const KEY = 'bslScout.history';
const KEPT = 30;

/** What of the editor's storage is needed. */
export interface Store {
  get<T>(key: string, standard: T): T;
  update(key: string, value: unknown): Thenable<void>;
}

export class History {
  constructor(private readonly store: Store) {}

  get queries(): string[] {
    return this.store.get<string[]>(KEY, []);
  }

  /** Puts a query first; the same one in another case is dropped. */
  add(query: string): Thenable<void> {
    const text = query.trim();
    return text ? this.store.update(KEY, [text, ...this.without(text)].slice(0, KEPT)) : Promise.resolve();
  }

  remove(query: string): Thenable<void> {
    return this.store.update(KEY, this.without(query));
  }

  clear(): Thenable<void> {
    return this.store.update(KEY, []);
  }

  private without(query: string): string[] {
    return this.queries.filter(one => one.toLowerCase() !== query.toLowerCase());
  }
}
