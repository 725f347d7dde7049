import { expect, it } from "vitest";
import { createFakeWorkspace } from "../../testing/fake-workspace.test-support.ts";
import { realClock } from "../../testing/real-clock.test-support.ts";
import { gatherEvidence } from "../gather-evidence.ts";

async function findingsOf(printed: string, more: { client?: boolean; hasSockets?: false } = {}) {
  const fake = createFakeWorkspace({
    files: {
      "package.json": '{ "scripts": { "dev": "node server.js" } }',
      "server.js": "1",
      ...(more.client && { "api/package.json": '{ "dependencies": { "pg": "8" } }' }),
    },
    serve: (_command, serving) => {
      serving.print(printed);
      return (_request, response) => response.writeHead(500).end("no database");
    },
  });
  const workspace = Object.assign(
    fake,
    more.hasSockets === false && { hasSockets: false as const },
  );
  const { findings } = await gatherEvidence({
    workspace,
    clock: realClock,
    signal: new AbortController().signal,
    onEvidence: () => {},
  });
  return findings;
}

it("is a finding if the server printed it during the observation", async () => {
  expect(await findingsOf("Error: connect ECONNREFUSED 127.0.0.1:5432\n")).toEqual([
    expect.objectContaining({ code: "postgres-refused", subject: "localhost:5432" }),
  ]);
});

it("is found in the app's files if nothing inside can reach a database server", async () => {
  const inTab = { client: true, hasSockets: false } as const;
  expect(await findingsOf("", inTab)).toMatchObject([{ code: "no-postgres-in-tab" }]);
  expect(await findingsOf("", { client: true })).toBeUndefined();
  expect(await findingsOf("", { hasSockets: false })).toBeUndefined();
});
