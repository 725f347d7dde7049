import type { Database } from "@treadle/protocol";
import { expect, it } from "vitest";
import { databaseOfCopy } from "./databases.ts";

const database = (path: string, environment: Database["environment"] = "preview"): Database => ({
  environment,
  path,
  kind: "sqlite",
  bytes: 1,
});
const app = database("data/app.db");
const copy = database(".data/copies/app-before-002-before-dinner.db");

it("a copy belongs to the database of its name and environment", () => {
  const others = [copy, database("data/app-before.db"), database("data/app.db", "published")];
  expect(databaseOfCopy([...others, app], copy)).toBe(app);
  expect(databaseOfCopy(others, copy)).toBeUndefined();
});

it("a file that is not a copy, or may belong to two databases, belongs to none", () => {
  expect(databaseOfCopy([app, copy], app)).toBeUndefined();
  expect(databaseOfCopy([app, database("other/app.sqlite"), copy], copy)).toBeUndefined();
});
