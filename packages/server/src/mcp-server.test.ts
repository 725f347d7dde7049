import {
  Client,
  InMemoryTransport,
  StreamableHTTPClientTransport,
} from "@modelcontextprotocol/client";
import type { Treadle } from "@treadle/client";
import { createMcpServer } from "@treadle/mcp-server";
import type { ProjectSummary, Question, SuspendedRun } from "@treadle/protocol";
import { untriedEvidence } from "@treadle/protocol/evidence";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestServer, type TestServer } from "./server.test-support.ts";

let server: TestServer;
let client: Client;
let address: URL;
beforeAll(async () => {
  server = await startTestServer();
  address = new URL("/mcp", (await server.listen()).url);
  client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode: "auto" } });
  await client.connect(transport(server.treadle.token));
});
afterAll(async () => {
  await client.close();
  await server.close();
});

const transport = (token: string) =>
  new StreamableHTTPClientTransport(address, {
    requestInit: { headers: { authorization: `Bearer ${token}` } },
  });

const asked: Question = {
  kind: "words",
  id: "q1",
  call: "c",
  text: "Which colour?",
  choices: ["red", "blue"],
};

const SUSPENDED: SuspendedRun = {
  reply: "m",
  calls: [],
  steps: 1,
  callCount: 1,
  usage: { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0 },
  stepUsage: { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0 },
  workedMs: 1,
  seen: [],
  touched: [],
  changed: false,
  commanded: false,
  repairs: 0,
  sameFailures: 0,
};

const projects = async () =>
  ((await (await server.api("/api/projects")).json()) as { projects: ProjectSummary[] }).projects;

type Called = {
  isError?: boolean;
  structuredContent?: Record<string, unknown>;
  content: { type: string; text?: string }[];
};
const call = async (
  name: string,
  args: Record<string, unknown>,
  options: Parameters<Client["callTool"]>[1] = {},
) => (await client.callTool({ name, arguments: args }, options)) as Called;

describe("another agent, using the official client", () => {
  it("builds an app, is notified of events, and reads the evidence", async () => {
    server.turns.push(async ({ run }, _ports, { emit }) => {
      emit({ type: "call-open", run, call: "c", tool: "write_file" });
      emit({ type: "call-end", call: "c", status: "ok", title: "Wrote a.html", result: "", ms: 1 });
      emit({ type: "evidence", run, evidence: untriedEvidence("r1") });
      return { verdict: "unverified", summary: "Nobody looked." };
    });
    const progress: (string | undefined)[] = [];
    const built = await call(
      "build",
      { prompt: "A clock" },
      { onprogress: ({ message }) => progress.push(message) },
    );
    expect(built.isError).toBeFalsy();
    expect(built.structuredContent).toMatchObject({ outcome: "done", verdict: "unverified" });
    expect(progress).toEqual(["Wrote a.html"]);
    const { project } = built.structuredContent as { project: string };
    const status = await call("status", { project });
    expect(status.structuredContent).toMatchObject({
      verdict: "unverified",
      evidence: { revision: "r1" },
      preview: expect.stringContaining(".localhost"),
    });
    expect((await call("list_projects", {})).content[0]?.text).toContain(project);
  });

  it("answers a run's question, and follows the run to its end", async () => {
    server.turns.splice(0, Infinity, async ({ run, resume }, _ports, { emit }) => {
      if (resume) return { summary: "It is blue." };
      emit({ type: "call-open", run, call: "c", tool: "ask_person" });
      emit({ type: "question", run, question: asked });
      emit({ type: "suspended", run, question: "q1", state: SUSPENDED });
      return "waits";
    });
    const built = await call("build", { prompt: "A car" });
    expect(built.structuredContent).toMatchObject({ outcome: "waiting", question: asked });
    const { project } = built.structuredContent as { project: string };
    expect(await call("answer", { project, question: "q0", words: "x" })).toMatchObject({
      isError: true,
    });
    const done = await call("answer", { project, question: "q1", words: "blue" });
    expect(done.structuredContent).toMatchObject({ outcome: "done", summary: "It is blue." });
    expect(await call("answer", { project, question: "q1", words: "x" })).toMatchObject({
      isError: true,
    });
  });

  it("stops active work, with its tool and by cancelling its own call", async () => {
    server.turns.splice(0, Infinity, async ({ signal }) => {
      if (!signal.aborted)
        await new Promise((resolve) => signal.addEventListener("abort", resolve));
      return { outcome: "stopped", summary: "Stopped." };
    });
    const known = new Set((await projects()).map(({ id }) => id));
    const going = new AbortController();
    const cancelled = call("build", { prompt: "Forever" }, { signal: going.signal }).then(
      () => "ended",
      () => "cancelled",
    );
    const begun = async () =>
      (await projects()).find(({ id, working }) => working && !known.has(id))?.id;
    await expect.poll(begun).toBeDefined();
    const id = (await begun())!;
    await server.until(id, (event) => event.type === "run-start");
    going.abort();
    expect(await cancelled).toBe("cancelled");
    await server.until(id, (event) => event.type === "run-end");
    const again = call("build", { prompt: "Again", project: id });
    await server.until(id, (event) => event.type === "message" && event.text === "Again");
    const stopped = await call("stop", { project: id });
    expect(stopped.content[0]?.text).toBe("Stopped.");
    expect((await again).structuredContent).toMatchObject({ outcome: "stopped" });
  });

  it("may use the protocol version from before 2026", async () => {
    const older = new Client({ name: "test", version: "1" });
    await older.connect(transport(server.treadle.token));
    const { tools } = await older.listTools();
    expect(tools.map(({ name }) => name)).toEqual(
      expect.arrayContaining(["build", "answer", "status", "check", "stop", "list_projects"]),
    );
    await older.close();
  });

  it("A103 receives no control characters or hidden characters", async () => {
    const odd = "\u001b]52;c;eA==\u0007\u001b[2J\u202egpj.exe\u200b";
    server.turns.splice(0, Infinity, async ({ run }, _ports, { emit }) => {
      const evidence = untriedEvidence("r1");
      evidence.parts.serve = { state: "failed", summary: `It said ${odd}`, detail: odd };
      emit({ type: "call-open", run, call: "c", tool: "run_command" });
      emit({ type: "call-end", call: "c", status: "ok", title: `Ran ${odd}`, result: "", ms: 1 });
      emit({ type: "evidence", run, evidence });
      return { verdict: "failed", summary: `It broke: ${odd}` };
    });
    const progress: unknown[] = [];
    const built = await call(
      "build",
      { prompt: "A clock" },
      { onprogress: (one) => progress.push(one) },
    );
    const { project } = built.structuredContent as { project: string };
    const seen = [...progress, built, await call("status", { project })];
    const texts = JSON.stringify(seen, (_, value: unknown) =>
      typeof value === "string" ? value.replaceAll("\n", " ") : value,
    );
    expect(texts).toContain("gpj.exe");
    // Escapes of JSON represent the same characters.
    expect(texts).not.toMatch(/\\u00|[\p{Cc}\p{Cf}]/u);
  });

  it.each(["..", ".", "a/../..", "", "a b"])("A103 refuses %j as a project", async (project) => {
    const refused = await call("stop", { project }).catch(() => ({
      isError: true,
    }));
    expect(refused.isError).toBe(true);
  });

  it("reports a verdict once, and reports that there is nothing to stop", async () => {
    server.turns.splice(0, Infinity, async () => ({
      verdict: "verified",
      summary: "Verified: served, page rendered.",
    }));
    const built = await call("build", { prompt: "A clock" });
    expect(built.content[0]?.text).toMatch(/^Project \S+\.\nVerified: served, page rendered\.\n/);
    const { project } = built.structuredContent as { project: string };
    const stopped = await call("stop", { project });
    expect(stopped.isError).toBeFalsy();
    expect(stopped.content[0]?.text).toBe("Nothing goes on there that could be stopped.");
  });

  it("receives a message about what was refused", async () => {
    const refused = await call("build", { prompt: "x", project: "nosuch" });
    expect(refused).toMatchObject({ isError: true });
    expect(refused.content[0]?.text).toMatch(/project/);
  });
});

it("A1 A4 A5 is refused without the token, or from another origin or host", async () => {
  const stranger = new Client({ name: "test", version: "1" });
  await expect(stranger.connect(transport("x"))).rejects.toThrow();
  const ask = (headers: Record<string, string>) =>
    server.treadle
      .fetch(new Request(address, { method: "POST", body: "{}", headers }))
      .then(({ status }) => status);
  const bearer = { authorization: `Bearer ${server.treadle.token}`, host: address.host };
  expect(await ask({ ...bearer, origin: "https://evil.example" })).toBe(403);
  expect(await ask({ ...bearer, host: "evil.example" })).toBe(403);
  expect(await ask({ host: address.host })).not.toBe(200);
  // A page on another port of this machine has the cookie, but its request is not a navigation.
  for (const from of ["same-site", "cross-site"])
    for (const path of ["/mcp", "/mcp/", "/%6dcp"]) {
      const cookie = `treadle-${address.port}=${server.treadle.token}`;
      const headers = { cookie, host: address.host, "sec-fetch-site": from };
      const { status } = await server.treadle.fetch(
        new Request(new URL(path, address), { headers }),
      );
      expect([path, status]).toEqual([path, 403]);
    }
});

it("reports that it stopped a run that began during the request", async () => {
  const beginsNow = {
    detail: () => Promise.resolve({ working: false }),
    stop: () => Promise.resolve(true),
  };
  const [ownEnd, theirs] = InMemoryTransport.createLinkedPair();
  const tools = createMcpServer({ project: () => beginsNow } as unknown as Treadle);
  await tools.connect(theirs);
  const agent = new Client({ name: "test", version: "1" });
  await agent.connect(ownEnd);
  const { content } = await agent.callTool({ name: "stop", arguments: { project: "p" } });
  expect(content).toMatchObject([{ text: "Stopped." }]);
  await agent.close();
});
