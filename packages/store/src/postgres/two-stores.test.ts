import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { LogEntry } from "@treadle/protocol";
import fc from "fast-check";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { gather, project, runEnd, text } from "../contract.test-support.ts";
import { openStore } from "../open-store.ts";
import type { Store } from "../types.ts";
import { lacksPostgres, startDatabases } from "./database.test-support.ts";

describe.skipIf(lacksPostgres)("two stores over one PostgreSQL database", () => {
  const root = mkdtempSync(join(tmpdir(), "treadle-two-stores-"));
  let databases: Awaited<ReturnType<typeof startDatabases>>;
  let database: string;
  let stores: [Store, Store];
  let count = 0;
  const open = () => openStore({ directory: join(root, String(++count)), database });
  beforeAll(async () => {
    databases = await startDatabases();
  });
  afterAll(async () => {
    await databases.close();
    rmSync(root, { recursive: true, force: true });
  });
  beforeEach(async () => {
    database = await databases.create();
    // Both at once: the tables are made by one of them.
    stores = await Promise.all([open(), open()]);
    await stores[0].projects.create(project("a"));
    await stores[1].projects.create(project("b"));
  });
  afterEach(async () => {
    for (const store of stores) await store.close();
  });

  /** Ends the connections that listen, as a network does. @returns how many there were */
  const breakListening = async (): Promise<number> => {
    const { rowCount } = await databases.admin.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and query = 'listen treadle'",
      [database.split("/").at(-1)],
    );
    return rowCount ?? 0;
  };
  const numbersFrom1 = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

  it("number what both append without gap or double, and show it to followers of either (F10)", async () => {
    const step = fc.record({
      store: fc.nat(1),
      project: fc.constantFrom("a", "b"),
      events: fc.integer({ min: 1, max: 30 }),
      isAwaited: fc.boolean(),
    });
    const appended = { a: 0, b: 0 };
    const seen = stores.flatMap((store) =>
      (["a", "b"] as const).map((id) => {
        const entries: LogEntry[] = [];
        store.log.follow(id, 0, (more) => void entries.push(...more));
        return { id, entries };
      }),
    );
    const play = async (
      steps: { store: number; project: string; events: number; isAwaited: boolean }[],
    ) => {
      for (const one of steps) {
        const id = one.project as "a" | "b";
        const store = stores[one.store]!;
        for (let n = 0; n < one.events; n++)
          store.log.append(id, text(`${one.store} ${++appended[id]}`));
        if (one.isAwaited) await store.log.settled();
      }
    };
    await fc.assert(fc.asyncProperty(fc.array(step, { maxLength: 20 }), play), { numRuns: 25 });
    for (const store of stores) await store.log.settled();
    for (const { id, entries } of seen) {
      await expect.poll(() => entries.length).toBe(appended[id]);
      expect(entries.map(({ seq }) => seq)).toEqual(numbersFrom1(appended[id]));
      expect(entries).toEqual(await stores[0].log.read(id, 0));
      // Of one store, in the order in which it appended them.
      for (const writer of ["0", "1"]) {
        const own = entries.map(({ event }) => (event as { text: string }).text.split(" "));
        const numbers = own.filter(([name]) => name === writer).map(([, number]) => Number(number));
        expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
      }
    }
  });

  it("lose nothing where the connection that listens is broken, again and again", async () => {
    const [writer, reader] = stores;
    const all = gather(reader, "a", 0, 400);
    for (let round = 0; round < 4; round++) {
      for (let n = 0; n < 50; n++) writer.log.append("a", text("before"));
      await writer.log.settled();
      await expect.poll(breakListening).toBeGreaterThan(0);
      for (let n = 0; n < 50; n++) writer.log.append("a", text("while nobody hears it"));
      await writer.log.settled();
    }
    expect((await all).map(({ seq }) => seq)).toEqual(numbersFrom1(400));
  });

  it("append a group once, whose connection was broken as it was committed", async () => {
    const [store, other] = stores;
    const failures: unknown[] = [];
    for (let round = 1; round <= 5; round++) {
      for (let n = 0; n < 20; n++) store.log.append("a", text(`${round}`));
      const settled = store.log.settled().catch((error: unknown) => failures.push(error));
      await databases.admin.query(
        "select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and pid <> pg_backend_pid()",
        [database.split("/").at(-1)],
      );
      await settled;
      await expect.poll(() => store.log.head("a").catch(() => 0)).toBe(round * 20);
    }
    const entries = await other.log.read("a", 0);
    expect(entries.map(({ seq }) => seq)).toEqual(numbersFrom1(100));
  });

  it("tell each other of settings, and keep both of two changes of one", async () => {
    const [one, other] = stores;
    await one.settings.set("model", "a:b");
    expect(await other.settings.get("model")).toBe("a:b");
    await one.settings.set("model", "c:d");
    await expect.poll(() => other.settings.get("model")).toBe("c:d");
    const add = (store: Store, n: number) =>
      store.settings.update<number[]>("list", (list = []) => [...list, n]);
    await Promise.all(stores.flatMap((store, index) => [1, 2, 3].map((n) => add(store, 10 * index + n)))); // prettier-ignore
    await expect.poll(() => one.settings.get<number[]>("list")).toHaveLength(6);
    await expect.poll(() => other.settings.get<number[]>("list")).toHaveLength(6);
  });

  it("keep every change of a project, every message and every item, in one order for both", async () => {
    const [one, other] = stores;
    await Promise.all(
      stores.flatMap((store, index) => [
        store.projects.update("a", index === 0 ? { name: "New" } : { model: "m:2" }),
        ...[1, 2, 3, 4, 5].flatMap((n) => [
          store.messages.put("a", { id: `${index}-${n}`, role: "user", parts: [] }),
          store.lists.put("items", `${index}-${n}`, `${index}-${n}`),
        ]),
      ]),
    );
    expect(await one.projects.get("a")).toMatchObject({ name: "New", model: "m:2" });
    const messages = await one.messages.list("a");
    expect(messages).toHaveLength(10);
    expect(await other.messages.list("a")).toEqual(messages);
    const items = await one.lists.all("items");
    expect(items).toHaveLength(10);
    expect(await other.lists.all("items")).toEqual(items);
  });

  it("end the followers of a project that the other removes, and take nothing more for it", async () => {
    const [one, other] = stores;
    await gatherOne(other);
    await one.projects.remove("a");
    await expect.poll(() => other.log.append("a", text("late"))).toBe(false);
    await other.log.settled();
    expect(await other.log.read("a", 0)).toEqual([]);
    other.log.append("b", text("goes on"));
    await other.log.settled();
    expect(await one.log.head("b")).toBe(1);
  });

  async function gatherOne(store: Store): Promise<void> {
    const first = gather(store, "a", 0, 1);
    store.log.append("a", text("first"));
    await first;
  }

  it("compact one log at once, and none of them fails or changes what it says", async () => {
    const output = "line\n".repeat(2_000);
    for (let n = 0; n < 3; n++)
      stores[0].log.append("a", { type: "output", call: "c\0", text: output });
    stores[0].log.append("a", runEnd);
    await stores[0].log.settled();
    await Promise.all([...stores, ...stores].map((store) => store.log.compact("a")));
    const entries = await stores[1].log.readWhole("a", 0);
    expect(entries.map(({ seq }) => seq)).toEqual([3, 4]);
    expect(entries[0]?.event).toMatchObject({ text: output.repeat(3) });
    expect(await stores[1].log.cutOf("a", "c\0")).toHaveLength(1);
  });
});
