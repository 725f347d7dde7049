import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { gather, project, runEnd, text } from "../contract.test-support.ts";
import { openStore } from "../open-store.ts";
import { lacksPostgres, startDatabases } from "../postgres/database.test-support.ts";
import { readSettings } from "../read-settings.ts";
import type { Store } from "../types.ts";
import { moveToPostgres, moveToSqlite } from "./move-store.ts";
import { snapshotDatabase } from "./snapshot-database.ts";
import { quoted, tablesOf } from "./tables.ts";

/** Every table with every byte of its rows. */
function digestsOf(directory: string): Record<string, string> {
  const database = new DatabaseSync(join(directory, "treadle.sqlite"), { readOnly: true });
  const digests = tablesOf(database).map(({ name, columns }) => {
    const hash = createHash("sha256");
    const key = columns.slice(0, 3).map(quoted).join(", ");
    for (const row of database.prepare(`select * from ${quoted(name)} order by ${key}`).iterate())
      for (const column of columns) {
        const value = row[column];
        hash
          .update(value instanceof Uint8Array ? value : JSON.stringify(value ?? null))
          .update("\n");
      }
    return [name, hash.digest("hex")];
  });
  database.close();
  return Object.fromEntries(digests) as Record<string, string>;
}

/** Some of everything; `size` multiplies. */
async function fill(store: Store, size: number): Promise<void> {
  for (let n = 0; n < size; n++) {
    const id = `p${n}`;
    await store.projects.create(
      project(id, { name: `Größe ${n} 日本 \ud83d\ude00`, hosts: ["a.com"] }),
    );
    store.log.append(id, { type: "output", call: `c${n}`, text: "line ä\n".repeat(2_000) });
    store.log.append(id, runEnd);
    for (let entry = 0; entry < 2_000; entry++)
      store.log.append(id, text(`piece ${entry} \0 \ud800 "quoted" \\ {a,b} NULL`));
    await store.log.settled();
    await store.log.compact(id);
    for (let message = 0; message < 20; message++)
      await store.messages.put(id, {
        id: `m${message}`,
        role: message % 2 === 0 ? "user" : "assistant",
        parts: [{ type: "text", text: `Frage ${message} 全文検索 it's \\ "x"` }],
      });
    const secret = { name: "KEY", host: "a.com", value: `sk-${n}`, environment: "both" as const };
    await store.secrets.put(id, secret);
  }
  for (const name of ["b", "a", "__proto__"]) await store.lists.put("list", name, { name });
  await store.settings.set("model", "a:b");
  await store.settings.set("secret:provider:x", { key: "sk-of-mine" });
  await store.buildResults.put("session", { status: "failed" }, Date.now());
}

describe.skipIf(lacksPostgres)("moving a store", () => {
  const root = mkdtempSync(join(tmpdir(), "treadle-move-"));
  let databases: Awaited<ReturnType<typeof startDatabases>>;
  beforeAll(async () => {
    databases = await startDatabases();
  });
  afterAll(async () => {
    await databases.close();
    rmSync(root, { recursive: true, force: true });
  });
  const failureOf = (promise: Promise<unknown>) =>
    promise.then(
      () => undefined,
      (error: unknown) => error as { code: string },
    );

  it("moving to PostgreSQL and back keeps every byte; in PostgreSQL, everything is found and can be used", async () => {
    const directory = join(root, "there and back");
    const database = await databases.create();
    const first = await openStore({ directory });
    await fill(first, 20);
    const [projects, messages] = [await first.projects.list(), await first.messages.list("p3")];
    await first.close();
    const before = digestsOf(directory);

    const { rows } = await moveToPostgres(directory, database);
    expect(rows).toBeGreaterThan(40_000);
    expect(existsSync(join(directory, "treadle.sqlite"))).toBe(false);
    expect(await failureOf(openStore({ directory }))).toMatchObject({ code: "moved" });
    expect((await readSettings(directory, database)).get("secret:provider:x")).toEqual({ key: "sk-of-mine" }); // prettier-ignore
    expect((await readSettings(directory, undefined)).size).toBe(0);
    expect(await failureOf(moveToPostgres(directory, database))).toMatchObject({ code: "moved" });

    // What was there before an append, and is there again after it, is all the same.
    const store = await openStore({ directory, database });
    expect(await store.projects.list()).toEqual(projects);
    expect(await store.messages.list("p3")).toEqual(messages);
    expect((await store.search.messages("検索 frage", 1_000)).found).toHaveLength(400);
    expect(await store.secrets.reveal("p3", "preview")).toMatchObject([{ value: "sk-3" }]);
    expect((await store.log.readWhole("p3", 0))[0]?.event).toMatchObject({ text: "line ä\n".repeat(2_000) }); // prettier-ignore
    await store.projects.create(project("new"));
    await store.messages.put("new", { id: "m", role: "user", parts: [{ type: "text", text: "New" }] }); // prettier-ignore
    expect((await store.search.messages("new", 9)).found).toMatchObject([{ project: "new" }]);
    const live = gather(store, "new", 0, 1);
    store.log.append("new", text("x"));
    expect((await live)[0]?.seq).toBe(1);
    await store.projects.remove("new");
    await store.close();

    expect((await moveToSqlite(directory, database)).rows).toBe(rows);
    expect(digestsOf(directory)).toEqual(before);
    const again = await openStore({ directory });
    expect((await again.search.messages("検索 frage", 1_000)).found).toHaveLength(400);
    again.log.append("p3", text("goes on"));
    expect(await again.log.head("p3")).toBe(2_003);
    await again.close();
  });

  it("takes a snapshot of PostgreSQL as it is at one moment, while it is written to", async () => {
    const directory = join(root, "snapshot");
    const database = await databases.create();
    const store = await openStore({ directory, database });
    await store.projects.create(project("a"));
    let isOver = false;
    const writing = (async () => {
      for (let n = 0; !isOver; n++) {
        store.log.append("a", text(String(n)));
        await store.log.settled();
      }
    })();
    await expect.poll(() => store.log.head("a")).toBeGreaterThan(20);
    const copy = join(root, "copy");
    await (await openStore({ directory: copy })).close();
    rmSync(join(copy, "treadle.sqlite"));
    expect(await failureOf(snapshotDatabase(directory, join(copy, "treadle.sqlite"), undefined))).toMatchObject({ code: "moved" }); // prettier-ignore
    await snapshotDatabase(directory, join(copy, "treadle.sqlite"), database);
    isOver = true;
    await writing;
    const restored = await openStore({ directory: copy });
    const numbers = (await restored.log.read("a", 0)).map(({ seq }) => seq);
    expect(numbers.length).toBe(await restored.log.head("a"));
    expect(numbers).toEqual(numbers.map((_, index) => index + 1));
    await Promise.all([restored.close(), store.close()]);
  });

  it("is refused where it would mix two stores or break into a running one, and changes nothing", async () => {
    const directory = join(root, "refused");
    const [used, empty] = [await databases.create(), await databases.create()];
    const other = await openStore({ directory: join(root, "other"), database: used });
    await other.projects.create(project("b"));
    const store = await openStore({ directory });
    await store.projects.create(project("a"));
    expect(await failureOf(moveToPostgres(directory, empty))).toMatchObject({ code: "busy" });
    await store.close();
    const before = digestsOf(directory);
    expect(await failureOf(moveToPostgres(directory, used))).toMatchObject({ code: "occupied" });
    expect(await failureOf(moveToSqlite(directory, used))).toMatchObject({ code: "unmoved" });
    expect(await failureOf(moveToPostgres(directory, "mysql://x"))).toMatchObject({
      code: "address",
    });
    expect(readdirSync(directory).filter((name) => name.includes("moved"))).toEqual([]);
    expect(digestsOf(directory)).toEqual(before);
    expect(await other.projects.list()).toHaveLength(1);
    await other.close();
  });
});
