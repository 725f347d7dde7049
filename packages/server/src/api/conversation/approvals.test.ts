import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Answer, ApprovalQuestion, SuspendedRun } from "@treadle/protocol";
import { afterEach, expect, it } from "vitest";
import { startTestServer, type TestServer, type Turn } from "../../server.test-support.ts";

let server: TestServer;
const folders: string[] = [];
afterEach(async () => {
  await server.close();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

const QUESTION: ApprovalQuestion = {
  kind: "approval",
  id: "c1.approval",
  call: "c1",
  tool: "run_command",
  why: "Commands need approval in this project.",
  subject: { kind: "command", what: ["npm test"] },
  digest: "d1",
  mayRemember: true,
};

const STATE: SuspendedRun = {
  reply: "reply",
  calls: [],
  steps: 1,
  callCount: 1,
  usage: { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0 },
  stepUsage: { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0 },
  workedMs: 0,
  seen: [],
  touched: [],
  changed: false,
  commanded: false,
  repairs: 0,
  sameFailures: 0,
};

/** A model that asks for approval, and ends once it has an answer. */
const asks =
  (question: ApprovalQuestion): Turn =>
  async (request, ports, { emit }) => {
    const { run, resume } = request;
    if (resume) return {};
    emit({ type: "question", run, question });
    emit({ type: "suspended", run, question: QUESTION.id, state: STATE });
    await ports.log.settled();
    return "waits";
  };

async function waiting(question = QUESTION): Promise<string> {
  server.turns.push(asks(question));
  const made = await server.api("/api/projects", { json: { prompt: "Test it" } });
  const { id } = (await made.json()) as { id: string };
  await server.until(id, ({ type }) => type === "suspended");
  return id;
}

const reply = (project: string, json: unknown, question = QUESTION.id) =>
  server.api(`/api/projects/${project}/questions/${question}`, { json });

it("continues with its answer even if more messages arrived while it waited; they follow", async () => {
  server = await startTestServer();
  const id = await waiting();
  await server.api(`/api/projects/${id}/messages`, { json: { text: "And that" } });
  server.turns.push(asks(QUESTION), async () => {});
  expect((await reply(id, { kind: "approve", digest: "d1" })).status).toBe(200);
  await server.until(id, (event) => event.type === "run-end");
  expect(server.requests[1]?.resume?.answer).toMatchObject({ kind: "approve" });
});

it("the server signs an approval for one call, and the run continues with it", async () => {
  server = await startTestServer();
  const id = await waiting();
  expect((await reply(id, { kind: "approve", digest: "d1" })).status).toBe(200);
  await server.until(id, ({ type }) => type === "run-end");
  const { run, resume } = server.requests.at(-1) ?? {};
  const answer = resume?.answer as Answer & { kind: "approve" };
  const { signer } = server.store;
  expect(signer.isSigned([id, run ?? "", "c1", "d1"], answer.signature)).toBe(true);
  // The signature covers project, run, call and arguments.
  for (const forged of [
    ["other", run ?? "", "c1", "d1"],
    [id, "other", "c1", "d1"],
    [id, run ?? "", "c2", "d1"],
    [id, run ?? "", "c1", "d2"],
  ])
    expect(signer.isSigned(forged, answer.signature)).toBe(false);
});

it("refuses an answer that does not fit the question, and the run keeps waiting", async () => {
  server = await startTestServer();
  const id = await waiting();
  expect((await reply(id, { kind: "approve", digest: "of something else" })).status).toBe(409);
  expect((await reply(id, { kind: "words", text: "yes" })).status).toBe(400);
  expect((await reply(id, { kind: "approve", digest: "d1" }, "c2.approval")).status).toBe(404);
  expect((await reply(id, { kind: "approve", digest: "d1", signature: 1 }, "x")).status).toBe(404);
  expect(server.requests).toHaveLength(1);
  expect((await reply(id, { kind: "deny", words: " no " })).status).toBe(200);
  await server.until(id, ({ type }) => type === "run-end");
  expect(server.requests.at(-1)?.resume?.answer).toEqual({ kind: "deny", words: "no" });
  // It can be answered once.
  expect((await reply(id, { kind: "deny" })).status).toBe(409);
});

it("A70 only one answer counts, however many arrive at once, and of whatever kind", async () => {
  server = await startTestServer();
  for (const foreign of [false, true]) {
    const tool = foreign ? "mcp__notes__echo" : QUESTION.tool;
    const id = await waiting({ ...QUESTION, tool, subject: { kind: "outside", what: ["a", "b"] } });
    const given = [
      { kind: "approve", digest: "d1", always: true },
      { kind: "deny" },
      { kind: "approve", digest: "d1" },
      { kind: "deny", words: "no" },
    ];
    const replies = await Promise.all(given.map((one) => reply(id, one)));
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409]);
    await server.until(id, ({ type }) => type === "run-end");
    const answers = (await server.events(id)).filter(({ type }) => type === "answer");
    expect(answers).toHaveLength(1);
    const won = given[replies.findIndex(({ status }) => status === 200)];
    expect(answers[0]).toMatchObject({ answer: { kind: won?.kind } });
    expect(server.requests.at(-1)?.resume?.answer).toMatchObject({ kind: won?.kind });
  }
});

it("A70 ignores an answer from another project, for a stopped run, or given twice", async () => {
  server = await startTestServer();
  const none = await server.project();
  const [one, other] = [await waiting(), await waiting()];
  expect((await reply(none, { kind: "approve", digest: "d1" })).status).toBe(404);
  const both = await Promise.all([
    server.api(`/api/projects/${one}/stop`, { method: "POST" }),
    reply(one, { kind: "approve", digest: "d1" }),
  ]);
  expect(both[0].status).toBe(200);
  await server.until(one, ({ type }) => type === "run-end");
  for (const kind of ["approve", "deny"])
    expect([404, 409]).toContain((await reply(one, { kind, digest: "d1" })).status);
  expect((await server.events(one)).filter(({ type }) => type === "run-end")).toHaveLength(1);
  // The other project keeps waiting with the same question.
  expect((await server.events(other)).some(({ type }) => type === "answer")).toBe(false);
  expect((await reply(other, { kind: "deny" })).status).toBe(200);
});

it("after a restart the question is still open, the queue waits behind it, and an answer continues the run", async () => {
  const directory = mkdtempSync(join(tmpdir(), "treadle-approvals-"));
  folders.push(directory);
  server = await startTestServer(directory);
  const id = await waiting();
  await server.api(`/api/projects/${id}/messages`, { json: { text: "And then?" } });
  await server.close();
  server = await startTestServer(directory);
  const events = await server.events(id);
  expect(events.filter(({ type }) => type === "run-end")).toEqual([]);
  expect((await reply(id, { kind: "approve", digest: "d1" })).status).toBe(200);
  await server.until(id, (event) => event.type === "run-end" && event.run !== "");
  expect(server.requests[0]).toMatchObject({
    resume: { state: STATE, question: QUESTION, answer: { kind: "approve" } },
  });
  const ends = () =>
    server.events(id).then((all) => all.filter(({ type }) => type === "run-end").length);
  await expect.poll(ends, { timeout: 20_000 }).toBe(2);
  expect(server.requests[1]?.resume).toBeUndefined();
});

it("Stop ends a waiting run, also after a restart", async () => {
  const directory = mkdtempSync(join(tmpdir(), "treadle-approvals-"));
  folders.push(directory);
  server = await startTestServer(directory);
  const id = await waiting();
  await server.close();
  server = await startTestServer(directory);
  server.turns.push(async ({ signal, resume }) => {
    expect(resume?.answer).toBeUndefined();
    return { outcome: signal.aborted ? "stopped" : "done" };
  });
  await server.api(`/api/projects/${id}/stop`, { method: "POST" });
  const end = (await server.events(id)).find(({ type }) => type === "run-end");
  expect(end).toMatchObject({ outcome: "stopped" });
});

it('"always here" applies to exactly this call, and permissions can be read and changed', async () => {
  server = await startTestServer();
  const id = await waiting();
  await reply(id, { kind: "approve", digest: "d1", always: true });
  const read = async () => (await server.api(`/api/projects/${id}/approvals`)).json();
  expect(await read()).toEqual({
    mode: "auto",
    always: [{ kind: "command", what: ["npm test"] }],
  });
  await server.api(`/api/projects/${id}/approvals`, {
    method: "PUT",
    json: { mode: "ask", always: [] },
  });
  expect(await read()).toEqual({ mode: "ask", always: [] });
});

it("passes the mode of a message to its run", async () => {
  server = await startTestServer();
  const id = await server.project();
  await server.api(`/api/projects/${id}/messages`, { json: { text: "Think", mode: "plan" } });
  const runs = () => server.requests.map(({ mode }) => mode);
  await expect.poll(runs, { timeout: 20_000 }).toEqual([undefined, "plan"]);
});
