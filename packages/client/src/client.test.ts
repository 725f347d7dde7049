import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import type { LogEntry, Question } from "@treadle/protocol";
import { untriedEvidence } from "@treadle/protocol/evidence";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestServer, type TestServer } from "../../server/src/server.test-support.ts";
import { connect, TreadleError, type Treadle } from "./index.ts";
import { connectLocal } from "./local.ts";

let server: TestServer;
let treadle: Treadle;
let url: string;
beforeAll(async () => {
  server = await startTestServer();
  ({ url } = await server.listen());
  treadle = connectLocal(server.directory);
});
afterAll(() => server.close());

const refusal = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: unknown) => error as TreadleError,
  );

it("its types were generated from this server's current description", async () => {
  const description = await (await server.api("/api/openapi.json")).text();
  const made = readFileSync(join(import.meta.dirname, "api.ts"), "utf8");
  const hash = createHash("sha256").update(description).digest("hex");
  // If this fails, run npm run build.
  expect(made.split("\n")[0]).toContain(`sha256 ${hash}`);
});

it.each(["..", ".", ""])(
  "A103 rejects %j as a project, so that it reaches no other address",
  (id) => {
    expect(() => treadle.project(id)).toThrow(expect.objectContaining({ code: "not-found" }));
  },
);

describe("a program that builds an app", () => {
  it("reads its run's log to the end, and its verdict", async () => {
    server.turns.push(async ({ run }, _ports, { emit }) => {
      emit({ type: "text", run, id: "t", text: "Here it is." });
      emit({ type: "evidence", run, evidence: untriedEvidence("r1") });
      return { verdict: "unverified", summary: "Nobody looked." };
    });
    const project = await treadle.createProject();
    const run = await project.run("Build a clock");
    const seen: LogEntry[] = [];
    const entries = run.events();
    let next = await entries.next();
    for (; !next.done; next = await entries.next()) seen.push(next.value);
    expect(seen.map(({ event }) => event.type)).toEqual(
      expect.arrayContaining(["message", "run-start", "text", "evidence", "run-end"]),
    );
    expect(new Set(seen.map(({ seq }) => seq)).size).toBe(seen.length);
    expect(next.value).toMatchObject({
      outcome: "done",
      verdict: "unverified",
      summary: "Nobody looked.",
      evidence: { revision: "r1" },
    });
    // Reading again from the message on gives the same.
    expect(await run.result()).toEqual(next.value);
    expect(await project.verdict()).toMatchObject({ verdict: "unverified" });
    expect((await treadle.projects()).map(({ id }) => id)).toContain(project.id);
  });

  it("learns what a run waits for, answers, and follows it further", async () => {
    const approval: Question = {
      kind: "approval",
      id: "q",
      call: "c",
      tool: "run_command",
      why: "It removes a folder.",
      subject: { kind: "command", what: ["rm -r old"] },
      digest: "d",
      mayRemember: false,
    };
    server.turns.splice(0, Infinity, async ({ run, resume }, _ports, { emit }) => {
      if (resume) return { summary: "Done after all." };
      emit({ type: "question", run, question: approval });
      return "waits";
    });
    const project = await treadle.createProject();
    const run = await project.run("Tidy up");
    for await (const { event } of project.follow())
      if (event.type === "question") {
        expect(event.question).toEqual(approval);
        break;
      }
    await project.stop();
    expect(await run.result()).toMatchObject({ outcome: "stopped" });
  });

  it("stops listening at any time, and the run continues", async () => {
    let end = () => {};
    server.turns.splice(0, Infinity, async () => {
      await new Promise<void>((resolve) => (end = resolve));
    });
    const project = await treadle.createProject();
    const run = await project.run("Take your time");
    const leaving = new AbortController();
    const result = refusal(run.result({ signal: leaving.signal }));
    leaving.abort();
    expect((await result)?.name).toBe("AbortError");
    expect((await project.detail()).working).toBe(true);
    end();
    expect(await run.result()).toMatchObject({ outcome: "done" });
  });
});

it("F10 reconnects a broken connection: each entry comes once, in order", async () => {
  server.turns.splice(0);
  const project = await server.project("Something");
  const all = await server.store.log.head(project);
  let tries = 0;
  const cutting: typeof fetch = async (input, init) => {
    const response = await fetch(input, init);
    if (!String(input).includes("/events")) return response;
    tries++;
    // Breaks within the first event, except at the third attempt.
    let left = tries < 3 ? 60 : Infinity;
    const cut = new TransformStream<Uint8Array, Uint8Array>({
      transform(bytes, controller) {
        controller.enqueue(bytes.slice(0, Math.min(left, bytes.length)));
        left -= bytes.length;
        if (left <= 0) controller.terminate();
      },
    });
    return new Response(response.body!.pipeThrough(cut), response);
  };
  const client = connect({ url, token: server.treadle.token, fetch: cutting });
  const seen: number[] = [];
  for await (const { seq } of client.project(project).follow()) {
    seen.push(seq);
    if (seq === all) break;
  }
  expect(tries).toBe(3);
  expect(seen).toEqual(Array.from({ length: all }, (_, n) => n + 1));
});

it("the README's example is up to date, and runs", async () => {
  const folder = join(import.meta.dirname, "..");
  const example = readFileSync(join(folder, "example.mjs"), "utf8");
  expect(readFileSync(join(folder, "README.md"), "utf8")).toContain(`\`\`\`js\n${example}\`\`\``);
  server.turns.splice(0, Infinity, async ({ run }, _ports, { emit }) => {
    emit({ type: "call-open", run, call: "c", tool: "write_file" });
    emit({ type: "call-end", call: "c", status: "ok", title: "Wrote a.html", result: "", ms: 1 });
    emit({ type: "evidence", run, evidence: untriedEvidence("r") });
  });
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ["--conditions=treadle-source", join(folder, "example.mjs")],
    { env: { ...process.env, TREADLE_DATA: server.directory } },
  );
  expect(stdout).toMatch(/^Wrote a\.html\nunverified .+\n$/);
});

describe("problems are explained in a sentence, with a code for programs", () => {
  it("if the server refuses", async () => {
    const error = await refusal(treadle.project("nosuch").detail());
    expect(error).toBeInstanceOf(TreadleError);
    expect(error).toMatchObject({ code: "not-found", status: 404 });
    expect(error?.message).toMatch(/project/);
    expect(await refusal(treadle.project("nosuch").follow().next())).toMatchObject({ status: 404 });
    const stranger = connect({ url, token: "x" });
    expect(await refusal(stranger.projects())).toMatchObject({ code: "signed-out", status: 401 });
  });

  it("if nobody answers, or no server is running", async () => {
    const nobody = connect({ url: "http://127.0.0.1:1", token: "x" });
    expect(await refusal(nobody.projects())).toMatchObject({ code: "unreachable", status: 0 });
    expect(() => connectLocal("/nowhere")).toThrow(/treadle serve/);
  });
});
