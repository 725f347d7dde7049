import { mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { project, text } from "./contract.test-support.ts";
import { examineDatabase } from "./examine-database.ts";
import { openStore } from "./open-store.ts";

let directory: string;
beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), "treadle-examine-"));
  const store = await openStore({ directory });
  await store.projects.create(project("a"));
  for (let n = 0; n < 20; n++) store.log.append("a", text(String(n)));
  store.log.append("a", {
    type: "run-end",
    run: "r",
    outcome: "done",
    summary: "",
    revision: "",
    steps: 1,
    usage: { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0 },
    ms: 1,
  });
  await store.log.compact("a");
  for (let n = 0; n < 5; n++) store.log.append("a", text(String(n)));
  await store.log.settled();
  await store.close();
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

/** Makes changes that Treadle itself would never make. */
function change(...statements: string[]): void {
  const database = new DatabaseSync(join(directory, "treadle.sqlite"));
  database.exec("pragma foreign_keys = off");
  for (const statement of statements) database.exec(statement);
  database.close();
}

describe("examining a database", () => {
  it("finds nothing in an intact one, compacted or not", () => {
    expect(examineDatabase(directory, false)).toEqual([]);
  });

  it("reports a gap in the log where compaction has not been", () => {
    change("delete from log where seq = 23");
    expect(examineDatabase(directory, true)).toEqual([
      { where: "project a", problem: "its log lacks 1 entries; what is there is shown" },
    ]);
  });

  it("does not count leftovers of a killed compaction as a loss (crash soak, seed 2056), but reports a loss after them", () => {
    change("update projects set compacted = 0");
    expect(examineDatabase(directory, false)).toEqual([]);
    change("delete from log where seq = 24");
    expect(examineDatabase(directory, false)).toHaveLength(1);
  });

  it("removes unreadable rows, saves them beside the database, and finds nothing afterwards", async () => {
    change("update log set event = '{\"type\":' where seq = 24");
    expect(examineDatabase(directory, false)).toMatchObject([{ where: "database" }]);
    const [found] = examineDatabase(directory, true);
    expect(found?.mended).toContain("unreadable-log");
    const name = readdirSync(directory).find((one) => one.startsWith("unreadable-log"))!;
    expect(JSON.parse(readFileSync(join(directory, name), "utf8"))).toMatchObject({ seq: 24 });
    const store = await openStore({ directory });
    expect((await store.log.read("a", 22)).map(({ seq }) => seq)).toEqual([23, 25, 26]);
    await store.close();
  });

  it("removes rows without an owner", () => {
    change(
      "insert into messages values ('gone', 1, 'm', '{}')",
      "insert into log_bodies values ('a', 999, 'c', x'00')",
    );
    expect(examineDatabase(directory, false)).toHaveLength(2);
    expect(examineDatabase(directory, true).map(({ mended: repaired }) => repaired)).toEqual([
      "they are gone",
      "they are gone",
    ]);
    expect(examineDatabase(directory, false)).toEqual([]);
  });

  it("says what to do with a damaged database, and leaves it unchanged", () => {
    truncateSync(join(directory, "treadle.sqlite"), 8_192);
    expect(() => examineDatabase(directory, true)).toThrow(/damaged/);
  });
});
