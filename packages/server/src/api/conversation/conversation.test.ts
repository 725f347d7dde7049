import { asSentence } from "@treadle/protocol/sentences";
import { toProjectPath } from "@treadle/protocol/project-path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startTestServer, type TestServer } from "../../server.test-support.ts";

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer();
});
afterEach(() => server.close());

const errorOf = async (response: Response) =>
  (await response.json()) as { error: { code: string; message: string } };

const send = (project: string, text: string, more = {}) =>
  server.api(`/api/projects/${project}/messages`, { json: { text, ...more } });

/** Sends one more message, and waits for the end of its run and the follow-up work. */
async function turn(id: string) {
  const { run } = (await (await send(id, "Go on")).json()) as { run: string };
  await server.until(id, (event) => event.type === "run-end" && event.run === run);
}

const gate = () => {
  let open = () => {};
  const wait = new Promise<void>((resolve) => (open = resolve));
  return { open, wait };
};

describe("a single message", () => {
  it("creates a project with a name, and its run is in the log", async () => {
    const id = await server.project("Build a todo app. Use React.");
    expect((await server.events(id)).map(({ type }) => type)).toEqual([
      "message",
      "run-start",
      "run-end",
      "checkpoint",
    ]);
    const detail = await (await server.api(`/api/projects/${id}`)).json();
    expect(detail).toMatchObject({
      name: "Todo app",
      usage: { inputTokens: 10, outputTokens: 5 },
      previewOrigin: expect.stringMatching(/^http:\/\/[a-z][a-z2-7]{25}\.localhost:/),
    });
  });

  it("F14 of two concurrent messages, the second is shown as queued, and runs after the first", async () => {
    const first = gate();
    server.turns.push(
      async () => first.wait,
      async () => {},
    );
    const { id } = (await (
      await server.api("/api/projects", { json: { prompt: "One" } })
    ).json()) as { id: string };
    const answer = await send(id, "Two");
    expect(answer.status).toBe(202);
    const sent = (await answer.json()) as { run: string; queued: boolean };
    expect(sent.queued).toBe(true);
    first.open();
    await server.until(id, (event) => event.type === "run-end" && event.run === sent.run);
    const events = await server.events(id);
    expect(events.filter(({ type }) => type === "message")).toMatchObject([
      { text: "One", queued: false },
      { text: "Two", queued: true },
    ]);
    const ends = events.flatMap((event, index) => (event.type === "run-end" ? [index] : []));
    const starts = events.flatMap((event, index) => (event.type === "run-start" ? [index] : []));
    expect(starts[1]).toBeGreaterThan(ends[0] ?? Infinity);
    expect(server.requests[1]?.history).toHaveLength(1);
  });

  it("a queued message can be passed to the active run, or withdrawn; neither gives it a run of its own", async () => {
    const first = gate();
    const taken: unknown[] = [];
    server.turns.push(async ({ takeSteering }) => {
      await first.wait;
      taken.push(await takeSteering?.(), await takeSteering?.());
    });
    server.turns.push(async () => {});
    const { id } = (await (
      await server.api("/api/projects", { json: { prompt: "One" } })
    ).json()) as { id: string };
    const waits = async (text: string) =>
      ((await (await send(id, text)).json()) as { message: string }).message;
    const [now, never, later] = [await waits("Now"), await waits("Never"), await waits("Later")];
    const at = (message: string) => `/api/projects/${id}/messages/${message}`;
    expect((await server.api(`${at(now)}/now`, { method: "POST" })).status).toBe(200);
    expect((await server.api(`${at(now)}/now`, { method: "POST" })).status).toBe(200);
    expect((await server.api(at(never), { method: "DELETE" })).status).toBe(200);
    // A page that is opened now receives it too.
    expect((await server.events(id)).filter(({ type }) => type === "message-hurried")).toEqual([
      { type: "message-hurried", message: now },
    ]);
    first.open();
    await server.until(id, (event) => event.type === "run-start" && event.message === later);
    expect(taken).toMatchObject([[{ id: now, parts: [{ text: "Now" }] }], []]);
    for (const message of [now, never, later]) {
      const refused = await server.api(at(message), { method: "DELETE" });
      expect(refused.status).toBe(409);
      expect((await errorOf(refused)).error.code).toBe("not-queued");
    }
    const events = await server.events(id);
    expect(events).toContainEqual({ type: "message-removed", message: never });
    const ran = events.flatMap((event) => (event.type === "run-start" ? [event.message] : []));
    expect(ran.slice(1)).toEqual([later]);
  });

  it("stops the run, and logs it", async () => {
    server.turns.push(
      ({ signal }) =>
        new Promise((resolve) =>
          signal.addEventListener("abort", () => resolve({ outcome: "stopped" })),
        ),
    );
    const { id } = (await (
      await server.api("/api/projects", { json: { prompt: "One" } })
    ).json()) as { id: string };
    await server.until(id, ({ type }) => type === "run-start");
    expect((await (await server.api(`/api/projects/${id}`)).json()) as object).toMatchObject({
      working: true,
    });
    expect((await server.api(`/api/projects/${id}/stop`, { method: "POST" })).status).toBe(200);
    expect((await server.events(id)).find(({ type }) => type === "run-end")).toMatchObject({
      outcome: "stopped",
    });
  });

  it("ends a run that threw with exactly one run-end, and runs the next one", async () => {
    server.turns.push(
      async () => {
        throw new Error("it broke");
      },
      async () => {},
    );
    const id = await server.project("One");
    await send(id, "Two");
    await server.until(id, (event) => event.type === "run-end" && event.outcome === "done");
    expect((await server.events(id)).filter(({ type }) => type === "run-end")).toMatchObject([
      { outcome: "error", error: { code: "internal", message: "it broke" } },
      { outcome: "done" },
    ]);
  });

  it("ends a run with the reason if its sandbox cannot be opened", async () => {
    const { WorkspaceError } = await import("@treadle/workspace");
    server.driver.failure = new WorkspaceError(
      "sandbox",
      asSentence("bubblewrap is missing: apt-get install bubblewrap"),
    );
    const id = await server.project("One");
    expect((await server.events(id)).slice(-2)).toMatchObject([
      { type: "run-start" },
      {
        type: "run-end",
        outcome: "error",
        error: { code: "workspace", message: expect.stringContaining("bubblewrap") },
      },
    ]);
  });

  it("continues after an interrupted run", async () => {
    const id = await server.project("One");
    const answer = await server.api(`/api/projects/${id}/continue`, { method: "POST" });
    expect(answer.status).toBe(202);
    const { run } = (await answer.json()) as { run: string };
    await server.until(id, (event) => event.type === "run-end" && event.run === run);
    expect(server.requests).toHaveLength(2);
  });
});

describe("bad input", () => {
  it.each(["", "   \n"])("refuses an empty prompt (%j) and creates no project", async (prompt) => {
    const response = await server.api("/api/projects", {
      json: { prompt },
    });
    expect(response.status).toBe(400);
    expect((await errorOf(response)).error.code).toBe("empty-prompt");
    expect(await server.store.projects.list()).toEqual([]);
  });

  it("accepts 200,000 characters, and reports that a longer prompt was not sent", async () => {
    const id = await server.project("One");
    expect((await send(id, "x".repeat(200_000))).status).toBe(202);
    for (const length of [200_001, 1_000_000]) {
      const response = await send(id, "x".repeat(length));
      expect(response.status).toBe(413);
      expect((await errorOf(response)).error).toMatchObject({
        code: "prompt-too-long",
        message: expect.stringContaining("Nothing was sent"),
      });
    }
  });

  it("refuses a body over the limit without reading all of it", async () => {
    const response = await send(await server.project(), "x".repeat(5_000_000));
    expect(response.status).toBe(413);
  });

  it("explains how to add a model if there is none, and creates no project", async () => {
    server.models.chosen = undefined;
    const response = await server.api("/api/projects", { json: { prompt: "Build it" } });
    expect(response.status).toBe(409);
    expect((await errorOf(response)).error).toMatchObject({
      code: "model-missing",
      message: expect.stringContaining("Choose a model"),
    });
    expect(await server.store.projects.list()).toEqual([]);
  });

  it("plays a recording without a model, and asks for a model at the next prompt", async () => {
    server.models.chosen = undefined;
    const created = await server.api("/api/projects", { json: { demo: "todo" } });
    expect(created.status).toBe(201);
    const { id } = (await created.json()) as { id: string };
    await server.until(id, ({ type }) => type === "run-end");
    expect((await server.events(id))[0]).toMatchObject({ text: "Play todo" });
    expect((await server.events(id)).find(({ type }) => type === "run-start")).toMatchObject({
      model: "demo:todo",
    });
    const response = await send(id, "Now add a filter");
    expect(response.status).toBe(409);
    expect((await errorOf(response)).error.message).toContain("recording");
  });

  it("names an unknown model", async () => {
    const response = await server.api("/api/projects", { json: { prompt: "x", model: "no:such" } });
    expect(response.status).toBe(400);
    expect((await errorOf(response)).error).toMatchObject({ code: "model-unknown" });
  });

  it.each([["[]"], ["null"], ["{"], ['{"text":1}']])("answers %s with a sentence", async (text) => {
    const id = await server.project("answers %s with an error message");
    const response = await server.api(`/api/projects/${id}/messages`, {
      method: "POST",
      body: text,
      headers: { "content-type": "application/json" },
    });
    expect(response.status).toBe(400);
    const { error } = await errorOf(response);
    expect(error.message).not.toMatch(/\bat \S+:\d+|Error:/);
  });

  it.each([
    "/api/projects/nosuch",
    "/api/projects/nosuch/files",
    "/api/projects/nosuch/events",
    "/api/nothing",
  ])("answers %s with 404", async (path) => {
    const response = await server.api(path);
    expect(response.status).toBe(404);
    expect((await errorOf(response)).error.code).toBe("not-found");
  });
});

describe("what the model learns about the person", () => {
  it("A27 excludes actions by button: a fix and a plan are not presented as the person's words", async () => {
    const id = await server.project("One");
    await send(id, "Fix the problems found.", { fix: true });
    await send(id, "Carry out this plan:", { plan: "1. See @https://example.com" });
    await server.until(id, (event) => event.type === "run-end" && server.requests.length === 3);
    const parts = server.requests.slice(1).map(({ message }) => message.parts);
    expect(parts[0]).toMatchObject([
      { text: "Fix the problems found." },
      { type: "data-problems" },
    ]);
    expect(parts[1]).toEqual([
      { type: "text", text: "Carry out this plan:" },
      { type: "data-plan", data: { text: "1. See @https://example.com" } },
    ]);
    const messages = (await server.events(id)).filter(({ type }) => type === "message");
    expect(messages.slice(1)).toMatchObject([
      { fix: true },
      { plan: "1. See @https://example.com" },
    ]);
  });

  it("includes the items that the person asks to show by checks", async () => {
    const id = await server.project("One");
    await send(id, "Check the rest.", { prove: ["share the list"] });
    await server.until(id, (event) => event.type === "run-end" && server.requests.length === 2);
    expect(server.requests.map(({ prove }) => prove)).toEqual([undefined, ["share the list"]]);
    const messages = (await server.events(id)).filter(({ type }) => type === "message");
    expect(messages[1]).toMatchObject({ prove: ["share the list"] });
  });

  it("includes changes since the last run, attributed to the person only if made through the page", async () => {
    const id = await server.project("One");
    await server.until(id, ({ type }) => type === "checkpoint");
    server.workspace(id).put("a.txt", "by a program");
    const headers = { "if-none-match": "*" };
    const path = `/api/projects/${id}/files/b.txt`;
    await server.api(path, { method: "PUT", json: { text: "by hand" }, headers });
    await turn(id);
    expect(server.requests.at(-1)?.changes).toMatchObject([
      { path: "a.txt", kind: "added", by: "outside" },
      { path: "b.txt", kind: "added", by: "person" },
    ]);
  });

  it("attributes changes to the person if no process of the project was running, or they restored a checkpoint", async () => {
    const id = await server.project("One");
    await server.until(id, ({ type }) => type === "checkpoint");
    server.workspace(id).put("a.txt", "by a program");
    await server.treadle.projects.release(id);
    server.workspace(id).put("b.txt", "in their own editor");
    await turn(id);
    expect(server.requests.at(-1)?.changes).toMatchObject([
      { path: "a.txt", by: "outside" },
      { path: "b.txt", by: "person" },
    ]);
    const checkpoint = server.workspace(id).records.at(0)?.checkpoint;
    await server.api(`/api/projects/${id}/restore`, { json: { checkpoint } });
    await turn(id);
    expect(server.requests.at(-1)?.changes.map(({ kind, by }) => [kind, by])).toEqual([
      ["removed", "person"],
      ["removed", "person"],
    ]);
  });

  it("includes what the person writes during the run (F13), but not what the model wrote", async () => {
    const seen: string[] = [];
    server.turns.push(async (request, ports, { workspace }) => {
      const written = await workspace.files.write(toProjectPath("model.txt"), "by the model");
      ports.wrote(toProjectPath("model.txt"), written.version);
      await server.api(`/api/projects/${id}/files/person.txt`, {
        method: "PUT",
        json: { text: "by the person" },
        headers: { "if-none-match": "*" },
      });
      await server.until(
        id,
        (event) => event.type === "files" && event.changes[0]?.path === "person.txt",
      );
      seen.push(...request.personWrites.keys());
    });
    const { id } = (await (
      await server.api("/api/projects", { json: { prompt: "One" } })
    ).json()) as { id: string };
    await server.until(id, ({ type }) => type === "run-end");
    expect(seen).toEqual(["person.txt"]);
    const changes = (await server.events(id)).flatMap((event) =>
      event.type === "files" ? event.changes : [],
    );
    expect(changes.map(({ path, by }) => [path, by])).toEqual([
      ["model.txt", "model"],
      ["person.txt", "person"],
    ]);
  });
});
