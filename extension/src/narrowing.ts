/** Queries that are narrowed to objects: `@Документ.Заказ заполнить`. */

/** Returns the name after an `@` that is being typed at the end of a query, undefined when none is. */
export function typedName(query: string): string | undefined {
  return /(?:^|\s)@([\p{L}\d_.]*)$/u.exec(query)?.[1];
}

/** Returns the query with the name that is being typed replaced by a whole one. */
export function withName(query: string, name: string): string {
  return `${query.replace(/@[\p{L}\d_.]*$/u, '')}@${name} `;
}

/** Returns the query with the name of an object that there is in place of one that there is not. */
export function withOtherName(query: string, wrong: string, name: string): string {
  return query
    .split(/(\s+)/)
    .map(word => (word.startsWith('@') && word.slice(1).replace(/^\.+|\.+$/g, '') === wrong ? `@${name}` : word))
    .join('');
}

/** Tells whether a query is narrowed to objects. */
export function isNarrowed(query: string): boolean {
  return /(?:^|\s)@[\p{L}\d_.]/u.test(query);
}

/** Tells whether a query names objects and has no further words. */
export function isOnlyNames(query: string): boolean {
  return isNarrowed(query) && query.split(/\s+/).every(word => !word || word.startsWith('@'));
}
