import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { project, text } from "../contract.test-support.ts";
import { openStore } from "../open-store.ts";
import type { Store } from "../types.ts";
import { lacksPostgres, startDatabases } from "./database.test-support.ts";

/** Longer than any test. */
const LONG_MS = 600_000;
const SERVERS = [
  { server: "a", address: "http://a" },
  { server: "b", address: "http://b" },
] as const;

describe.skipIf(lacksPostgres)("two servers that own projects of one PostgreSQL database", () => {
  const root = mkdtempSync(join(tmpdir(), "treadle-two-owners-"));
  let databases: Awaited<ReturnType<typeof startDatabases>>;
  let stores: [Store, Store];
  let lost: string[][];
  beforeAll(async () => {
    databases = await startDatabases();
    const database = await databases.create();
    const open = () => openStore({ directory: root, database, isShared: true });
    stores = await Promise.all([open(), open()]);
    lost = stores.map((store) => {
      const names: string[] = [];
      store.leases.fence((name) => names.push(name));
      return names;
    });
  });
  afterAll(async () => {
    for (const store of stores) await store.close();
    await databases.close();
    rmSync(root, { recursive: true, force: true });
  });

  it("write in the order of their epochs, and nothing of an epoch once the next owner has read the log", async () => {
    const step = fc.record({
      by: fc.nat(1),
      act: fc.constantFrom("acquire", "acquire-short", "append", "append", "release", "settle"),
      isAwaited: fc.boolean(),
    });
    let round = 0;
    let count = 0;
    /** Every text that was accepted, and the owner's epoch. */
    const accepted = new Set<string>();
    const play = async (steps: { by: number; act: string; isAwaited: boolean }[]) => {
      const id = `p${++round}`;
      await stores[0].projects.create(project(id));
      const epochs = [0, 0];
      /** Length of the log as each owner found it, by epoch. */
      const heads = new Map<number, number>();
      const pending: Promise<unknown>[] = [];
      accepted.clear();
      const perform = async (by: number, act: string) => {
        const { leases, log } = stores[by]!;
        if (act.startsWith("acquire")) {
          const ms = act === "acquire" ? LONG_MS : 0;
          const lease = await leases.acquire(id, SERVERS[by]!, ms);
          if (lease.server !== SERVERS[by]!.server) return;
          epochs[by] = lease.epoch;
          if (!heads.has(lease.epoch)) heads.set(lease.epoch, (await log.read(id, 0)).length);
        } else if (act === "release") {
          await log.settled();
          await leases.release(id, epochs[by]!, false);
        } else if (act === "settle") await log.settled();
        else {
          const words = `${epochs[by]} ${++count}`;
          if (log.append(id, text(words))) accepted.add(words);
        }
      };
      for (const { by, act, isAwaited } of steps) {
        const going = perform(by, act);
        pending.push(going);
        if (isAwaited) await going;
      }
      await Promise.all(pending);
      for (const { log } of stores) await log.settled();
      const entries = await stores[0].log.read(id, 0);
      expect(entries.map(({ seq }) => seq)).toEqual(entries.map((_, index) => index + 1));
      const words = entries.map(({ event }) => (event as { text: string }).text);
      expect(new Set(words).size).toBe(words.length);
      for (const one of words) expect(accepted).toContain(one);
      const order = words.map((one) => Number(one.split(" ")[0]));
      expect(order).toEqual(order.toSorted((a, b) => a - b));
      for (const [epoch, head] of heads)
        for (const [index, other] of order.entries()) if (other < epoch) expect(index).toBeLessThan(head); // prettier-ignore
      // What an owner wrote that neither lost its lease nor released it is there.
      const isOver = steps.some(({ act }) => act === "release") || lost.flat().includes(id);
      if (!isOver) expect(words).toHaveLength(accepted.size);
    };
    await fc.assert(fc.asyncProperty(fc.array(step, { maxLength: 25 }), play), { numRuns: 60 });
  });

  it("append and renew at the same time without waiting for each other in turn", async () => {
    const [one] = stores;
    const ids = Array.from({ length: 12 }, (_, index) => `many${index}`);
    for (const id of ids) {
      await one.projects.create(project(id));
      await one.leases.acquire(id, SERVERS[0], LONG_MS);
    }
    for (let round = 0; round < 20; round++) {
      for (const id of ids.toReversed()) one.log.append(id, text("x"));
      await Promise.all([one.log.settled(), one.leases.renew("a", LONG_MS), one.leases.renew("a", LONG_MS)]); // prettier-ignore
    }
    for (const id of ids) expect(await one.log.head(id)).toBe(20);
  });

  it("keep a server out of the folder that would have it alone", async () => {
    await expect(openStore({ directory: root })).rejects.toMatchObject({ code: "moved" });
    const database = await databases.create();
    await expect(openStore({ directory: root, database })).rejects.toMatchObject({ code: "busy" });
  });
});
