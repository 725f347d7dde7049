/**
 * From asking for it to the first answer of a published site and of a published app, neither of which has a build of its
 * own; an app awake again after a restart of the server; requests through the door beside the same app started by hand, while
 * it has nothing to tell and when it reads a hundred rows for each answer; and the memory of twenty apps that nobody asks for
 * anything.
 */
import { isSound } from "@treadle/protocol/evidence";
import { spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { request } from "node:http";
import { DatabaseSync } from "node:sqlite";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { ProjectDetail, Publication } from "@treadle/protocol";
import { createScriptedModel } from "@treadle/scripted-model";
import { freePort } from "../e2e/support/free-port.ts";
import { descendants } from "../e2e/support/processes.ts";
import { scriptNamed } from "../e2e/support/stage.ts";
import {
  bareEnvironment,
  root,
  scriptedBy,
  startTreadle,
  type RunningTreadle,
} from "../e2e/support/treadle.ts";
import { load, type Place } from "./support/load.ts";

const ROUNDS = 5;
const REQUESTS = 10_000;
/**
 * Requests to each side before measuring, at first and before each round: V8 compiles a server's
 * code while it is used, Treadle's much later than the app's because there is more of it, and both
 * run for weeks.
 */
const WARM = 20_000;
const FIRST = 500;
const TURNS = 5;
const AT_ONCE = [8, 32];
/** Rows that the app reads for a page, like an app in use. */
const GUESTS = 100;
/** Number of published idle apps, and the idle time in milliseconds. */
const APPS = 20;
const REST_MS = 2_000;

const ask = ({ port, host }: Place, form?: string) =>
  new Promise<{ status: number; text: string }>((resolve, reject) => {
    const method = form === undefined ? "GET" : "POST";
    const asked = request({ host: "127.0.0.1", port, headers: { host }, method });
    asked.on("response", (answer) => {
      let text = "";
      answer.setEncoding("utf8").on("data", (piece: string) => (text += piece));
      answer.on("end", () => resolve({ status: answer.statusCode ?? 0, text }));
    });
    asked.on("error", reject).end(form);
  });

/** Milliseconds until it answers with 200; a minute at most. */
async function answered(place: Place): Promise<number> {
  const began = performance.now();
  while (performance.now() - began < 60_000) {
    const { status } = await ask(place).catch(() => ({ status: 0 }));
    if (status === 200) return performance.now() - began;
    await sleep(5);
  }
  throw new Error(`${place.host} is not answered at`);
}

async function builtProject(treadle: RunningTreadle, prompt: string): Promise<string> {
  const made = await treadle.api("/api/projects", {
    method: "POST",
    body: JSON.stringify({ prompt }),
  });
  const { id } = (await made.json()) as { id: string };
  for (const until = Date.now() + 120_000; Date.now() < until; await sleep(100)) {
    const detail = (await (await treadle.api(`/api/projects/${id}`)).json()) as ProjectDetail;
    if (!detail.working && isSound(detail.verdict)) return id;
  }
  throw new Error(`“${prompt}” was not seen to run`);
}

async function published(treadle: RunningTreadle, project: string, name: string) {
  const { port } = new URL(treadle.origin);
  const place = { port, host: `${name}.localhost:${port}` };
  const path = `/api/projects/${project}/publication`;
  const began = performance.now();
  const asked = await treadle.api(path, { method: "POST", body: JSON.stringify({ name }) });
  if (!asked.ok) throw new Error(await asked.text());
  const { number } = ((await asked.json()) as Publication).releases[0]!;
  for (;;) {
    const now = (await (await treadle.api(path)).json()) as Publication;
    if (now.current === number) break;
    const [newest] = now.releases;
    if (newest?.state === "failed" || newest?.state === "held")
      throw new Error(newest.said ?? JSON.stringify(newest.gate));
    await sleep(10);
  }
  await answered(place);
  return { ms: performance.now() - began, place };
}

/** Memory of all processes that the server started, with shared pages counted once, in MB. */
function memoryOf({ pid }: RunningTreadle): number {
  const kilobytes = descendants(pid).map((one) => {
    try {
      const memory = readFileSync(`/proc/${one.pid}/smaps_rollup`, "utf8");
      return Number(/^Pss:\s+(\d+)/m.exec(memory)?.[1] ?? 0);
    } catch {
      return 0;
    }
  });
  return kilobytes.reduce((sum, one) => sum + one, 0) / 1024;
}

/** Memory of published apps that were requested once and then left idle. */
async function idle(prompt: string, script: string): Promise<void> {
  const model = await createScriptedModel({ script: scriptNamed(script) });
  const data = mkdtempSync(join(tmpdir(), "treadle-publish-bench-"));
  const env = { ...scriptedBy(model), TREADLE_PREPARE: "" };
  let treadle = await startTreadle({ data, env });
  try {
    for (let index = 0; index < APPS; index++)
      await published(treadle, await builtProject(treadle, prompt), `idle-${index}`);
    // Processes left over from their creation have ended.
    await treadle.kill("SIGTERM");
    treadle = await startTreadle({ data, env });
    const { port } = new URL(treadle.origin);
    const before = memoryOf(treadle);
    for (let index = 0; index < APPS; index++)
      await answered({ port, host: `idle-${index}.localhost:${port}` });
    await sleep(REST_MS);
    const each = (memoryOf(treadle) - before) / APPS;
    console.log(`${APPS} apps that answered once: ${Math.round(each)} MB each (aim 60 MB)`);
  } finally {
    await treadle.stop();
    await model.close();
    rmSync(data, { recursive: true, force: true });
  }
}

/**
 * Requests per second.
 * @param first number of requests that do not count
 */
async function rate(place: Place, atOnce: number, first = FIRST): Promise<number> {
  await load(place, atOnce, first);
  return load(place, atOnce, REQUESTS);
}

const median = (all: number[]) => all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)]!;
const shown = (all: number[]) =>
  `${Math.round(median(all))} ms (${all.map((ms) => Math.round(ms)).join(" ")})`;

async function timed(prompt: string, script: string, aim: string): Promise<void> {
  const model = await createScriptedModel({ script: scriptNamed(script) });
  const data = mkdtempSync(join(tmpdir(), "treadle-publish-bench-"));
  let treadle = await startTreadle({ data, env: scriptedBy(model) });
  try {
    const project = await builtProject(treadle, prompt);
    const times: number[] = [];
    let place: Place | undefined;
    for (let index = 0; index < ROUNDS; index++) {
      const done = await published(treadle, project, "bench");
      times.push(done.ms);
      place = done.place;
    }
    console.log(`${prompt}: ${shown(times)} from asking for it to its first answer (aim ${aim})`);
    if (script !== "guestbook" || !place) return;
    const waking: number[] = [];
    for (let index = 0; index < ROUNDS; index++) {
      await treadle.kill("SIGTERM");
      treadle = await startTreadle({ data, env: scriptedBy(model) });
      const { port } = new URL(treadle.origin);
      place = { port, host: `bench.localhost:${port}` };
      waking.push(await answered(place));
    }
    console.log(`asleep, and answering: ${shown(waking)} (aim 700 ms)`);
    await besideByHand(place);
  } finally {
    await treadle.stop();
    await model.close();
    rmSync(data, { recursive: true, force: true });
  }
}

/**
 * Requests per second through the door, compared with those directly to the app and through a
 * relay, measured alternately.
 */
async function throughTheDoor(place: Place, hand: ByHand, what: string): Promise<void> {
  for (const atOnce of AT_ONCE) {
    const ratios: number[] = [];
    const rates: number[] = [];
    const relayed: number[] = [];
    for (const one of [place, hand.straight, hand.relayed]) await rate(one, atOnce, WARM);
    for (let index = 0; index < TURNS; index++) {
      const [through, direct] = [await rate(place, atOnce), await rate(hand.straight, atOnce)];
      ratios.push(through / direct);
      relayed.push((await rate(hand.relayed, atOnce)) / direct);
      rates.push(through);
    }
    console.log(
      `${what}, ${atOnce} at once: through the door ${Math.round(median(rates))} requests a second, ${share(ratios)} of those straight to the app (aim 0.5); a relay that looks at nothing ${share(relayed)}`,
    );
  }
}

const share = (all: number[]) =>
  `${median(all).toFixed(2)} (${all.map((one) => one.toFixed(2)).join(" ")})`;

/** The app without Treadle: directly, and behind a relay that only forwards bytes. */
interface ByHand {
  straight: Place;
  relayed: Place;
}

async function besideByHand(place: Place): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "treadle-by-hand-"));
  cpSync(join(root, "e2e/scripts/files/guestbook"), folder, { recursive: true });
  mkdirSync(join(folder, "data"));
  const database = new DatabaseSync(join(folder, "data/app.db"));
  database.exec(readFileSync(join(folder, "migrations/0001_guests.sql"), "utf8"));
  database.close();
  // Otherwise another program on that port would be measured.
  const [port, other] = [String(await freePort()), String(await freePort())];
  const child = spawn(process.execPath, ["server.js"], {
    cwd: folder,
    env: { ...bareEnvironment(), PORT: port },
    stdio: "ignore",
  });
  const relay = spawn(process.execPath, [join(root, "bench/support/relay.ts"), other, port], {
    env: bareEnvironment(),
    stdio: "ignore",
  });
  try {
    const hand = {
      straight: { port, host: `localhost:${port}` },
      relayed: { port: other, host: `localhost:${port}` },
    };
    await answered(hand.relayed);
    await throughTheDoor(place, hand, "an answer that costs nothing");
    for (const one of [place, hand.straight])
      for (let guest = 1; guest <= GUESTS; guest++) {
        const { status } = await ask(one, `name=Guest+${guest}`);
        if (status !== 303) throw new Error(`a guest was answered ${status}`);
      }
    await throughTheDoor(place, hand, `a page of ${GUESTS} guests`);
  } finally {
    relay.kill();
    child.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}

await timed("Build a clock", "clock-plain", "1,500 ms");
await timed("Build a guest book", "guestbook", "2,500 ms");
await idle("Build a guest book", "guestbook");
