import { readChecks } from "@treadle/agent";
import { afterEach, beforeEach, expect, it } from "vitest";
import { startTestServer, type TestServer } from "../server.test-support.ts";

const PATH = ".treadle/checks.md";
const ADDS = "## Adds\n- click Add\n- expect Milk\n";
const OFF = `run: by hand\n${ADDS}`;

let server: TestServer;
let id: string;
/** The checks that count, as passed to the latest run. */
let counts: string[];

beforeEach(async () => {
  server = await startTestServer();
  server.turns.push(async (_request, { checks, workspace }) => {
    const standing = checks?.read();
    // Each look does the same.
    if (standing) checks?.save(standing, (await readChecks(workspace)).version);
    counts = [
      standing?.byHand ? "by hand" : "",
      ...(standing?.checks ?? []).map(({ name }) => name),
    ];
  });
  id = await server.project();
});
afterEach(() => server.close());

const api = (path: string, json: unknown = {}) =>
  server.api(`/api/projects/${id}/${path}`, { json });

async function save(text: string): Promise<void> {
  const file = `/api/projects/${id}/files/${PATH}`;
  const known = (await server.api(file)).headers.get("etag");
  const headers: Record<string, string> = known ? { "if-match": known } : { "if-none-match": "*" };
  const answer = await server.api(file, { method: "PUT", json: { text }, headers });
  expect([200, 201]).toContain(answer.status);
}

async function turn() {
  const { run } = (await (await api("messages", { text: "Go on" })).json()) as { run: string };
  await server.until(id, (event) => event.type === "run-end" && event.run === run);
  return counts;
}

it("what the person saves counts, a program's changes between turns do not until they are approved", async () => {
  await save(ADDS);
  expect(await turn()).toEqual(["", "Adds"]);
  server.workspace(id).put(PATH, OFF);
  expect(await turn()).toEqual(["", "Adds"]);
  server.workspace(id).put(PATH, "");
  expect(await turn()).toEqual(["", "Adds"]);
  server.workspace(id).put(PATH, OFF);
  const revision = await server.workspace(id).revision();
  expect((await api("checks/agree", { revision: "another" })).status).toBe(409);
  expect((await api("checks/agree", { revision })).status).toBe(200);
  expect(await turn()).toEqual(["by hand", "Adds"]);
});

it("what the person removes or moves in the page no longer counts", async () => {
  await save(ADDS);
  await api("files/rename", { from: ".treadle", to: "old" });
  expect(await turn()).toEqual([""]);
});

it("changes while no process was running are the person's, a process's are not", async () => {
  await save(ADDS);
  server.workspace(id).put(PATH, OFF);
  await server.treadle.projects.release(id);
  expect(await turn()).toEqual(["", "Adds"]);
  await server.treadle.projects.release(id);
  server.workspace(id).put(PATH, "## Other\n- expect Tea\n");
  expect(await turn()).toEqual(["", "Other"]);
});

it("the command line's --accept-rules approves them too", async () => {
  await save(ADDS);
  server.workspace(id).put(PATH, OFF);
  await server.treadle.projects.acceptChanged(id);
  expect(server.requests.at(-1)?.look).toBe(false);
  expect(await turn()).toEqual(["by hand", "Adds"]);
  expect(server.requests.at(-1)?.look).toBe(true);
});

it("restoring a checkpoint restores what counted then", async () => {
  await save(ADDS);
  await turn();
  server.workspace(id).put(PATH, OFF);
  await turn();
  const checkpoint = server.workspace(id).records.at(-1)?.checkpoint;
  await save("## Other\n- expect Tea\n");
  expect(await turn()).toEqual(["", "Other"]);
  expect((await api("restore", { checkpoint })).status).toBe(200);
  expect(await turn()).toEqual(["", "Adds"]);
});
