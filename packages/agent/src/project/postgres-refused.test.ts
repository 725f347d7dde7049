import { expect, it } from "vitest";
import { postgresNote, postgresRefused } from "./postgres-refused.ts";

it.each([
  "Error: connect ECONNREFUSED 127.0.0.1:5432",
  "AggregateError [ECONNREFUSED]: connect ECONNREFUSED ::1:5432",
  'psycopg2.OperationalError: connection to server at "localhost", port 5432 failed: Connection refused',
  "  code: '57P03',",
])("finds that no PostgreSQL answered: %s", (line) => {
  expect(postgresRefused(`listening on 3000\n${line}\n`)).toMatchObject({
    code: "postgres-refused",
    detail: line.trim(),
  });
});

it.each([
  "connect ECONNREFUSED 127.0.0.1:3000",
  "connected to 127.0.0.1:5432",
  "connect ECONNREFUSED 127.0.0.1:15432",
])("finds nothing of the kind in: %s", (line) => {
  expect(postgresRefused(line)).toBeUndefined();
});

it("says what would help by what there is where the project runs", () => {
  const line = "connect ECONNREFUSED 127.0.0.1:5432";
  const notes = [
    postgresNote({}, line),
    postgresNote({ hasPostgres: true }, "code: '57P03'"),
    postgresNote({ hasSockets: false }, line),
  ];
  expect(new Set(notes).size).toBe(3);
  expect(notes[1]).toContain("treadle doctor");
  expect(postgresNote({}, "connect ECONNREFUSED 127.0.0.1:6379")).toBe("");
});
