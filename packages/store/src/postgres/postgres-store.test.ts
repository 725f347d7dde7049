import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { project, storeContract } from "../contract.test-support.ts";
import { leaseContract } from "../leases.test-support.ts";
import { openStore } from "../open-store.ts";
import { HOSTILE_TEXTS, ODD_MESSAGES } from "../search/hostile-texts.test-support.ts";
import { lacksPostgres, startDatabases } from "./database.test-support.ts";

describe.skipIf(lacksPostgres)("a store in PostgreSQL", () => {
  const root = mkdtempSync(join(tmpdir(), "treadle-postgres-store-"));
  let databases: Awaited<ReturnType<typeof startDatabases>>;
  beforeAll(async () => {
    databases = await startDatabases();
  });
  afterAll(async () => {
    await databases.close();
    rmSync(root, { recursive: true, force: true });
  });
  let count = 0;

  const open = async () =>
    openStore({ directory: join(root, String(++count)), database: await databases.create() });

  it("A107 whatever stands in a message or is looked for is text, and no language of the database", async () => {
    const store = await open();
    await store.projects.create(project("p"));
    const put = (id: string, text: string) =>
      store.messages.put("p", { id, role: "user", parts: [{ type: "text", text }] });
    await put("basket", "A shop with a basket");
    for (const text of HOSTILE_TEXTS)
      expect((await store.search.messages(text, 30)).found, text).toBeInstanceOf(Array);
    expect((await store.search.messages("basket", 30)).found).toHaveLength(1);
    for (const [index, text] of ODD_MESSAGES.entries()) await put(`m${index}`, text);
    for (const [index, text] of ODD_MESSAGES.toReversed().entries())
      await put(`m${index}`, `${text}!`);
    expect((await store.search.messages("needle", 30)).found.length).toBeGreaterThan(3);
    await store.close();
  });

  it("finds a word in a text that has too many pieces for the index", async () => {
    const store = await open();
    await store.projects.create(project("p"));
    // Each three of them in a row only once: more than a megabyte of pieces.
    const letters = Array.from({ length: 190_000 }, (_, n) =>
      String.fromCodePoint(0x4e00 + ((n * 7_919 + Math.floor(n / 97) * 31) % 20_000)),
    );
    const text = `${letters.join("")} 終わり`;
    await store.messages.put("p", { id: "m", role: "user", parts: [{ type: "text", text }] });
    expect((await store.search.messages("終わり", 9)).found).toHaveLength(1);
    expect((await store.search.messages("終わ無", 9)).found).toEqual([]);
    await store.close();
  });

  storeContract("PostgreSQL", open);
  leaseContract("PostgreSQL", open);
});
