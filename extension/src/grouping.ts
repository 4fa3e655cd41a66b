/** Hits by the object that they belong to: pure functions. */
import { kindInWords, metadataInWords, rootName } from './place';
import type { Lang } from './plural';
import type { Hit } from './protocol';

export interface Group {
  /** The object in words, or the path of a module of no configuration. */
  name: string;
  /** The configuration or folder where there are several, else empty. */
  root: string;
  /** What the object is, empty when it is none. */
  kind: string;
  hits: Hit[];
}

/** Returns the hits by object, the object of the best hit first. */
export function grouped(hits: Hit[], lang: Lang): Group[] {
  const groups = new Map<string, Group>();
  for (const hit of hits) {
    // a form or a command belongs to its object
    const [kind, name] = (hit.owner ?? '').split('.');
    const key = [hit.root, hit.owner ? kind : hit.path, name].join('|');
    const words = name ? metadataInWords(`${kind}.${name}`, lang).name : hit.owner ? kindInWords(kind, lang) : hit.path;
    const group = groups.get(key) ?? { name: words, root: rootName(hit), kind: name ? kindInWords(kind, lang) : '', hits: [] };
    group.hits.push(hit);
    groups.set(key, group);
  }
  return [...groups.values()];
}
