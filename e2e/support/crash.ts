/**
 * A build with edits going on, whose server is killed at a moment that a seed chooses, and what has to hold then (F7, F8).
 * One data folder lives through many kills, since what one left has to bear the next.
 */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as wait } from "node:timers/promises";
import { createScriptedModel, type ScriptedModel } from "@treadle/scripted-model";
import { examineData } from "@treadle/server";
import { descendants, processes } from "./processes.ts";
import { scriptNamed } from "./stage.ts";
import { cache, scriptedBy, startTreadle, type RunningTreadle } from "./treadle.ts";

/** Files that are edited, each by a hand that writes one text after the other. */
const HANDS = 3;
/** Kills that one project lives through: a longer log would only make them slower. */
const OF_ONE_PROJECT = 8;
/** What a project's page would wait for at most. Milliseconds. */
const LATE = 90_000;

interface Entry {
  seq: number;
  event: { type: string; text?: string; message?: string; run?: string };
}

interface Known {
  project: string;
  /** Number of the last text of each file that was acknowledged, and of the last that was sent. */
  edits: { acknowledged: number; sent: number }[];
  messages: string[];
  /** What a reader of the log was shown. */
  shown: Map<number, string>;
}

export interface Crashes {
  /**
   * Kills the server after this many milliseconds of work.
   * @returns what failed
   */
  kill(afterMs: number): Promise<string[]>;
  close(): Promise<void>;
}

const textOf = (hand: number, number: number) =>
  `${number}:${`${hand}`.repeat(number % 2 === 0 ? 60_000 : 10)}:${number}`;
const numberIn = (hand: number, text: string) => {
  const number = Number(text.slice(0, text.indexOf(":")));
  return text === textOf(hand, number) ? number : undefined;
};

export async function openCrashes(): Promise<Crashes> {
  const model: ScriptedModel = await createScriptedModel({
    script: scriptNamed("crash"),
    pace: { charactersPerSecond: 600, firstMs: 50 },
  });
  const data = mkdtempSync(join(tmpdir(), "treadle-crash-"));
  const start = () => startTreadle({ data, env: scriptedBy(model) });
  let treadle = await start();
  let known: Known | undefined;
  let kills = 0;

  async function begin(): Promise<Known> {
    const made = await json(treadle, "/api/projects", { prompt: "Build it" });
    return {
      project: String(made.id),
      edits: Array.from({ length: HANDS }, () => ({ acknowledged: 0, sent: 0 })),
      messages: [],
      shown: new Map(),
    };
  }

  return {
    async kill(afterMs) {
      if (known === undefined || kills % OF_ONE_PROJECT === 0) known = await begin();
      kills++;
      const stop = new AbortController();
      const work = Promise.all([
        ...known.edits.map((edit, hand) => keepEditing(treadle, known!, hand, edit, stop.signal)),
        keepSaying(treadle, known, stop.signal),
        keepReading(treadle, known, stop.signal),
      ]);
      await wait(afterMs);
      const before = descendants(treadle.pid);
      await treadle.kill("SIGKILL");
      stop.abort();
      await work;
      const problems = [...(await ended(before)), ...filesOf(data, known), ...logOf(data, known)];
      const left = await examineData({ dataDirectory: data, cacheDirectory: cache, repair: false });
      // What was being written may be there until the next start, and no longer.
      const drafts = left.filter(({ problem }) => problem.endsWith("when a server ended"));
      for (const one of left)
        if (!drafts.includes(one)) problems.push(`${one.where}: ${one.problem}`);
      const killed = treadle.pid;
      treadle = await start();
      problems.push(...(await goesOn(treadle, known)));
      for (const { problem } of drafts) {
        const path = problem.slice(0, problem.indexOf(" was being written"));
        if (!(await isGone(path))) problems.push(`${path} is still there`);
      }
      problems.push(...leftIn(data, known, killed));
      return problems;
    },
    async close() {
      await treadle.kill("SIGTERM");
      await model.close();
      rmSync(data, { recursive: true, force: true });
    },
  };
}

/** A pack is named after what is in it: the server that runs now may be writing the very same one (seed 1133). */
async function isGone(path: string): Promise<boolean> {
  for (const end = performance.now() + LATE; existsSync(path); await wait(50))
    if (performance.now() > end) return false;
  return true;
}

async function json(
  treadle: RunningTreadle,
  path: string,
  body: object,
): Promise<Record<string, unknown>> {
  const response = await treadle.api(path, { method: "POST", body: JSON.stringify(body) });
  const answer = (await response.json()) as Record<string, unknown>;
  if (!response.ok) throw new Error(`${path}: ${JSON.stringify(answer)}`);
  return answer;
}

async function keepEditing(
  treadle: RunningTreadle,
  { project }: Known,
  hand: number,
  edit: Known["edits"][number],
  signal: AbortSignal,
): Promise<void> {
  const path = `/api/projects/${project}/files/edits/${hand}.txt`;
  try {
    const there = await treadle.api(path, { signal });
    let version = there.ok ? String(((await there.json()) as { version: unknown }).version) : "";
    while (!signal.aborted) {
      const number = ++edit.sent;
      const response = await treadle.api(path, {
        method: "PUT",
        signal,
        headers: version === "" ? { "if-none-match": "*" } : { "if-match": version },
        body: JSON.stringify({ text: textOf(hand, number) }),
      });
      if (!response.ok) continue;
      version = String(((await response.json()) as { version: unknown }).version);
      edit.acknowledged = number;
    }
  } catch {
    // The server is gone.
  }
}

async function keepSaying(
  treadle: RunningTreadle,
  { project, messages }: Known,
  signal: AbortSignal,
): Promise<void> {
  try {
    while (!signal.aborted) {
      const sent = await json(treadle, `/api/projects/${project}/messages`, { text: "And more" });
      messages.push(String(sent.message));
      await wait(1_500, undefined, { signal });
    }
  } catch {
    // The server is gone.
  }
}

async function keepReading(
  treadle: RunningTreadle,
  { project, shown }: Known,
  signal: AbortSignal,
): Promise<void> {
  const after = Math.max(0, ...shown.keys());
  try {
    const response = await treadle.api(`/api/projects/${project}/events?after=${after}`, {
      signal,
    });
    let buffer = "";
    for await (const piece of response.body!.pipeThrough(new TextDecoderStream())) {
      buffer += piece;
      const blocks = buffer.split("\n\n");
      buffer = blocks.pop() ?? "";
      for (const block of blocks)
        for (const { seq, event } of JSON.parse(
          /^data: (\[.*)$/m.exec(block)?.[1] ?? "[]",
        ) as Entry[])
          shown.set(seq, event.type);
    }
  } catch {
    // The server is gone.
  }
}

/** Everything that it had started has ended, though nobody told it to. */
async function ended(before: ReturnType<typeof descendants>): Promise<string[]> {
  const end = performance.now() + LATE;
  for (;;) {
    const now = new Map(processes().map(({ pid, words }) => [pid, words.join(" ")]));
    const alive = before.filter(({ pid, words }) => now.get(pid) === words.join(" "));
    if (alive.length === 0) return [];
    if (performance.now() > end)
      return alive.map(({ words }) => `still runs: ${words.join(" ").slice(0, 120)}`);
    await wait(20);
  }
}

const filesFolder = (data: string, { project }: Known) => join(data, "projects", project, "files");

/** Each file is one of the texts that were sent for it, and none that is older than what was acknowledged. */
function filesOf(data: string, known: Known): string[] {
  const folder = filesFolder(data, known);
  const problems: string[] = [];
  for (const [hand, edit] of known.edits.entries()) {
    const file = join(folder, "edits", `${hand}.txt`);
    if (edit.acknowledged === 0 && !existsSync(file)) continue;
    const number = existsSync(file) ? numberIn(hand, readFileSync(file, "utf8")) : undefined;
    if (number === undefined) problems.push(`edits/${hand}.txt is gone or half-written`);
    else if (number < edit.acknowledged || number > edit.sent)
      problems.push(`edits/${hand}.txt holds ${number}, acknowledged was ${edit.acknowledged}`);
    else edit.acknowledged = number;
  }
  const expectedFiles: [string, RegExp][] = [
    ["index.html", /^<h1>Kept<\/h1><p>whole<\/p>\n?$/],
    ["more.txt", /^more and whole\n?$/],
    ["server.mjs", /listen\(3000\);\n?$/],
  ];
  for (const [name, is] of expectedFiles)
    if (existsSync(join(folder, name)) && !is.test(readFileSync(join(folder, name), "utf8")))
      problems.push(`${name} is half-written`);
  return problems;
}

/** What was shown and what was said is in the log. That it has no gap is looked at with all else that is kept. */
function logOf(data: string, { project, shown, messages: sent }: Known): string[] {
  const database = new DatabaseSync(join(data, "treadle.sqlite"));
  try {
    const rows = database.prepare("select seq, event from log where project = ?").all(project);
    const logged = new Map(
      rows.map((row) => [Number(row["seq"]), JSON.parse(String(row["event"])) as Entry["event"]]),
    );
    const problems: string[] = [];
    const head = Math.max(0, ...logged.keys());
    for (const [seq, type] of shown) {
      // Compaction keeps only the last piece of a stream.
      const isPiece = /^(?:text|reasoning|call-delta|output)$/.test(type);
      if (logged.get(seq)?.type !== type && !(isPiece && seq < head))
        problems.push(`entry ${seq}, a ${type} that was shown, is ${logged.get(seq)?.type}`);
    }
    const messages = new Set([...logged.values()].map(({ message }) => message));
    const record = String(
      database.prepare("select record from projects where id = ?").get(project)?.["record"],
    );
    for (const message of sent)
      if (!messages.has(message) && !record.includes(message))
        problems.push(`the message ${message} is nowhere`);
    return problems;
  } finally {
    database.close();
  }
}

/**
 * The interrupted run is marked as such, all messages are shown, and a run can be started that
 * continues.
 */
async function goesOn(
  treadle: RunningTreadle,
  { project, messages: sent }: Known,
): Promise<string[]> {
  const problems: string[] = [];
  const head = headOf(treadle.data, project);
  const entries = await readAll(treadle, project, ({ seq }) => seq >= head);
  const starts = entries.filter(({ event }) => event.type === "run-start").length;
  const ends = entries.filter(({ event }) => event.type === "run-end").length;
  if (starts !== ends) problems.push(`${starts} runs began and ${ends} ended`);
  const messages = new Set(entries.map(({ event }) => event.message));
  for (const message of sent)
    if (!messages.has(message)) problems.push(`the message ${message} is not shown`);
  const again = await treadle.api(`/api/projects/${project}/continue`, {
    method: "POST",
    body: "{}",
  });
  if (!again.ok) return [...problems, `it cannot go on: ${await again.text()}`];
  const { message } = (await again.json()) as { message: string };
  const began = await readAll(
    treadle,
    project,
    ({ event }) => event.type === "run-start" && event.message === message,
  );
  if (began.length === 0) problems.push("the run that goes on does not begin");
  return problems;
}

/** Number of the newest entry: what ends a run that was cut off is there before the server listens. */
function headOf(data: string, project: string): number {
  const database = new DatabaseSync(join(data, "treadle.sqlite"), { readOnly: true });
  try {
    const row = database.prepare("select max(seq) as head from log where project = ?").get(project);
    return Number(row?.["head"]);
  } finally {
    database.close();
  }
}

/** The log up to the expected entry; empty if it does not come. */
async function readAll(
  treadle: RunningTreadle,
  project: string,
  until: (entry: Entry) => boolean,
): Promise<Entry[]> {
  const stop = AbortSignal.timeout(LATE);
  const entries: Entry[] = [];
  const response = await treadle.api(`/api/projects/${project}/events`, { signal: stop });
  let buffer = "";
  try {
    for await (const piece of response.body!.pipeThrough(new TextDecoderStream())) {
      buffer += piece;
      const blocks = buffer.split("\n\n");
      buffer = blocks.pop() ?? "";
      for (const block of blocks)
        entries.push(...(JSON.parse(/^data: (\[.*)$/m.exec(block)?.[1] ?? "[]") as Entry[]));
      if (entries.some(until)) return entries;
    }
  } catch {
    return [];
  }
  return [];
}

/** Temporary files of a server that was killed. */
function leftIn(data: string, known: Known, killed: number): string[] {
  const folder = filesFolder(data, known);
  const drafts = existsSync(folder)
    ? readdirSync(folder, { recursive: true, encoding: "utf8" }).filter(
        // The folder that they are in comes and goes with what is written.
        (name) => /\.treadle-writing(?:-|\/\.git\/)/.test(name) && !name.includes("node_modules"),
      )
    : [];
  const old = readdirSync(tmpdir()).filter((name) => name.startsWith(`treadle-${killed}-`));
  // One of the server that runs now is being written; it is gone when it is looked at again.
  const stays = drafts.filter((name) => existsSync(join(folder, name)));
  return [...(stays.length > HANDS + 1 ? stays : []), ...old].map((name) => `${name} is left`);
}
