import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, expect, it } from "vitest";
import { openStore } from "../open-store.ts";
import type { Store } from "../types.ts";
import { HOSTILE_TEXTS, ODD_MESSAGES } from "./hostile-texts.test-support.ts";

let directory: string;
let store: Store;
beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), "treadle-search-"));
  store = await openStore({ directory });
  const at = 1;
  const record = { id: "p", name: "P", createdAt: at, updatedAt: at, capability: "a".repeat(26) };
  await store.projects.create(record);
});
afterEach(async () => {
  await store.close();
  rmSync(directory, { recursive: true, force: true });
});

const put = (id: string, text: string) =>
  store.messages.put("p", { id, role: "user", parts: [{ type: "text", text }] });

it.each(HOSTILE_TEXTS)(
  "A107 %j is looked for as a text, and is no language of a database",
  async (text) => {
    await put("m", "A shop with a basket");
    await expect(store.search.messages(text, 30)).resolves.toMatchObject({
      found: expect.any(Array) as unknown,
    });
    expect((await store.search.messages("basket", 30)).found).toHaveLength(1);
  },
);

it("A107 whatever stands in a message, what is searched stays whole", async () => {
  for (const [index, text] of ODD_MESSAGES.entries()) await put(`m${index}`, text);
  // Said anew, each otherwise.
  for (const [index, text] of ODD_MESSAGES.toReversed().entries())
    await put(`m${index}`, `${text}!`);
  expect((await store.search.messages("needle", 30)).found.length).toBeGreaterThan(3);
  await store.projects.remove("p");
  await store.close();
  const database = new DatabaseSync(join(directory, "treadle.sqlite"));
  database.exec("insert into message_search (message_search, rank) values ('integrity-check', 1)");
  expect(database.prepare("pragma integrity_check").get()).toEqual({ integrity_check: "ok" });
  database.close();
  store = await openStore({ directory });
});
