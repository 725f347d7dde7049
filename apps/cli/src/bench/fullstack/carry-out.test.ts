import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { ownCommand } from "../own-command.ts";
import type { BuildCommand } from "../webgen.ts";
import { carryOutTask, type TaskPlaces } from "./carry-out.ts";

let folder: string;
let places: TaskPlaces;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "treadle-task-"));
  const [apps, logs] = [join(folder, "apps"), join(folder, "logs")];
  places = {
    work: join(folder, "work"),
    app: join(apps, "000001"),
    log: join(logs, "000001"),
    tasks: join(folder, "tasks.jsonl"),
    apps,
    logs,
  };
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const task = { id: "000001", instruction: "A forum.", structures: ["topics"] };
const build: BuildCommand = {
  kind: "bench",
  of: "fullstack",
  tasks: "tasks.jsonl",
  out: "apps",
  results: undefined,
  limit: undefined,
  parallel: 1,
  model: "openai:x",
  maxSteps: 40,
  maxCost: 2,
  timeoutMs: 60_000,
  data: "/data",
  unsafe: false,
  logs: undefined,
  only: undefined,
  json: false,
};
const ran = {
  type: "result",
  outcome: "done",
  verdict: "verified",
  summary: "Verified: all that was asked for is shown.",
  steps: 3,
  usage: { inputTokens: 900, outputTokens: 100, costUsd: 0.5 },
  evidence: { checks: [{ state: "held" }, { state: "failed" }] },
};
const score = { type: "result", id: "000001", rules: [], passes: true, ms: 5 };

/** Records commands, and answers each in turn. */
function program(...answers: { result?: object; output?: string; lines?: string[] }[]) {
  const words: string[][] = [];
  const command: typeof ownCommand = async (given, _signal, onLine = () => {}) => {
    const { result, output = "", lines = [] } = answers[words.length] ?? {};
    words.push(given);
    lines.forEach(onLine);
    return { result: result as Record<string, unknown> | undefined, output };
  };
  return { words, command };
}
const { signal } = new AbortController();

it("asks with the benchmark's rules, hands over the result, scores the task, and stores the log", async () => {
  const text = { seq: 1, at: 0, event: { type: "text", text: "I build it.", whole: false } };
  const { words, command } = program(
    { result: ran, lines: [JSON.stringify(text), "no event"] },
    { result: { type: "result", pictures: 1 } },
    { result: score },
  );
  mkdirSync(places.log, { recursive: true });
  writeFileSync(join(places.log, "page.png"), "");
  const result = await carryOutTask(task, build, places, signal, command);
  expect(result).toMatchObject({
    id: "000001",
    outcome: "done",
    verdict: "verified",
    checks: { held: 1, all: 2 },
    score: { passes: true, rules: [], ms: 5 },
    pictures: ["page.png"],
    steps: 3,
    tokens: 1_000,
    costUsd: 0.5,
  });
  const [run = [], hand, scored] = words;
  expect(run.slice(0, -1)).toEqual(
    `run --dir ${places.work} --approve auto --model openai:x --max-steps 40 --max-cost 2 --timeout 60 --json --data /data --`.split(
      " ",
    ),
  );
  expect(run.at(-1)).toMatch(/npm run install:all[\s\S]*DB_USERNAME=myappuser|DB_USERNAME=myappuser[\s\S]*npm run install:all[\s\S]*A forum\.$/); // prettier-ignore
  expect(hand?.join(" ")).toBe(
    `bench hand-over ${places.work} --out ${places.app} --logs ${places.log} --json --data /data`,
  );
  expect(scored?.join(" ")).toBe(
    `bench score ${places.apps} --logs ${places.logs} --tasks ${places.tasks} --only 000001 --json --data /data`,
  );
  const log = readFileSync(join(places.log, "output.log"), "utf8");
  expect(log).toContain("I build it.");
  expect(log).toContain("no event");
});

it("counts a run without a result as an error, and still hands over its files", async () => {
  const { command } = program(
    { output: "No model is set up yet." },
    { result: { type: "result", databaseError: "No PostgreSQL can be run here." } },
    { output: "There is no folder." },
  );
  expect(await carryOutTask(task, build, places, signal, command)).toMatchObject({
    outcome: "error",
    verdict: null,
    summary: "No model is set up yet.",
    checks: null,
    score: null,
    scoreError: "There is no folder.",
    databaseError: "No PostgreSQL can be run here.",
    costUsd: null,
  });
});

it("does not score what was not handed over", async () => {
  const { words, command } = program({ result: ran }, { output: "The disk is full." });
  const result = await carryOutTask(task, build, places, signal, command);
  expect(result).toMatchObject({
    verdict: "verified",
    score: null,
    scoreError: "The disk is full.",
  });
  expect(words).toHaveLength(2);
});

it("returns no result for a stopped task", async () => {
  const stopping = new AbortController();
  const command: typeof ownCommand = async () => {
    stopping.abort();
    return { result: ran, output: "" };
  };
  expect(await carryOutTask(task, build, places, stopping.signal, command)).toBeUndefined();
  expect(existsSync(join(places.log, "output.log"))).toBe(true);
});
