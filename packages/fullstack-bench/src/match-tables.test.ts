import fc from "fast-check";
import { expect, it } from "vitest";
import { matchTables } from "./match-tables.ts";

const table = (name: string, ...columns: string[]) => ({ name, columns });
const tables = [
  table("users", "id", "email", "password_hash", "role"),
  table("clients", "id", "name", "phone"),
  table("call_logs", "id", "client_id", "notes", "created_at"),
  table("follow_ups", "id", "call_log_id", "due_on"),
];
const tablesOf = (...structures: string[]) =>
  matchTables(structures, tables).map((one) => one.tables);

it("finds tables by the words of their names, in singular and plural", () => {
  expect(
    tablesOf(
      "client information for identification and management",
      "customer service call logs with call details",
      "user accounts and their permission levels",
      "follow-up actions",
    ),
  ).toEqual([["clients"], ["call_logs"], ["users"], ["follow_ups"]]);
});

it("finds a table by its columns if no name matches", () => {
  const [found] = matchTables(
    ["email addresses and password of members"],
    [table("people", "id", "email", "password_hash")],
  );
  expect(found?.tables).toEqual(["people"]);
});

it("finds none if nothing matches", () => {
  expect(tablesOf("weather observations")).toEqual([[]]);
});

it("uses a word shared by most structures only if no other is found", () => {
  const found = matchTables(
    ["user accounts", "forum topics", "replies to topics"],
    [table("users", "id"), table("topics", "id"), table("replies", "id", "topic_id")],
  );
  expect(found.map((one) => one.tables)).toEqual([["users"], ["topics"], ["replies"]]);
});

it("returns an entry for every structure, whatever the names are", () => {
  const name = fc.string();
  fc.assert(
    fc.property(
      fc.array(name),
      fc.array(fc.record({ name, columns: fc.array(name) })),
      (structures, named) => {
        expect(matchTables(structures, named).map((one) => one.structure)).toEqual(structures);
      },
    ),
  );
});
