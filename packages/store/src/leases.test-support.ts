import type { Kysely } from "kysely";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { project, text } from "./contract.test-support.ts";
import type { Schema } from "./schema.ts";
import type { Store } from "./types.ts";

const A = { server: "a", address: "http://a" };
const B = { server: "b", address: "http://b" };
/** Longer than any test. */
const LONG_MS = 600_000;

/** What the leases of every store must do. `open` returns a new, empty store. */
export function leaseContract(name: string, open: () => Promise<Store>): void {
  describe(`${name}: leases`, () => {
    let store: Store;
    beforeEach(async () => {
      store = await open();
      await store.projects.create(project("p"));
    });
    afterEach(() => store.close());

    it("gives a lease to one server, and returns it to others that ask for it", async () => {
      const { leases } = store;
      expect(await leases.find("p")).toBeUndefined();
      expect(await leases.acquire("p", A, LONG_MS)).toEqual({ ...A, epoch: 1 });
      expect(await leases.acquire("p", B, LONG_MS)).toEqual({ ...A, epoch: 1 });
      expect(await leases.find("p")).toEqual({ ...A, epoch: 1 });
      expect(await leases.acquire("p", A, LONG_MS)).toEqual({ ...A, epoch: 1 });
      expect(await leases.acquire("q", B, LONG_MS)).toEqual({ ...B, epoch: 1 });
    });

    it("gives a released lease to the next server, in a later epoch", async () => {
      const { leases } = store;
      await leases.acquire("p", A, LONG_MS);
      await leases.release("p", 1, false);
      expect(await leases.find("p")).toBeUndefined();
      expect(await leases.orphans()).toEqual([]);
      expect(await leases.acquire("p", B, LONG_MS)).toEqual({ ...B, epoch: 2 });
      // The former owner cannot end the lease of the next one.
      await leases.release("p", 1, false);
      expect(await leases.find("p")).toEqual({ ...B, epoch: 2 });
    });

    it("lets a lease end that is not renewed, and lists what its owner left", async () => {
      const { leases } = store;
      await leases.acquire("p", A, 1);
      await leases.acquire("q", A, LONG_MS);
      await expect.poll(() => leases.orphans()).toEqual(["p"]);
      expect(await leases.acquire("p", B, LONG_MS)).toEqual({ ...B, epoch: 2 });
      expect(await leases.orphans()).toEqual([]);
      expect(await leases.renew("a", LONG_MS)).toEqual(new Map([["q", 1]]));
      await leases.release("q", 1, true);
      expect(await leases.orphans()).toEqual(["q"]);
      expect(await leases.renew("a", LONG_MS)).toEqual(new Map());
    });

    it("renews a lease that ended while nobody else took it, in the same epoch", async () => {
      const { leases } = store;
      await leases.acquire("p", A, 1);
      await expect.poll(() => leases.find("p")).toBeUndefined();
      expect(await leases.renew("a", LONG_MS)).toEqual(new Map([["p", 1]]));
      expect(await leases.find("p")).toEqual({ ...A, epoch: 1 });
    });

    it("refuses every write to a project that this process does not own", async () => {
      const { leases } = store;
      const lost: string[] = [];
      leases.fence((name, epoch) => lost.push(`${name} ${epoch}`));
      const refused = (write: Promise<unknown>) =>
        expect(write).rejects.toMatchObject({ code: "not-owner" });
      const message = { id: "m", role: "user" as const, parts: [] };
      await refused(store.projects.update("p", { name: "New" }));
      expect(store.log.append("p", text("early"))).toBe(false);
      await leases.acquire("p", A, 1);
      store.log.append("p", text("first"));
      await store.projects.update("p", { name: "Mine" });
      await store.settings.set("kept:p", 1);
      await store.lists.put("publications", "p", 1);
      await expect.poll(() => leases.find("p")).toBeUndefined();
      // As another process would, without a claim here.
      await takeElsewhere(store);
      store.log.append("p", text("late"));
      await store.log.settled();
      expect(store.log.append("p", text("later"))).toBe(false);
      const secret = { name: "K", host: "a.com", environment: "both" as const, value: "v" };
      await refused(store.projects.update("p", { name: "Late" }));
      await refused(store.messages.put("p", message));
      await refused(store.secrets.put("p", secret));
      await refused(store.settings.set("kept:p", 2));
      await refused(store.settings.update("kept:p", () => 3));
      await refused(store.settings.remove("kept:p"));
      await refused(store.lists.put("publications", "p", 2));
      await refused(store.lists.remove("publications", "p"));
      await refused(store.projects.remove("p"));
      expect(lost).toEqual(["p 1"]);
      expect((await store.log.read("p", 0)).map(({ event }) => event)).toEqual([text("first")]);
      expect(await store.projects.get("p")).toMatchObject({ name: "Mine" });
      expect(await store.settings.get("kept:p")).toBe(1);
      expect(await store.lists.all("publications")).toEqual([1]);
      expect(await store.messages.list("p")).toEqual([]);
      // What belongs to no project is not fenced.
      await store.settings.set("model", "a:b");
      await store.lists.put("publications", "other", 2);
    });
  });
}

/** Takes the lease of `p` as another process would: this store does not learn of it. */
async function takeElsewhere({ accounts }: Store): Promise<void> {
  const db = accounts as unknown as Kysely<Schema>;
  await db.updateTable("leases").set({ server: "b", epoch: 2 }).where("name", "=", "p").execute();
}
