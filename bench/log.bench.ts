/**
 * A project of 500 turns: the size of its log on disk, how much a turn adds, how long it takes
 * until the page shows its last message (aim 300 ms; compared with a project of one turn, because
 * the rest of that time is the page's own), and until a program has read all of it; and the delay
 * with which 50 readers receive appended events (aim 50 ms for 99 of 100, for the store itself:
 * 1,000 events a second). `BENCH_TURNS` sets the number of turns.
 */
import { mkdirSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openStore, type Store } from "@treadle/store";
import { startBrowser } from "../e2e/support/browser.ts";
import { startTreadle } from "../e2e/support/treadle.ts";
import { fanOut } from "./log/fan-out.ts";
import { fill } from "./log/long-project.ts";
import { opensOf } from "./log/opens.ts";

const TURNS = Number(process.env.BENCH_TURNS) || 500;
const ROUNDS = 5;
const PROJECT = "bench";
/** A project of one turn for comparison: the cost of opening when there is nothing to read. */
const SHORT = "short";
const print = (line: string) => process.stdout.write(`${line}\n`);
const median = (values: number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
const ms = (value: number) => `${value.toFixed(value < 10 ? 2 : 0)} ms`;
const megabytes = (bytes: number) => `${(bytes / 1024 / 1024).toFixed(1)} MB`;

async function create(store: Store, id: string, name: string, capability: string): Promise<void> {
  mkdirSync(join(data, "projects", id, "files"), { recursive: true });
  const now = Date.now();
  await store.projects.create({ id, name, createdAt: now, updatedAt: now, capability });
}

const data = mkdtempSync(join(tmpdir(), "treadle-bench-"));
/** Its size when idle, when the journal's content has been written into it. */
async function grown(from: number, to: number): Promise<{ size: number; compacting: number[] }> {
  const store = await openStore({ directory: data });
  if (from === 0) {
    await create(store, PROJECT, "Long", "abcdefghijklmnopqrstuvwxyz");
    await create(store, SHORT, "Short", "zyxwvutsrqponmlkjihgfedcba");
    await fill(store, SHORT, 1);
  }
  const compacting = await fill(store, PROJECT, to, from);
  await store.close();
  return { size: statSync(join(data, "treadle.sqlite")).size, compacting };
}

try {
  const half = await grown(0, TURNS / 2);
  const all = await grown(TURNS / 2, TURNS);
  print(
    `${TURNS} turns: ${megabytes(all.size)} of SQLite (aim 30 MB), of the first half ${megabytes(half.size)}`,
  );
  print(
    `compacted at the end of a turn in ${ms(median(half.compacting))} (first half), ${ms(median(all.compacting))} (second)`,
  );

  const treadle = await startTreadle({ data });
  const browser = await startBrowser();
  try {
    const read: number[] = [];
    let bytes = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const began = performance.now();
      const response = await treadle.api(`/api/projects/${PROJECT}/events`);
      let text = "";
      bytes = 0;
      for await (const piece of response.body!.pipeThrough(new TextDecoderStream())) {
        bytes += piece.length;
        text = (text + piece).slice(-2_000);
        if (text.includes(`"run":"run-${TURNS}","outcome"`)) break;
      }
      read.push(performance.now() - began);
    }
    print(`all of it read by a program: ${ms(median(read))}, ${megabytes(bytes)}`);
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    await page.goto(treadle.address);
    await page.getByRole("link", { name: "Short" }).first().waitFor();
    const opened = await opensOf(page, treadle.origin, ROUNDS, [
      { project: PROJECT, name: "Long", last: `Change ${TURNS}: make it better` },
      { project: SHORT, name: "Short", last: "Change 1: make it better" },
    ]);
    const summary = (values: number[]) =>
      `${ms(median(values))} (${values.map((value) => Math.round(value)).join(" ")})`;
    const [long, short] = opened;
    print(
      `opened from the list, the last message is there after ${summary(long!.inside)} (aim 300 ms)`,
    );
    print(`opened by its address ${summary(long!.byAddress)} after the page's first code is there`);
    print(`a project of one turn: ${summary(short!.inside)}, ${summary(short!.byAddress)}`);
  } finally {
    await browser.close();
    // Otherwise the data folder would be deleted with it.
    await treadle.kill("SIGTERM");
  }

  // Last, because the appended events belong to no turn.
  const followed = await openStore({ directory: data });
  const { delays, received } = await fanOut(followed, PROJECT, {
    readers: 50,
    perSecond: 1_000,
    seconds: 5,
  });
  await followed.close();
  const late = (part: number) => ms(delays[Math.floor(delays.length * part)]!);
  print(
    `1,000 events a second to 50 readers: ${received} told, median ${late(0.5)}, 99% ${late(0.99)} after they were appended (aim 50 ms)`,
  );
} finally {
  rmSync(data, { recursive: true, force: true });
}
