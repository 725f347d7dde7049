/** The mutable form of a read-only collection. */
type Changeable<T> =
  T extends ReadonlyMap<infer K, infer V>
    ? Map<K, V>
    : T extends ReadonlySet<infer V>
      ? Set<V>
      : T extends readonly (infer V)[]
        ? V[]
        : never;

/**
 * Creates a mutable copy of a state. The original stays unchanged: each collection is copied when it is first modified.
 * A long-lived draft costs as much per event as the event itself; a draft per batch costs the batch and the collections
 * it modifies.
 */
export class Draft<S extends object> {
  readonly state: S;
  readonly #own = new Set<object>();

  constructor(state: S) {
    this.state = { ...state };
  }

  /** Returns the collection of that name for modification. */
  own<K extends keyof S>(key: K): Changeable<S[K]> {
    const value = this.state[key];
    const isOwn = this.#own.has(value as object);
    const own = isOwn ? value : copyOf(value);
    if (!isOwn) {
      this.#own.add(own as object);
      this.state[key] = own as S[K];
    }
    return own as Changeable<S[K]>;
  }

  /** Whether this draft created `value`, and so may modify it. */
  owns(value: object): boolean {
    return this.#own.has(value);
  }

  /** @returns `value`, which nobody else references and this draft may modify from now on. */
  adopt<T extends object>(value: T): T {
    this.#own.add(value);
    return value;
  }
}

function copyOf(value: unknown): unknown {
  if (value instanceof Map) return new Map(value);
  if (value instanceof Set) return new Set(value);
  return [...(value as readonly unknown[])];
}
