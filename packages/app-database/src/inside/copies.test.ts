import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { copyName, retainNewest } from "./copies.ts";

const folder = mkdtempSync(join(tmpdir(), "treadle-copies-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it("keeps the three newest copies of a database, and all of other databases", () => {
  const put = (name: string, second: number) => {
    writeFileSync(join(folder, name), "");
    utimesSync(join(folder, name), second, second);
  };
  const app = ["0001", "0002", "0003", "0004"].map((change) => copyName("app", change, ".db"));
  app.forEach((name, index) => put(name, index + 10));
  const others = [copyName("users", "0001", ".db"), copyName("PostgreSQL", "import", ".sql")];
  for (const name of others) put(name, 1);
  retainNewest(folder, "app");
  expect(readdirSync(folder).toSorted()).toEqual([...app.slice(1), ...others].toSorted());
});

it("gives a copy a file name that is valid on any disk", () => {
  expect(copyName("app", "a/b c", ".db")).toBe("app-before-a-b-c.db");
});
