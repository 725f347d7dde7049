import { asSentence } from "@treadle/protocol/sentences";
import type { Comparison, LogEvent } from "@treadle/protocol";
import { toProjectPath } from "@treadle/protocol/project-path";
import { WorkspaceError } from "@treadle/workspace";
import { afterEach, beforeEach, expect, it } from "vitest";
import { startTestServer, type TestServer, type Turn } from "../server.test-support.ts";

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer();
});
afterEach(() => server.close());

const usage = { inputTokens: 10, cachedInputTokens: 0, outputTokens: 5, costUsd: 0.25 };

/** A model that writes its own name; the request says whether it waits for `go`. */
const writer =
  (go: Promise<void> = Promise.resolve()): Turn =>
  async ({ run }, ports, { emit, workspace }) => {
    const call = `${run}-c`;
    emit({ type: "call-open", run, call, tool: "write_file" });
    emit({ type: "call-input", call, input: { path: "./a.txt" } });
    await go;
    workspace.put("a.txt", ports.model.id);
    const lines = { added: 3, removed: 1 };
    emit({ type: "call-end", call, status: "ok", title: "", result: "", lines, ms: 1 });
    const revision = await ports.workspace.revision();
    const part = { type: "text" as const, text: ports.model.id };
    await ports.save({ id: `${run}-a`, role: "assistant", parts: [part] });
    return { revision, verdict: "verified", usage, ms: 40 };
  };
async function start(asked: object): Promise<string> {
  const answer = await server.api("/api/comparisons", {
    json: { text: "A clock", models: ["fake:one", "fake:two"], ...asked },
  });
  expect(answer.status, await answer.clone().text()).toBe(201);
  return ((await answer.json()) as { id: string }).id;
}
const read = async (id: string, on = server) =>
  (await (await on.api(`/api/comparisons/${id}`)).json()) as Comparison;
const ended = async (id: string, on = server): Promise<Comparison> => {
  await expect
    .poll(async () => (await read(id, on)).attempts.map(({ state }) => state), { timeout: 20_000 })
    .toSatisfy((states: string[]) =>
      states.every((state) => !["waiting", "making", "going"].includes(state)),
    );
  return read(id, on);
};
const keepAttempt = (id: string, attempt: number, more: object = {}) =>
  server.api(`/api/comparisons/${id}/keep`, { json: { attempt, ...more } });
const text = (id: string) =>
  new TextDecoder().decode(server.workspace(id).contents.get(toProjectPath("a.txt")));
const ids = async () => (await server.store.projects.list()).map(({ id }) => id);

it("lets two models build the same from nothing, and reports the results", async () => {
  server.turns.push(writer());
  const id = await start({ together: 1 });
  const { attempts, text: asked, project } = await ended(id);
  expect([asked, project]).toEqual(["A clock", undefined]);
  expect(attempts).toMatchObject([
    { number: 1, model: "fake:one", state: "over" },
    { number: 2, model: "fake:two", state: "over" },
  ]);
  for (const { result, model, project: own } of attempts) {
    expect(result).toMatchObject({
      outcome: "done",
      verdict: "verified",
      usage,
      ms: 40,
      lines: { added: 3, removed: 1 },
      files: 1,
    });
    expect(text(own!)).toBe(model);
  }
  const listed = (await (await server.api("/api/projects")).json()) as {
    projects: { comparison?: string }[];
  };
  expect(listed.projects.map(({ comparison }) => comparison)).toEqual([id, id]);
});

it("a chosen new project becomes a normal project, and the others are removed", async () => {
  server.turns.push(writer());
  const id = await start({ models: ["fake:two"], attempts: 3 });
  const { attempts } = await ended(id);
  const answer = await keepAttempt(id, 2);
  expect(await answer.json()).toEqual({ project: attempts[1]!.project });
  expect(await ids()).toEqual([attempts[1]!.project]);
  expect((await server.store.projects.get(attempts[1]!.project!))?.comparison).toBeUndefined();
  expect((await server.api(`/api/comparisons/${id}`)).status).toBe(404);
});

it("what is kept comes back into its project: files, turn, messages and a checkpoint of it and of before", async () => {
  server.turns.push(writer());
  const project = await server.project("First");
  await server.until(project, ({ type }) => type === "checkpoint");
  server.workspace(project).put("mine.txt", "by hand");
  const id = await start({ project });
  const { attempts } = await ended(id);
  expect(text(project)).toBe("fake:one");
  const answer = await keepAttempt(id, 2);
  expect([answer.status, await answer.json()]).toEqual([200, { project }]);
  expect(await ids()).toEqual([project]);
  expect(text(project)).toBe("fake:two");
  const events = await server.events(project);
  const eventsOfType = <T extends LogEvent["type"]>(type: T) =>
    events.filter((event): event is Extract<LogEvent, { type: T }> => event.type === type);
  expect(eventsOfType("message").map((event) => event.text)).toEqual(["First", "A clock"]);
  expect(eventsOfType("comparison").map(({ state }) => state)).toEqual(["going", "over"]);
  const [, end] = eventsOfType("run-end");
  const checkpoint = eventsOfType("checkpoint").at(-1);
  expect(checkpoint).toMatchObject({ label: "A clock", revision: end!.revision, run: end!.run });
  const messages = await server.store.messages.list(project);
  expect(messages.at(-1)?.parts).toEqual([{ type: "text", text: "fake:two" }]);
  expect((await server.store.projects.get(project))?.lastRun?.checkpoint).toBe(
    checkpoint!.checkpoint,
  );
  // The next turn knows about it, and sees no changes.
  await server.api(`/api/projects/${project}/messages`, { json: { text: "More" } });
  await expect.poll(() => server.requests.length).toBe(4);
  expect(server.requests.at(-1)!.history).toHaveLength(4);
  expect(server.requests.at(-1)!.changes).toEqual([]);
  const back = eventsOfType("checkpoint").findLast(({ revision }) => revision !== end!.revision)!;
  await server.until(project, (event) => event.type === "run-end" && event.run !== end!.run);
  expect(attempts).toHaveLength(2);
  await expect
    .poll(
      async () =>
        (
          await server.api(`/api/projects/${project}/restore`, {
            json: { checkpoint: back.checkpoint },
          })
        ).status,
    )
    .toBe(200);
  expect(text(project)).toBe("fake:one");
});

it("A72 copies one file of an attempt at a time, even one too large for memory", async () => {
  const long = new Uint8Array(17 * 1024 * 1024).fill(7);
  const write = writer();
  server.turns.push(async (request, ports, tools) => {
    for (let file = 0; file < 50; file++) tools.workspace.put(`made/${file}.txt`, `${file}`);
    tools.workspace.put("long.bin", long);
    return write(request, ports, tools);
  });
  const project = await server.project("First");
  await server.until(project, ({ type }) => type === "checkpoint");
  const id = await start({ project });
  const attempt = server.workspace((await ended(id)).attempts[0]!.project!);
  const own = server.workspace(project);
  const held = { now: 0, most: 0 };
  const fileAt = attempt.fileAt.bind(attempt);
  attempt.fileAt = async (name, path) => {
    if (attempt.contents.get(path)!.length > 16 * 1024 * 1024)
      throw new WorkspaceError("too-large", asSentence("too large"));
    held.most = Math.max(held.most, ++held.now);
    return fileAt(name, path);
  };
  own.listen((notice) => {
    if (notice.type === "files") held.now = 0;
  });
  const answer = await keepAttempt(id, 1);
  expect([answer.status, await answer.json()]).toEqual([200, { project }]);
  expect(own.contents.get(toProjectPath("long.bin"))?.length).toBe(long.length);
  expect(own.contents.get(toProjectPath("made/49.txt"))).toEqual(Buffer.from("49"));
  expect(held.most).toBeLessThan(10);
});

it("does not overwrite the project's own changes unasked; other files do not matter", async () => {
  server.turns.push(writer());
  const project = await server.project("First");
  const id = await start({ project, models: ["fake:two"], attempts: 2 });
  await ended(id);
  server.workspace(project).put("other.txt", "mine");
  server.workspace(project).put("a.txt", "mine");
  const answer = await keepAttempt(id, 1);
  expect(answer.status).toBe(409);
  expect(await answer.json()).toMatchObject({ error: { code: "changed" } });
  expect(text(project)).toBe("mine");
  expect((await keepAttempt(id, 1, { over: true })).status).toBe(200);
  expect(text(project)).toBe("fake:two");
  expect(server.workspace(project).contents.has(toProjectPath("other.txt"))).toBe(true);
});

it("runs as many attempts at once as requested, and does not choose an unfinished one", async () => {
  const go = Promise.withResolvers<void>();
  server.turns.push(writer(go.promise));
  const id = await start({ attempts: 2, together: 2 });
  await expect
    .poll(async () => (await read(id)).attempts.filter(({ state }) => state === "going").length)
    .toBe(2);
  expect((await read(id)).attempts.map(({ state }) => state)).toEqual([
    "going",
    "going",
    "waiting",
    "waiting",
  ]);
  expect((await keepAttempt(id, 1)).status).toBe(409);
  expect(await (await keepAttempt(id, 4)).json()).toMatchObject({ error: { code: "not-begun" } });
  go.resolve();
  expect((await ended(id)).attempts.map(({ state }) => state)).toEqual([
    "over",
    "over",
    "over",
    "over",
  ]);
});

it("starts no further attempt after a stop, and can discard all", async () => {
  const go = Promise.withResolvers<void>();
  const began = Promise.withResolvers<void>();
  server.turns.push(async ({ signal }) => {
    began.resolve();
    await new Promise((resolve) => signal.addEventListener("abort", resolve));
    await go.promise;
    return { outcome: "stopped" };
  });
  const id = await start({ together: 1 });
  await began.promise;
  await expect.poll(async () => (await read(id)).attempts[0]?.state).toBe("going");
  const stopping = server.api(`/api/comparisons/${id}/stop`, { method: "POST" });
  go.resolve();
  expect((await stopping).status).toBe(200);
  const { attempts } = await ended(id);
  expect(attempts.map(({ state, result }) => [state, result?.outcome])).toEqual([
    ["over", "stopped"],
    ["stopped", undefined],
  ]);
  expect((await server.api(`/api/comparisons/${id}`, { method: "DELETE" })).status).toBe(200);
  expect(await ids()).toEqual([]);
});

it("an attempt that was deleted separately takes no place", async () => {
  server.turns.push(async () => "waits");
  const id = await start({ together: 1 });
  await expect.poll(async () => (await read(id)).attempts[0]?.state).toBe("going");
  server.turns.splice(0, 1, writer());
  const { attempts } = await read(id);
  await server.api(`/api/projects/${attempts[0]!.project}`, { method: "DELETE" });
  expect((await ended(id)).attempts.map(({ state }) => state)).toEqual(["failed", "over"]);
});

it("continues after a restart: resumes interrupted attempts, and starts waiting ones", async () => {
  const began = Promise.withResolvers<void>();
  server.turns.push(async ({ signal }) => {
    began.resolve();
    await new Promise((resolve) => signal.addEventListener("abort", resolve));
    return { outcome: "stopped" };
  });
  const id = await start({ together: 1 });
  await began.promise;
  await expect.poll(async () => (await read(id)).attempts[0]?.state).toBe("going");
  await server.treadle.close();
  const again = await startTestServer(server.directory);
  again.turns.push(async () => ({ verdict: "verified" }));
  await again.listen();
  const { attempts } = await ended(id, again);
  expect(attempts.map(({ result }) => result?.verdict)).toEqual(["verified", "verified"]);
  await again.close();
});

it("starts nothing for an invalid request", async () => {
  const ask = async (json: object) =>
    (
      await server.api("/api/comparisons", {
        json: { text: "A clock", models: ["fake:one", "fake:two"], ...json },
      })
    ).status;
  expect(await ask({ models: ["fake:one"] })).toBe(400);
  expect(await ask({ attempts: 4, models: ["fake:one", "fake:two", "fake:one"] })).toBe(400);
  expect(await ask({ models: ["fake:one", "fake:none"] })).toBe(400);
  expect(await ask({ text: " " })).toBe(400);
  expect(await ask({ project: "nobody" })).toBe(404);
  expect(await ids()).toEqual([]);
});

it("applies the given limits, approvals and hosts to every attempt", async () => {
  server.turns.push(writer());
  const { id } = await server.treadle.comparisons.start(
    { text: "A clock", models: ["fake:one", "fake:two"] },
    { approve: "ask", limits: { steps: 3 }, hosts: ["example.com"] },
  );
  const { attempts } = await ended(id);
  expect(server.requests.map(({ limits }) => limits?.steps)).toEqual([3, 3]);
  for (const { project } of attempts)
    expect((await server.store.projects.get(project!))?.hosts).toEqual(["example.com"]);
});

it("notifies followers of a comparison of each change of an attempt, until they leave", async () => {
  let go = () => {};
  server.turns.push(writer(new Promise((resolve) => (go = resolve))));
  const id = await start({ together: 1 });
  const states: string[] = [];
  const leave = server.treadle.comparisons.follow(id, ({ attempts }) =>
    states.push(attempts.map(({ state }) => state).join(" ")),
  );
  go();
  await ended(id);
  leave();
  expect(states).toContain("over making");
  expect(states.at(-1)).toBe("over over");
});

it("does not continue an attempt that is stopped while its project is being made", async () => {
  server.turns.push(writer(new Promise(() => {})));
  const id = await start({ together: 1 });
  await new Promise<void>((resolve) => {
    const leave = server.treadle.comparisons.follow(id, ({ attempts: [first] }) => {
      if (!first?.project || first.state !== "making") return;
      leave();
      resolve(server.treadle.comparisons.stop(id));
    });
  });
  const { attempts } = await ended(id);
  expect(attempts.map(({ state }) => state)).toEqual(["stopped", "stopped"]);
  expect(server.requests).toEqual([]);
});
