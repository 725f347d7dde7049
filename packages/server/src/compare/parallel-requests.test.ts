import type { LogEvent, ParallelRequest } from "@treadle/protocol";
import { untriedEvidence } from "@treadle/protocol/evidence";
import { toProjectPath } from "@treadle/protocol/project-path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { startTestServer, type TestServer, type Turn } from "../server.test-support.ts";

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer();
});
afterEach(() => server.close());

const textOf = ({ message }: Parameters<Turn>[0]) =>
  message.parts.map((part) => (part.type === "text" ? part.text : "")).join("");

/**
 * A model that obeys each request: `FILE: TEXT` writes a file. `gates` block requests by their
 * text.
 */
function writer(gates: Record<string, Promise<void>> = {}): Turn {
  return async (request, ports, { workspace }) => {
    const text = textOf(request);
    await gates[text];
    const [path = "", content = ""] = text.split(": ");
    workspace.put(path, content);
    const revision = await ports.workspace.revision();
    await ports.save({
      id: `${request.run}-a`,
      role: "assistant",
      parts: [{ type: "text", text }],
    });
    return { revision, verdict: "verified" };
  };
}

const BASE = "page.txt: one\ntwo\nthree\nfour\nfive";
const path = (project: string) => `/api/projects/${project}/parallel`;
async function start(project: string, text: string): Promise<ParallelRequest> {
  const answer = await server.api(path(project), { json: { text } });
  expect(answer.status, await answer.clone().text()).toBe(201);
  return (await answer.json()) as ParallelRequest;
}
const requests = async (project: string, on = server) =>
  ((await (await on.api(path(project))).json()) as { requests: ParallelRequest[] }).requests;
const states = async (project: string, on = server) =>
  (await requests(project, on)).map(({ state }) => state);
const act = (project: string, id: string, action: string) =>
  server.api(`${path(project)}/${id}/${action}`, { method: "POST" });
const file = (project: string, name: string, on = server) =>
  new TextDecoder().decode(on.workspace(project).contents.get(toProjectPath(name)));
const messages = async (project: string) =>
  (await server.events(project)).flatMap((event) => (event.type === "message" ? [event.text] : []));
const projectCount = async () => (await server.store.projects.list()).length;
const isEmpty = (list: unknown[]) => list.length === 0;

/** A project with a page, in which a turn is active until `end` is called. */
async function working(text = "own.txt: own", gates: Record<string, Promise<void>> = {}) {
  const gate = Promise.withResolvers<void>();
  server.turns.push(writer({ ...gates, [text]: gate.promise }));
  const project = await server.project(BASE);
  await server.until(project, ({ type }) => type === "checkpoint");
  await server.api(`/api/projects/${project}/messages`, { json: { text } });
  await expect.poll(() => server.requests.length).toBe(2);
  return { project, end: gate.resolve };
}

it("merges three concurrent requests into one revision with all changes, each with its turn", async () => {
  const { project, end } = await working("page.txt: ONE\ntwo\nthree\nfour\nfive");
  await start(project, "page.txt: one\ntwo\nTHREE\nfour\nfive");
  await start(project, "other.txt: other");
  // They finish before the turn beside them, and wait for it.
  await expect.poll(() => states(project)).toEqual(["merging", "merging"]);
  expect(file(project, "page.txt")).toBe("one\ntwo\nthree\nfour\nfive");
  end();
  await expect.poll(() => requests(project)).toSatisfy(isEmpty);
  expect(file(project, "page.txt")).toBe("ONE\ntwo\nTHREE\nfour\nfive");
  expect(file(project, "other.txt")).toBe("other");
  expect(await messages(project)).toHaveLength(4);
  await expect.poll(projectCount).toBe(1);
});

it("lists as asked what each of the merged requests was to show, not the last one's alone", async () => {
  const asks: Turn = async (request, ports, tools) => {
    const what = textOf(request);
    const end = await writer()(request, ports, tools);
    const revision = await ports.workspace.revision();
    tools.emit({ type: "evidence", evidence: { ...untriedEvidence(revision), asked: [{ what }] } });
    return end;
  };
  server.turns.push(writer(), asks);
  const project = await server.project(BASE);
  const asked = async () =>
    (await server.events(project))
      .flatMap((event) => (event.type === "evidence" ? [event.evidence] : []))
      .at(-1)
      ?.asked?.map(({ what }) => what);
  await start(project, "a.txt: a");
  await start(project, "b.txt: b");
  await expect.poll(() => requests(project)).toSatisfy(isEmpty);
  await expect.poll(async () => (await asked())?.toSorted()).toEqual(["a.txt: a", "b.txt: b"]);
});

it("gives the copy the files that the person attached, which its earlier revision does not have", async () => {
  const { project, end } = await working();
  const attached = await server.api(`/api/projects/${project}/files/notes.csv`, {
    method: "PUT",
    body: "a,b",
    headers: { "if-none-match": "*" },
  });
  expect(attached.status, await attached.clone().text()).toBe(201);
  const sent = { text: "other.txt: other", files: ["notes.csv", "gone.csv"] };
  const { id } = (await (await server.api(path(project), { json: sent })).json()) as { id: string };
  await expect.poll(() => states(project)).toEqual(["merging"]);
  const copy = (await requests(project)).find((one) => one.id === id)!.copy!;
  expect(file(copy, "notes.csv")).toBe("a,b");
  expect(
    (await server.api(path(project), { json: { ...sent, files: ["../out"] } })).status,
  ).toBeGreaterThanOrEqual(400);
  end();
  await expect.poll(() => requests(project)).toSatisfy(isEmpty);
  expect(file(project, "notes.csv")).toBe("a,b");
});

it("shares the project's budget between the requests that run beside each other", async () => {
  const [spend, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const usage = { inputTokens: 30, cachedInputTokens: 0, outputTokens: 5 };
  server.turns.push(writer(), async (request, ports, tools) => {
    const isOwn = textOf(request).startsWith("own");
    if (isOwn) {
      await spend.promise;
      tools.emit({ type: "step-end", run: request.run, step: 1, finish: "stop", usage });
    }
    await end.promise;
    return writer()(request, ports, tools);
  });
  const project = await server.project(BASE);
  await server.until(project, ({ type }) => type === "checkpoint");
  await server.api(`/api/projects/${project}/settings/budget`, {
    method: "PUT",
    json: { turn: {}, project: { tokens: 1_000 } },
  });
  await server.api(`/api/projects/${project}/messages`, { json: { text: "own.txt: own" } });
  await expect.poll(() => server.requests.length).toBe(2);
  await start(project, "other.txt: other");
  await expect.poll(() => server.requests.length).toBe(3);
  const [, own, beside] = server.requests.map(
    ({ limits }) =>
      () =>
        limits?.project?.used.tokens,
  );
  // The first turn of the test server used 15, of which the copy has the log as well.
  expect([own!(), beside!()]).toEqual([15, 15]);
  spend.resolve();
  await expect.poll(beside!).toBe(50);
  expect(own!()).toBe(15);
  end.resolve();
  await expect.poll(() => requests(project)).toSatisfy(isEmpty);
});

it("starts with the revision that the active turn started with", async () => {
  const { project, end } = await working();
  server.workspace(project).put("half.txt", "half done");
  const { id } = await start(project, "other.txt: other");
  await expect.poll(() => states(project)).toEqual(["merging"]);
  const copy = (await requests(project)).find((one) => one.id === id)!.copy!;
  expect(server.workspace(copy).contents.has(toProjectPath("half.txt"))).toBe(false);
  expect((await server.store.projects.get(copy))?.parallelOf).toBe(project);
  end();
});

it("names two conflicting requests and their files, and changes nothing", async () => {
  const own = "page.txt: mine";
  const { project, end } = await working(own);
  const { id } = await start(project, "page.txt: yours");
  end();
  await expect.poll(() => states(project)).toEqual(["held"]);
  const [request] = await requests(project);
  expect(request).toMatchObject({
    id,
    text: "page.txt: yours",
    held: { code: "conflict", values: { files: ["page.txt"], others: [own] } },
  });
  expect(file(project, "page.txt")).toBe("mine");
  const event = (await server.events(project)).findLast(({ type }) => type === "parallel");
  expect(event).toMatchObject({ request: { state: "held", held: { code: "conflict" } } });
});

it("names only requests whose own changes conflict", async () => {
  const own = "page.txt: mine\ntwo\nthree\nfour\nfive";
  const late = "page.txt: yours\ntwo\nthree\nfour\nfive";
  const gate = Promise.withResolvers<void>();
  const { project, end } = await working(own, { [late]: gate.promise });
  await start(project, "page.txt: one\ntwo\nthree\nfour\nFIVE");
  await start(project, late);
  end();
  await expect.poll(() => states(project)).toEqual(["going"]);
  expect(file(project, "page.txt")).toBe("mine\ntwo\nthree\nfour\nFIVE");
  gate.resolve();
  await expect.poll(() => states(project)).toEqual(["held"]);
  const [request] = await requests(project);
  expect(request?.held).toEqual({
    code: "conflict",
    values: { files: ["page.txt"], others: [own.replaceAll("\n", " ")] },
  });
});

it("ends before its copy is removed, so that nobody follows a missing copy", async () => {
  const { project, end } = await working();
  const { id } = await start(project, "other.txt: other");
  const { remove } = server.store.projects;
  const lastAtRemoval = Promise.withResolvers<LogEvent | undefined>();
  server.store.projects.remove = async (copy) => {
    const events = await server.events(project);
    lastAtRemoval.resolve(events.findLast(({ type }) => type === "parallel"));
    return remove(copy);
  };
  end();
  expect(await lastAtRemoval.promise).toMatchObject({ request: { id }, isOver: true });
  await expect.poll(projectCount).toBe(1);
});

it("accepts a held request as it is, if the person chooses that", async () => {
  const { project, end } = await working("page.txt: mine");
  const { id } = await start(project, "page.txt: yours");
  expect((await act(project, id, "take")).status).toBe(409);
  end();
  await expect.poll(() => states(project)).toEqual(["held"]);
  expect((await act(project, id, "take")).status).toBe(200);
  await expect.poll(() => requests(project)).toSatisfy(isEmpty);
  expect(file(project, "page.txt")).toBe("yours");
});

it("repeats a held request on the merged revision", async () => {
  const { project, end } = await working("page.txt: mine");
  const { id } = await start(project, "page.txt: yours");
  end();
  await expect.poll(() => states(project)).toEqual(["held"]);
  expect((await act(project, id, "redo")).status).toBe(200);
  await expect.poll(() => requests(project)).toSatisfy(isEmpty);
  expect(file(project, "page.txt")).toBe("yours");
  await expect.poll(projectCount).toBe(1);
});

it("holds a request whose own turn failed, and removes it when it is discarded", async () => {
  const project = await server.project(BASE);
  server.turns.splice(0, 9, async (_request, _ports, { workspace }) => {
    workspace.put("bad.txt", "bad");
    return { verdict: "failed" };
  });
  const { id } = await start(project, "bad.txt: bad");
  await expect.poll(() => states(project)).toEqual(["held"]);
  expect((await requests(project))[0]?.held?.code).toBe("unfinished");
  expect((await server.api(`${path(project)}/${id}`, { method: "DELETE" })).status).toBe(200);
  expect(await requests(project)).toEqual([]);
  expect(await projectCount()).toBe(1);
  expect(server.workspace(project).contents.has(toProjectPath("bad.txt"))).toBe(false);
});

it("holds a request whose merged revision fails, and leaves project and copy unchanged", async () => {
  const { project, end } = await working();
  server.failing = ["own.txt", "other.txt"];
  await start(project, "other.txt: other");
  end();
  await expect.poll(() => states(project)).toEqual(["held"]);
  const [{ copy, held } = {}] = await requests(project);
  expect(held).toEqual({ code: "unfit", values: { others: ["own.txt: own"] } });
  expect(server.workspace(project).contents.has(toProjectPath("other.txt"))).toBe(false);
  expect(server.workspace(copy!).contents.has(toProjectPath("own.txt"))).toBe(false);
});

it("works on three at once, and starts the next when one is done", async () => {
  const { project, end } = await working();
  const gate = Promise.withResolvers<void>();
  server.turns.splice(0, 9, writer({ "a.txt: a": gate.promise, "b.txt: b": gate.promise, "c.txt: c": gate.promise })); // prettier-ignore
  for (const name of ["a", "b", "c", "d"]) await start(project, `${name}.txt: ${name}`);
  await expect.poll(() => states(project)).toEqual(["going", "going", "going", "waiting"]);
  gate.resolve();
  end();
  await expect.poll(() => requests(project)).toSatisfy(isEmpty);
  expect(["a", "b", "c", "d"].map((name) => file(project, `${name}.txt`))).toEqual(["a", "b", "c", "d"]); // prettier-ignore
});

it("stops one without affecting the turn beside it", async () => {
  const { project, end } = await working();
  server.turns.splice(0, 9, async ({ signal }) => {
    await new Promise((resolve) => signal.addEventListener("abort", resolve));
    return { outcome: "stopped" };
  });
  const { id } = await start(project, "a.txt: a");
  await expect.poll(() => states(project)).toEqual(["going"]);
  expect((await act(project, id, "stop")).status).toBe(200);
  await expect.poll(() => states(project)).toEqual(["held"]);
  expect((await requests(project))[0]?.held).toEqual({
    code: "unfinished",
    values: { outcome: "stopped" },
  });
  end();
  await server.until(
    project,
    (event: LogEvent) => event.type === "run-end" && event.outcome === "done",
  );
});

it("is resumed after a restart: its turn continues and is merged", async () => {
  const project = await server.project(BASE);
  await server.until(project, ({ type }) => type === "checkpoint");
  server.turns.splice(0, 9, async ({ signal }) => {
    await new Promise((resolve) => signal.addEventListener("abort", resolve));
    return { outcome: "stopped" };
  });
  await start(project, "a.txt: a");
  await expect.poll(() => states(project)).toEqual(["going"]);
  await server.treadle.close();
  const again = await startTestServer(server.directory);
  again.turns.push(async (_request, _ports, { workspace }) => {
    workspace.put("a.txt", "a");
    return { verdict: "verified" };
  });
  await again.listen();
  await expect.poll(() => requests(project, again), { timeout: 10_000 }).toSatisfy(isEmpty);
  await again.close();
});

it("starts none if the message cannot be sent, or there is nothing to copy", async () => {
  const project = await server.project(BASE);
  const status = async (json: object, id = project) =>
    (await server.api(path(id), { json })).status;
  expect(await status({ text: " " })).toBe(400);
  expect(await status({ text: "a.txt: a", model: "fake:none" })).toBe(400);
  expect(await status({ text: "a.txt: a" }, "nobody")).toBe(404);
  expect(await requests(project)).toEqual([]);
});
