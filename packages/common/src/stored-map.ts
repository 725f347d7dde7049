/**
 * Values by name, in memory and in the store. Both agree once no write is in progress: a change
 * that could not be written is reverted in memory, so that a restart changes nothing. Changes
 * inside a value have to be reverted by the caller.
 */
export interface StoredMap<Value> {
  all(): Value[];
  get(name: string): Value | undefined;
  /** Adds or replaces a value, at once in memory. Resolves when it is durable; rejects if it could not be written. */
  save(name: string, value: Value): Promise<void>;
  /** Removes a value, at once in memory. Resolves when that is durable; rejects, and has it again, if it could not be written. */
  remove(name: string): Promise<void>;
  /** Takes over what other servers wrote. Values that only this server has changed stay as they are. */
  refresh(): Promise<void>;
}

/** Storage of a map's values, each as a separate item. */
export interface StoredLists {
  all<T>(list: string): Promise<T[]>;
  put(list: string, name: string, value: unknown): Promise<void>;
  remove(list: string, name: string): Promise<void>;
}

/**
 * Opens the map stored in a list. @param list the name of the list in the store @param nameOf returns the name of a
 * value
 */
export async function openStoredMap<Value>(
  { lists }: { lists: StoredLists },
  list: string,
  nameOf: (value: Value) => string,
): Promise<StoredMap<Value>> {
  const read = async () => new Map((await lists.all<Value>(list)).map((value) => [nameOf(value), value])); // prettier-ignore
  const all = await read();
  const stored = new Map(all);
  /** The values as this server last read or wrote them. */
  const texts = new Map([...all].map(([name, value]) => [name, JSON.stringify(value)]));
  /** The newest unfinished write of each name. */
  const newest = new Map<string, symbol>();
  /** Writes are serialised, so that an older state never overwrites a newer one. */
  let writing: Promise<void> = Promise.resolve();

  async function write(name: string, mark: symbol): Promise<void> {
    const value = all.get(name);
    try {
      if (value === undefined) {
        await lists.remove(list, name);
        stored.delete(name);
        texts.delete(name);
      } else {
        // The value may change again while it is written.
        const text = JSON.stringify(value);
        await lists.put(list, name, value);
        stored.set(name, value);
        texts.set(name, text);
      }
    } catch (error) {
      // If a newer change to the same name is pending, its own write decides.
      if (newest.get(name) === mark) restore(name);
      throw error;
    } finally {
      if (newest.get(name) === mark) newest.delete(name);
    }
  }

  /** Restores a value as stored, in its position. */
  function restore(name: string): void {
    const before = stored.get(name);
    if (before === undefined) return void all.delete(name);
    if (all.has(name)) return void all.set(name, before);
    const others = new Map(all);
    all.clear();
    for (const one of [...stored.keys(), ...others.keys()]) {
      const value = one === name ? before : others.get(one);
      if (value !== undefined) all.set(one, value);
    }
  }

  function change(name: string): Promise<void> {
    const mark = Symbol(name);
    newest.set(name, mark);
    writing = writing.catch(() => undefined).then(() => write(name, mark));
    return writing;
  }

  return {
    all: () => [...all.values()],
    get: (name) => all.get(name),
    save(name, value) {
      all.set(name, value);
      return change(name);
    },
    remove(name) {
      all.delete(name);
      return change(name);
    },
    async refresh() {
      const found = await read();
      for (const name of new Set([...texts.keys(), ...found.keys()])) {
        const value = found.get(name);
        const text = value && JSON.stringify(value);
        if (newest.has(name) || text === texts.get(name)) continue;
        if (value === undefined || text === undefined) {
          for (const map of [all, stored]) map.delete(name);
          texts.delete(name);
          continue;
        }
        for (const map of [all, stored]) map.set(name, value);
        texts.set(name, text);
      }
    },
  };
}

/** How long a list counts as up to date, in milliseconds. */
const FRESH_MS = 1_000;

/** Refreshes a map at most once a second, however often it is called; concurrent callers share one refresh. */
export function createRefresh(
  refresh: () => Promise<void>,
  now: () => number,
): () => Promise<void> {
  let last = Number.NEGATIVE_INFINITY;
  let going: Promise<void> | undefined;
  return async () => {
    if (going) return going;
    if (now() - last < FRESH_MS) return;
    last = now();
    going = refresh().finally(() => (going = undefined));
    return going;
  };
}
