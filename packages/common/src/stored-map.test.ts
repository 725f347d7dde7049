import fc from "fast-check";
import { expect, it } from "vitest";
import { openStoredMap, type StoredLists } from "./stored-map.ts";

interface Item {
  name: string;
  value: number;
}

/** A list on a disk that may be full. */
function disk() {
  const stored = new Map<string, string>();
  const state = { isFull: false };
  const write = async (change: () => void) => {
    await Promise.resolve();
    if (state.isFull) throw new Error("the disk is full");
    change();
  };
  const lists: StoredLists = {
    async all<Value>() {
      return [...stored.values()].map((text) => JSON.parse(text) as Value);
    },
    put: (_list, name, value) => write(() => stored.set(name, JSON.stringify(value))),
    remove: (_list, name) => write(() => stored.delete(name)),
  };
  const open = () => openStoredMap<Item>({ lists }, "items", ({ name }) => name);
  return { state, open };
}
const item = (name: string, value = 0): Item => ({ name, value });

it("keeps an item whose removal could not be written, as after a restart", async () => {
  const { state, open } = disk();
  const map = await open();
  await map.save("a", item("a"));
  state.isFull = true;
  await expect(map.remove("a")).rejects.toThrow("full");
  expect([map.all(), (await open()).all()]).toEqual([[item("a")], [item("a")]]);
  state.isFull = false;
  await map.remove("a");
  expect([map.all(), (await open()).all()]).toEqual([[], []]);
});

it("does not add an item that could not be written, and restores one that could not be changed", async () => {
  const { state, open } = disk();
  const map = await open();
  await map.save("a", item("a", 1));
  state.isFull = true;
  await expect(map.save("a", item("a", 2))).rejects.toThrow("full");
  await expect(map.save("b", item("b"))).rejects.toThrow("full");
  expect(map.all()).toEqual([item("a", 1)]);
});

it("contains what it would after a restart, whichever writes failed", async () => {
  const step = fc.record({
    name: fc.constantFrom("a", "b", "c"),
    act: fc.constantFrom("keep", "remove"),
    isFull: fc.boolean(),
    isAwaited: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
      const { state, open } = disk();
      const map = await open();
      const asked: Promise<unknown>[] = [];
      for (const [value, { name, act, isFull, isAwaited }] of steps.entries()) {
        state.isFull = isFull;
        const done = act === "keep" ? map.save(name, item(name, value)) : map.remove(name);
        asked.push(done.catch(() => undefined));
        if (isAwaited) await asked.at(-1);
      }
      await Promise.all(asked);
      const byName = (items: Item[]) => items.toSorted((a, b) => a.name.localeCompare(b.name));
      expect(byName(map.all())).toEqual(byName((await open()).all()));
    }),
  );
});
