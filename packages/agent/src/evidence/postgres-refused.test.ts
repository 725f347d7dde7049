import { expect, it } from "vitest";
import { createFakeWorkspace } from "../testing/fake-workspace.test-support.ts";
import { realClock } from "../testing/real-clock.test-support.ts";
import { gatherEvidence } from "./gather-evidence.ts";
import { postgresRefused } from "./postgres-refused.ts";

it("is among what was found if the server printed it while it was looked at", async () => {
  const workspace = createFakeWorkspace({
    files: { "package.json": '{ "scripts": { "dev": "node server.js" } }', "server.js": "1" },
    serve: (_command, fake) => {
      fake.print("Error: connect ECONNREFUSED 127.0.0.1:5432\n");
      return (_request, response) => response.writeHead(500).end("no database");
    },
  });
  const { findings } = await gatherEvidence({
    workspace,
    clock: realClock,
    signal: new AbortController().signal,
    onEvidence: () => {},
  });
  expect(findings).toEqual([
    expect.objectContaining({ code: "postgres-refused", subject: "localhost:5432" }),
  ]);
});

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
