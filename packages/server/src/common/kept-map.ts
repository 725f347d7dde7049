import type { Store } from "@treadle/store";

/** Things by name: in memory, and in the store as they were last kept. */
export interface KeptMap<Value> {
  all(): Value[];
  get(name: string): Value | undefined;
  /** Adds it, or keeps what became of it; resolves when that is durable. */
  keep(name: string, value: Value): Promise<void>;
  remove(name: string): Promise<void>;
}

/** @param key of the settings that holds them, as a list */
export async function openKeptMap<Value>(
  { settings }: Pick<Store, "settings">,
  key: string,
  nameOf: (value: Value) => string,
): Promise<KeptMap<Value>> {
  const all = new Map(
    ((await settings.get<Value[]>(key)) ?? []).map((value) => [nameOf(value), value]),
  );
  /** One after the other, so that an older state is never written over a newer one. */
  let writing: Promise<void> = Promise.resolve();
  const write = () => {
    const next = writing
      .catch(() => undefined)
      .then(() => settings.set(key, all.size > 0 ? [...all.values()] : undefined));
    writing = next;
    return next;
  };
  return {
    all: () => [...all.values()],
    get: (name) => all.get(name),
    keep(name, value) {
      all.set(name, value);
      return write();
    },
    remove(name) {
      all.delete(name);
      return write();
    },
  };
}
