import { toProjectPath } from "@treadle/protocol/project-path";
import type { ForkedProject } from "@treadle/protocol";
import { afterEach, beforeEach, expect, it } from "vitest";
import { startTestServer, type TestServer } from "../server.test-support.ts";

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer();
});
afterEach(() => server.close());

function nextTurn(n: number) {
  server.turns.length = 0;
  server.turns.push(async ({ run }, ports, { emit, workspace }) => {
    const call = `${run}-c`;
    emit({ type: "call-open", run, call, tool: "write_file" });
    workspace.put("a.txt", `${n}`);
    emit({ type: "call-end", call, status: "ok", title: "", result: "", ms: 1 });
    await ports.save({
      id: `${run}-a`,
      role: "assistant",
      parts: [{ type: "text", text: `${n}` }],
    });
    return { revision: await ports.workspace.revision() };
  });
}
async function send(id: string, text: string): Promise<void> {
  const sent = await server.api(`/api/projects/${id}/messages`, { json: { text } });
  const { run } = (await sent.json()) as { run: string };
  await server.until(id, (event) => event.type === "checkpoint" && event.run === run);
}
async function threeTurns(): Promise<{ id: string; checkpoints: string[] }> {
  nextTurn(1);
  const id = await server.project("First");
  for (const n of [2, 3]) {
    nextTurn(n);
    await send(id, `Turn ${n}`);
  }
  const checkpoints = (await server.events(id)).flatMap((event) =>
    event.type === "checkpoint" ? [event.checkpoint] : [],
  );
  return { id, checkpoints };
}
async function fork(id: string, json: object = {}): Promise<ForkedProject> {
  const answer = await server.api(`/api/projects/${id}/fork`, { json });
  expect(answer.status).toBe(201);
  return (await answer.json()) as ForkedProject;
}
const text = (id: string) =>
  new TextDecoder().decode(server.workspace(id).contents.get(toProjectPath("a.txt")));
const detail = async (id: string) =>
  (await (await server.api(`/api/projects/${id}`)).json()) as Record<string, unknown>;

it("a fork has files, conversation and checkpoints up to that point, continues independently, and names its origin", async () => {
  const { id, checkpoints } = await threeTurns();
  const forked = await fork(id, { checkpoint: checkpoints[1], name: "Another way" });
  expect(text(forked.id)).toBe("2");
  expect(await detail(forked.id)).toMatchObject({
    name: "Another way",
    origin: { project: id, checkpoint: checkpoints[1] },
  });
  const events = await server.events(forked.id);
  expect(events.flatMap((event) => (event.type === "message" ? [event.text] : []))).toEqual([
    "First",
    "Turn 2",
  ]);
  expect(events.at(-1)).toMatchObject({ type: "project-forked", from: id });
  const listed = await (await server.api(`/api/projects/${forked.id}/checkpoints`)).json();
  expect(listed).toMatchObject({
    checkpoints: [{ checkpoint: checkpoints[0] }, { checkpoint: checkpoints[1] }],
  });

  nextTurn(7);
  await send(forked.id, "Else");
  const { history, changes } = server.requests.at(-1)!;
  const texts = history.flatMap(({ parts }) =>
    parts.flatMap((part) => (part.type === "text" ? [part.text] : [])),
  );
  expect(texts).toEqual(["First", "1", "Turn 2", "2"]);
  expect(changes).toEqual([]);
  expect([text(forked.id), text(id)]).toEqual(["7", "3"]);
  await server.api(`/api/projects/${id}`, { method: "DELETE" });
  const back = await server.api(`/api/projects/${forked.id}/restore`, {
    json: { checkpoint: checkpoints[0] },
  });
  expect([back.status, text(forked.id)]).toEqual([200, "1"]);
});

it("a duplicate is the project's current state, manual changes included", async () => {
  const { id } = await threeTurns();
  server.workspace(id).put("a.txt", "by hand");
  const copy = await fork(id);
  expect(text(copy.id)).toBe("by hand");
  expect(copy.name).toBe(`${(await detail(id))["name"] as string} (copy)`);
  expect((await server.events(copy.id)).filter(({ type }) => type === "run-end")).toHaveLength(3);
});

it("a fork knows what a look after the copied turn has seen of its files", async () => {
  nextTurn(1);
  const id = await server.project("First");
  server.failing = ["a.txt"];
  await server.api(`/api/projects/${id}/check`, { method: "POST" });
  await server.until(id, ({ type }) => type === "look-end");
  expect(await detail(id)).toMatchObject({ verdict: "failed" });
  const forked = await fork(id);
  expect(await detail(forked.id)).toMatchObject({ verdict: "failed" });
  const seen = (await server.events(forked.id)).filter(({ type }) => type === "evidence");
  expect(seen).toHaveLength(1);
});

it("does not copy hosts, secrets, permissions and the app's data, and lists them in the response", async () => {
  const { id } = await threeTurns();
  const settings = `/api/projects/${id}/settings`;
  await server.api(`${settings}/hosts`, { json: { host: "api.a.com" } });
  const secret = { value: "hidden", host: "b.com" };
  await server.api(`${settings}/secrets/KEY`, { method: "PUT", json: secret });
  const approvals = async (project: string) =>
    (await server.api(`/api/projects/${project}/approvals`)).json() as Promise<{ mode: string }>;
  const usual = await approvals(id);
  const mode = usual.mode === "auto" ? "ask" : "auto";
  await server.api(`/api/projects/${id}/approvals`, {
    method: "PUT",
    json: { ...usual, mode },
  });
  expect((await approvals(id)).mode).toBe(mode);
  server.workspace(id).dataFiles = () => [toProjectPath("shop.db")];
  const forked = await fork(id);
  expect(forked.without.secrets).toEqual(["KEY"]);
  expect(forked.without.hosts).toContain("api.a.com");
  const other = (await (await server.api(`/api/projects/${forked.id}/settings`)).json()) as object;
  expect(other).toMatchObject({ hosts: [], secrets: [] });
  expect(forked.without).toMatchObject({ approvals: true, data: true });
  expect(await approvals(forked.id)).toEqual(usual);
});

it("a fork does not approve a rule that nobody approved, and keeps earlier approvals", async () => {
  nextTurn(1);
  const id = await server.project("First");
  const files = (path: string, body: string) =>
    server.api(`/api/projects/${id}/files/${path}`, {
      method: "PUT",
      body,
      headers: { "content-type": "application/octet-stream", "if-none-match": "*" },
    });
  expect((await files("AGENTS.md", "Mine.")).status).toBeLessThan(300);
  server.workspace(id).put("CLAUDE.md", "A program's.");
  const forked = await fork(id);
  const rules = (await (await server.api(`/api/projects/${forked.id}/rules`)).json()) as {
    changed: { path: string }[];
  };
  expect(rules.changed.map(({ path }) => path)).toEqual(["CLAUDE.md"]);
});

it("leaves nothing if the checkpoint does not exist, and copies nothing during a turn", async () => {
  const { id } = await threeTurns();
  const answer = await server.api(`/api/projects/${id}/fork`, { json: { checkpoint: "c99" } });
  expect(answer.status).toBe(404);
  const going = Promise.withResolvers<void>();
  const began = Promise.withResolvers<void>();
  server.turns.length = 0;
  server.turns.push(async () => {
    began.resolve();
    await going.promise;
  });
  await server.api(`/api/projects/${id}/messages`, { json: { text: "More" } });
  await began.promise;
  expect((await server.api(`/api/projects/${id}/fork`, { json: {} })).status).toBe(409);
  expect(await server.store.projects.list()).toHaveLength(1);
  going.resolve();
});

it("does not list files that the copy was not given among those that its model knows", async () => {
  server.turns.push(async ({ message }, ports, { workspace }) => {
    workspace.put("a.txt", "1");
    const data = { sections: {}, files: ["a.txt", "data/app.db"], text: "Files" };
    await ports.save({
      ...message,
      parts: [{ type: "data-briefing", data }, ...message.parts],
    });
    return { revision: await ports.workspace.revision() };
  });
  const id = await server.project("First");
  const forked = await fork(id);
  const briefing = async (project: string) =>
    (await server.store.messages.list(project))[0]?.parts[0] as object;
  expect(await briefing(id)).toMatchObject({ data: { files: ["a.txt", "data/app.db"] } });
  expect(await briefing(forked.id)).toMatchObject({ data: { files: ["a.txt"], text: "Files" } });
});
