import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { gatherEvidence, runTurn, type Model } from "@treadle/agent";
import { openStore } from "@treadle/store";
import type { WorkspaceDriver } from "@treadle/workspace";
import { createFakeWorkspace } from "../../packages/agent/src/testing/fake-workspace.test-support.ts";
import { realClock } from "../../packages/agent/src/testing/real-clock.test-support.ts";
import { assemble } from "../../packages/server/src/assemble.ts";
import { finishPart, modelOf, textParts, type StreamPart } from "../support/language-model.ts";
import type { ReaderReport, ReaderTask } from "./reader.ts";

/** Like fast models: 50 pieces a second. */
const PIECE_MS = 20;
const TEXT = Array.from({ length: 60 }, (_, index) => `some words of prose ${index} `);
const FILE = Array.from({ length: 100 }, (_, index) => `<p>a line of the page ${index}</p>\n`);

export interface Latency {
  events: number;
  lost: number;
  seconds: number;
  /** Milliseconds. */
  p50: number;
  p99: number;
  worst: number;
}

/**
 * Runs many projects on one server, each with a reader of its log in another process and a run that
 * writes text and a file and ends: measures how long each event takes to its reader.
 */
export async function measureLatency(runs: number): Promise<Latency> {
  const directory = mkdtempSync(join(tmpdir(), "treadle-bench-"));
  const store = await openStore({ directory });
  const treadle = await assemble(
    { dataDirectory: directory, env: {} },
    {
      store,
      driver: inMemory,
      models: {
        chosen: async () => "bench:bench",
        resolve: async () => MODEL,
        demoPrompt: () => "",
        info: async () => ({ providers: [], demos: [] }),
        choose: async () => {},
        setKey: async () => {},
        forget: async () => {},
        setSees: async () => {},
        setThinking: async () => {},
        setCache: async () => {},
        removeKey: async () => {},
        test: async () => {},
      },
      runTurn,
      gatherEvidence,
      clock: realClock,
      closers: [],
    },
  );
  const { port } = await treadle.listen({ host: "127.0.0.1", port: 0 });
  const post = async (path: string, body: unknown) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method: "POST",
      body: JSON.stringify(body),
      headers: {
        authorization: `Bearer ${treadle.token}`,
        "content-type": "application/json",
      },
    });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as { id: string };
  };
  const reader = fork(new URL("./reader.ts", import.meta.url));
  try {
    const projects: string[] = [];
    for (let n = 0; n < runs; n++) projects.push((await post("/api/projects", {})).id);
    await assign(reader, { kind: "read", port, token: treadle.token, projects });
    const began = performance.now();
    await Promise.all(
      projects.map((id) => post(`/api/projects/${id}/messages`, { text: "Write a page" })),
    );
    await Promise.all(projects.map((id) => ended(store, id)));
    const seconds = (performance.now() - began) / 1000;
    await store.log.settled();
    const heads = await Promise.all(projects.map((id) => store.log.head(id)));
    const expected = heads.reduce((sum, head) => sum + head, 0);
    const report = await assign(reader, { kind: "report", expected });
    const sorted = report.delays.toSorted((a, b) => a - b);
    const at = (part: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0; // prettier-ignore
    return {
      events: sorted.length,
      lost: expected - sorted.length,
      seconds,
      p50: at(0.5),
      p99: at(0.99),
      worst: at(1),
    };
  } finally {
    reader.kill();
    await treadle.close();
    rmSync(directory, { recursive: true, force: true });
  }
}

async function assign(reader: ChildProcess, task: ReaderTask): Promise<ReaderReport> {
  const answered = once(reader, "message");
  reader.send(task);
  const [report] = (await answered) as [ReaderReport];
  return report;
}

function ended(store: Awaited<ReturnType<typeof openStore>>, project: string): Promise<void> {
  return new Promise((resolve) => {
    const stop = store.log.follow(project, 0, (entries) => {
      const end = entries.find(({ event }) => event.type === "run-end")?.event;
      if (end?.type !== "run-end") return;
      if (end.outcome !== "done") throw new Error(end.summary);
      stop();
      resolve();
    });
  });
}

const MODEL: Model = {
  id: "bench:bench",
  dialect: "native",
  takesTemperature: true,
  languageModel: modelOf(({ prompt }) =>
    slowly(prompt.at(-1)?.role === "tool" ? [...textParts("t", TEXT), finishPart("stop")] : WORK),
  ),
};

const INPUT = JSON.stringify({ path: "index.html", content: FILE.join("") });
const WORK: StreamPart[] = [
  ...textParts("t", TEXT),
  { type: "tool-input-start", id: "c", toolName: "write_file" },
  ...(INPUT.match(/[^]{1,40}/g) ?? []).map((delta): StreamPart => ({
    type: "tool-input-delta",
    id: "c",
    delta,
  })),
  { type: "tool-input-end", id: "c" },
  { type: "tool-call", toolCallId: "c", toolName: "write_file", input: INPUT },
  finishPart("tool-calls"),
];

function slowly(parts: StreamPart[]): ReadableStream<StreamPart> {
  let at = 0;
  return new ReadableStream({
    async pull(controller) {
      const part = parts[at++];
      if (!part) return controller.close();
      await sleep(PIECE_MS);
      controller.enqueue(part);
    },
  });
}

const inMemory: WorkspaceDriver = {
  name: "memory",
  probe: async () => ({ ok: true, checks: [] }),
  open: async () =>
    createFakeWorkspace({
      serve: (_command, workspace) => (_request, response) => {
        response.setHeader("content-type", "text/html");
        response.end(workspace.text("index.html"));
      },
    }),
  prepareTemplates: async () => {},
  close: async () => {},
};
