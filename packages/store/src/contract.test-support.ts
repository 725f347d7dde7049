import type { LogEntry, LogEvent } from "@treadle/protocol";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ProjectRecord, Store } from "./types.ts";

export const project = (id: string, more: Partial<ProjectRecord> = {}): ProjectRecord => ({
  id,
  name: `Project ${id}`,
  createdAt: 1,
  updatedAt: 1,
  capability: `k${id}`,
  ...more,
});

export const text = (piece: string, id = "t1"): LogEvent => ({
  type: "text",
  run: "r1",
  id,
  text: piece,
});

export const runEnd: LogEvent = {
  type: "run-end",
  run: "r1",
  outcome: "done",
  summary: "",
  revision: "",
  steps: 1,
  usage: { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0 },
  ms: 0,
};

/** Follows until `count` entries have arrived. */
export function gather(
  store: Store,
  id: string,
  after: number,
  count: number,
): Promise<LogEntry[]> {
  return new Promise((resolve) => {
    const got: LogEntry[] = [];
    const stop = store.log.follow(id, after, (entries) => {
      got.push(...entries);
      if (got.length < count) return;
      stop();
      resolve(got);
    });
  });
}

/** What every store must do. `open` returns a new, empty one. */
export function storeContract(name: string, open: () => Promise<Store>): void {
  describe(`${name}: projects, messages, settings, reports`, () => {
    let store: Store;
    beforeEach(async () => {
      store = await open();
    });
    afterEach(() => store.close());

    it("stores secrets by project and name, and returns their values only on request", async () => {
      await store.projects.create(project("a"));
      await store.projects.create(project("b"));
      const secret = {
        name: "KEY",
        host: "api.a.com",
        value: "sk-ä\n1",
        environment: "both" as const,
      };
      const { environment: _, ...revealed } = secret;
      await store.secrets.put("a", { ...secret, value: "old", host: "old.com" });
      await store.secrets.put("a", secret);
      await store.secrets.put("a", { ...secret, name: "B", host: "b.com", value: "" });
      expect(await store.secrets.list("a")).toEqual([
        { name: "B", host: "b.com", environment: "both" },
        { name: "KEY", host: "api.a.com", environment: "both" },
      ]);
      expect((await store.secrets.reveal("a", "preview"))[1]).toEqual(revealed);
      expect(await store.secrets.reveal("b", "preview")).toEqual([]);
      await store.secrets.remove("a", "B");
      expect(await store.secrets.list("a")).toHaveLength(1);
      await store.projects.remove("a");
      expect(await store.secrets.list("a")).toEqual([]);
    });

    it("stores one secret per name and environment: a specific environment takes precedence over both", async () => {
      await store.projects.create(project("a"));
      const secretsOf = async (environment: "preview" | "published") =>
        (await store.secrets.reveal("a", environment)).map(({ name, value }) => `${name} ${value}`);
      const put = (name: string, value: string, environment: "preview" | "published" | "both") =>
        store.secrets.put("a", { name, host: "a.com", value, environment });
      await put("KEY", "both", "both");
      await put("KEY", "live", "published");
      await put("KEY", "new live", "published");
      await put("A", "test", "preview");
      expect(await secretsOf("preview")).toEqual(["A test", "KEY both"]);
      expect(await secretsOf("published")).toEqual(["KEY new live"]);
      await store.secrets.remove("a", "KEY", "published");
      expect(await secretsOf("published")).toEqual(["KEY both"]);
      await put("KEY", "live", "published");
      await put("KEY", "again both", "both");
      expect(await store.secrets.list("a")).toHaveLength(2);
      expect(await secretsOf("published")).toEqual(["KEY again both"]);
      await store.secrets.remove("a", "KEY");
      expect(await secretsOf("preview")).toEqual(["A test"]);
    });

    it("returns a project as it was stored, by id, capability and folder", async () => {
      const full = project("a", { directory: "/home/x", model: "m:1", verdict: "verified" });
      await store.projects.create(full);
      expect(await store.projects.get("a")).toEqual(full);
      expect(await store.projects.byCapability("ka")).toEqual(full);
      expect(await store.projects.byDirectory("/home/x")).toEqual(full);
      expect(await store.projects.get("b")).toBeUndefined();
      expect(await store.projects.byCapability("kb")).toBeUndefined();
    });

    it("lists the newest change first, and keeps both of two concurrent changes", async () => {
      await store.projects.create(project("a", { updatedAt: 1 }));
      await store.projects.create(project("b", { updatedAt: 2 }));
      await Promise.all([
        store.projects.update("a", { name: "New", updatedAt: 3 }),
        store.projects.update("a", { model: "m:2" }),
      ]);
      const list = await store.projects.list();
      expect(list.map(({ id }) => id)).toEqual(["a", "b"]);
      expect(list[0]).toMatchObject({ name: "New", model: "m:2" });
    });

    it("clears a field set to undefined, and ignores a missing project", async () => {
      await store.projects.create(project("a", { model: "m:1" }));
      await store.projects.update("a", { model: undefined });
      await store.projects.update("missing", { name: "x" });
      expect((await store.projects.get("a"))?.model).toBeUndefined();
      expect(await store.projects.get("missing")).toBeUndefined();
    });

    it("hides a deleted project, and keeps all its data until it is restored", async () => {
      await store.projects.create(project("a", { directory: "/d" }));
      await store.projects.create(project("b", { directory: "/d", capability: "b" }));
      await store.messages.put("a", { id: "m", role: "user", parts: [] });
      await store.projects.update("a", { deletedAt: 5, updatedAt: 9 });
      expect(await store.projects.get("a")).toBeUndefined();
      expect(await store.projects.byCapability(project("a").capability)).toBeUndefined();
      expect((await store.projects.byDirectory("/d"))?.id).toBe("b");
      expect((await store.projects.list()).map(({ id }) => id)).toEqual(["b"]);
      expect(await store.projects.deleted()).toMatchObject([{ id: "a", deletedAt: 5 }]);
      await store.projects.update("a", { deletedAt: undefined });
      expect((await store.projects.byDirectory("/d"))?.id).toBe("a");
      expect(await store.projects.deleted()).toEqual([]);
      expect(await store.messages.list("a")).toHaveLength(1);
    });

    it("removes a project with its messages and its log", async () => {
      await store.projects.create(project("a"));
      await store.messages.put("a", { id: "m", role: "user", parts: [] });
      store.log.append("a", text("x"));
      await store.projects.remove("a");
      expect(await store.messages.list("a")).toEqual([]);
      expect(await store.log.read("a", 0)).toEqual([]);
      expect(await store.log.head("a")).toBe(0);
      expect(store.log.append("a", text("late"))).toBe(false);
      await store.log.settled();
    });

    it("finds messages in all projects, in any script, and none of removed projects", async () => {
      const message = (id: string, role: "user" | "assistant", text: string) => ({
        id,
        role,
        parts: [
          { type: "text", text },
          { type: "tool-x", input: { text: "hidden away" } },
        ],
      });
      for (const id of ["a", "b"]) await store.projects.create(project(id));
      await store.messages.put("a", message("m1", "user", "Build a GROCERY list"));
      await store.messages.put(
        "a",
        message("r1", "assistant", `${"word ".repeat(60)}The list is there.`),
      );
      await store.messages.put("b", message("m2", "user", "全文検索を作って"));
      await store.messages.put("b", message("r2", "assistant", "用了中文分词"));
      const find = async (text: string, limit = 9) =>
        (await store.search.messages(text, limit)).found.map(
          (one) => `${one.project} ${one.message}`,
        );
      expect(await find("grocery")).toEqual(["a m1"]);
      expect(await find("list there")).toEqual(["a m1"]);
      expect(await find("list e")).toEqual(["a m1", "a m1"]);
      expect(await find("検索")).toEqual(["b m2"]);
      expect(await find("分词")).toEqual(["b m2"]);
      expect(await find("中")).toEqual(["b m2"]);
      for (const none of ["hidden", "nothing like it", "", 'a"b*', "検証"])
        expect(await find(none)).toEqual([]);
      expect(await store.search.messages("list", 1)).toMatchObject({
        found: [{ excerpt: "…word word word word word word word The list is there." }],
        more: true,
      });
      await store.messages.put("a", message("m1", "user", "Build a shop"));
      expect([await find("grocery"), await find("shop")]).toEqual([[], ["a m1"]]);
      await store.projects.remove("b");
      expect(await find("検索")).toEqual([]);
    });

    it("copies a log up to an entry to another project, with complete texts; the copy continues the numbering", async () => {
      await store.projects.create(project("a"));
      await store.projects.create(project("b"));
      const long = "x".repeat(9_000);
      store.log.append("a", { type: "call-open", run: "r1", call: "c", tool: "run_command" });
      store.log.append("a", { type: "output", call: "c", text: long });
      store.log.append("a", runEnd);
      for (const piece of ["1", "2", "3"]) store.log.append("a", text(piece));
      await store.log.settled();
      await store.log.compact("a");
      await store.log.copy("a", "b", 5, [4]);
      const copied = await store.log.read("b", 0);
      expect(copied.map(({ seq }) => seq)).toEqual([1, 2, 3, 5]);
      expect(copied).toEqual(
        (await store.log.read("a", 0)).filter(({ seq }) => copied.some((one) => one.seq === seq)),
      );
      expect(await store.log.cutOf("b", "c")).toMatchObject([{ event: { text: long } }]);
      expect(store.log.append("b", text("own"))).toBe(true);
      expect((await gather(store, "b", 3, 2)).map(({ seq }) => seq)).toEqual([5, 6]);
      await store.log.copy("a", "b", 9, []);
      expect(await store.log.head("b")).toBe(6);
      await store.projects.remove("a");
      expect(await store.log.read("b", 0)).toHaveLength(5);
    });

    it("keeps messages in insertion order; a second put replaces in place", async () => {
      await store.projects.create(project("a"));
      await store.messages.put("a", { id: "m1", role: "user", parts: [{ text: "1" }] });
      await store.messages.put("a", { id: "m2", role: "assistant", parts: [] });
      await store.messages.put("a", { id: "m1", role: "user", parts: [{ text: "2" }] });
      expect(await store.messages.list("a")).toEqual([
        { id: "m1", role: "user", parts: [{ text: "2" }] },
        { id: "m2", role: "assistant", parts: [] },
      ]);
    });

    it("stores list items separately, in insertion order", async () => {
      const { lists } = store;
      for (const name of ["b", "a", "c", "__proto__"]) await lists.put("letters", name, { name });
      await lists.put("others", "a", "another list's");
      await lists.put("letters", "a", { name: "a", changed: true });
      await lists.remove("letters", "c");
      await lists.remove("letters", "never there");
      const left = [{ name: "b" }, { name: "a", changed: true }, { name: "__proto__" }];
      expect(await lists.all("letters")).toEqual(left);
      expect(await lists.all("nothing")).toEqual([]);
    });

    it("changes a setting that many change at once without losing a change", async () => {
      const add = (n: number) =>
        store.settings.update<number[]>("numbers", (numbers = []) => [...numbers, n]);
      await Promise.all([1, 2, 3, 4, 5].map(add));
      expect((await store.settings.get<number[]>("numbers"))?.toSorted()).toEqual([1, 2, 3, 4, 5]);
      await store.settings.update("numbers", () => undefined);
      expect(await store.settings.get("numbers")).toBeUndefined();
    });

    it("stores settings as JSON, including names like __proto__ (A46)", async () => {
      await store.settings.set("__proto__", { a: [1, null, "ü"] });
      await store.settings.set("secret:x", "k");
      await store.settings.set("secret:x", undefined);
      expect(await store.settings.get("__proto__")).toEqual({ a: [1, null, "ü"] });
      expect(await store.settings.get("secret:x")).toBeUndefined();
      expect(await store.settings.get("constructor")).toBeUndefined();
    });

    it("keeps the newest report of a session", async () => {
      const now = Date.now();
      await store.buildResults.put("session1", { status: "failed" }, now - 1);
      await store.buildResults.put("session1", { status: "success" }, now);
      expect(await store.buildResults.get("session1")).toEqual({
        report: { status: "success" },
        ranAtMs: now,
      });
      await store.buildResults.remove("session1");
      await store.buildResults.remove("session1");
      expect(await store.buildResults.get("session1")).toBeUndefined();
    });

    it("deletes a report after a day", async () => {
      await store.buildResults.put("session1", { status: "failed" }, Date.now() - 86_400_001);
      expect(await store.buildResults.get("session1")).toBeUndefined();
    });
  });

  describe(`${name}: the log`, () => {
    let store: Store;
    beforeEach(async () => {
      store = await open();
      await store.projects.create(project("a"));
      await store.projects.create(project("b"));
    });
    afterEach(() => store.close());

    it("numbers each project's entries from 1 without gaps", async () => {
      for (const id of ["a", "b"]) expect(store.log.append(id, text("1"))).toBe(true);
      store.log.append("a", text("2"));
      expect(await store.log.head("a")).toBe(2);
      expect((await store.log.read("a", 0)).map(({ seq }) => seq)).toEqual([1, 2]);
      expect(await store.log.read("a", 1, 1)).toMatchObject([{ seq: 2, event: text("2") }]);
    });

    it("shows followers nothing that is not durable yet", async () => {
      const first = gather(store, "a", 0, 1);
      store.log.append("a", text("x"));
      const [entry] = await first;
      expect(await store.log.read("a", 0)).toEqual([entry]);
    });

    it("replays and continues live without gaps or duplicates (F10)", async () => {
      for (let n = 1; n <= 1500; n++) store.log.append("a", text(String(n)));
      await store.log.settled();
      const all = gather(store, "a", 3, 1997);
      for (let n = 1501; n <= 2000; n++) {
        store.log.append("a", text(String(n)));
        if (n % 100 === 0) await store.log.settled();
      }
      const numbers = (await all).map(({ seq }) => seq);
      expect(numbers).toEqual(Array.from({ length: 1997 }, (_, index) => index + 4));
    });

    it("a follower that never finishes its batch delays nobody (F19)", async () => {
      const stopSlow = store.log.follow("a", 0, () => new Promise(() => undefined));
      const quick = gather(store, "a", 0, 50);
      for (let n = 0; n < 50; n++) {
        store.log.append("a", text("x"));
        await store.log.settled();
      }
      expect(await quick).toHaveLength(50);
      stopSlow();
    });

    it("calls a slow follower one batch at a time, and delivers everything in the end (F19)", async () => {
      let inside = 0;
      let most = 0;
      let count = 0;
      const done = new Promise<void>((resolve) => {
        store.log.follow("a", 0, async (entries) => {
          most = Math.max(most, ++inside);
          await store.log.settled();
          inside--;
          count += entries.length;
          if (count === 3000) resolve();
        });
      });
      for (let n = 0; n < 3000; n++) store.log.append("a", text("x"));
      await done;
      expect(most).toBe(1);
    });

    it("does not call a follower that has stopped or thrown", async () => {
      let calls = 0;
      store.log.follow("a", 0, () => {
        calls++;
        throw new Error("gone");
      });
      const stop = store.log.follow("a", 0, () => void calls++);
      stop();
      const first = gather(store, "a", 0, 1);
      store.log.append("a", text("1"));
      await first;
      const second = gather(store, "a", 1, 1);
      store.log.append("a", text("2"));
      await second;
      expect(calls).toBe(1);
    });

    it("stores an event as it was when it was appended", async () => {
      const event = { type: "text" as const, run: "r", id: "t", text: "before" };
      const live = gather(store, "a", 0, 1);
      store.log.append("a", event);
      event.text = "after";
      expect((await live)[0]?.event).toMatchObject({ text: "before" });
      expect((await store.log.read("a", 0))[0]?.event).toMatchObject({ text: "before" });
    });

    it("compacts the texts of an ended run into one complete entry at the position of the last piece", async () => {
      store.log.append("a", text("Hel"));
      store.log.append("a", { type: "call-start", call: "c" });
      store.log.append("a", text("lo"));
      store.log.append("a", {
        type: "call-delta",
        call: "c",
        field: "content",
        text: "1",
        path: "x",
      });
      store.log.append("a", { type: "call-delta", call: "c", field: "content", text: "2" });
      store.log.append("a", runEnd);
      store.log.append("a", text("going", "t2"));
      store.log.append("a", text(" on", "t2"));
      await store.log.compact("a");
      const entries = await store.log.read("a", 0);
      expect(entries.map(({ seq, event }) => [seq, event])).toEqual([
        [2, { type: "call-start", call: "c" }],
        [3, { ...text("Hello"), whole: true }],
        [
          5,
          { type: "call-delta", call: "c", field: "content", text: "12", path: "x", whole: true },
        ],
        [6, runEnd],
        [7, text("going", "t2")],
        [8, text(" on", "t2")],
      ]);
      await store.log.compact("a");
      expect(await store.log.read("a", 0)).toEqual(entries);
    });

    it("returns only the newest turns, starting with a user's message, and fewer if they are long", async () => {
      const append = (message: string) =>
        store.log.append("a", { type: "message", message, role: "user", text: "x", queued: false });
      expect(await store.log.readLatest("a")).toEqual([]);
      for (let turn = 1; turn <= 5; turn++) {
        append(`m${turn}`);
        store.log.append("a", text(`answer ${turn}`));
      }
      await store.log.settled();
      expect((await store.log.readLatest("a")).map(({ seq }) => seq)).toEqual([5, 6, 7, 8, 9, 10]);
      store.log.append("a", text("x".repeat(700_000)));
      append("m6");
      store.log.append("a", text("y".repeat(700_000)));
      await store.log.settled();
      expect((await store.log.readLatest("a")).map(({ seq }) => seq)).toEqual([12, 13]);
      store.log.append("a", text("z".repeat(700_000)));
      await store.log.settled();
      expect(await store.log.readLatest("a")).toEqual([]);
    });

    it("shortens long texts of an ended run's calls, and keeps the full texts", async () => {
      const long = "a line\n".repeat(1_000);
      const delta = { type: "call-delta" as const, call: "c", field: "content" };
      store.log.append("a", { ...delta, text: long.slice(0, 3_000) });
      store.log.append("a", { ...delta, text: long.slice(3_000) });
      const end: LogEvent = {
        type: "call-end",
        call: "c",
        status: "ok",
        title: "",
        result: long,
        ms: 1,
      };
      store.log.append("a", end);
      store.log.append("a", runEnd);
      await store.log.compact("a");
      const shown = await store.log.read("a", 0);
      expect(shown.map(({ seq }) => seq)).toEqual([2, 3, 4]);
      expect(shown.map(({ event }) => (event as { cut?: number }).cut)).toEqual([
        7_000,
        7_000,
        undefined,
      ]);
      expect(JSON.stringify(shown).length).toBeLessThan(4_000);
      const completed = [{ ...delta, text: long, whole: true }, end];
      expect((await store.log.readWhole("a", 0)).map(({ event }) => event)).toEqual([
        ...completed,
        runEnd,
      ]);
      expect((await store.log.cutOf("a", "c")).map(({ event }) => event)).toEqual(completed);
      expect(await store.log.cutOf("b", "c")).toEqual([]);
      await store.log.compact("a");
      expect(await store.log.read("a", 0)).toEqual(shown);
    });
  });
}
