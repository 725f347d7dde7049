/**
 * A project of 500 turns: how large its log is on disk, what a turn adds, how long it takes until the page shows its last
 * message (aim 300 ms from the page's code being there), and until a program has read all of it; and how late 50 readers
 * are told of what is appended while it is (aim 50 ms for 99 of 100, of the store itself: 1,000 events a second).
 * `BENCH_TURNS` says how many turns.
 */
import { mkdirSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openStore } from "@treadle/store";
import { startBrowser } from "../e2e/support/browser.ts";
import { startTreadle } from "../e2e/support/treadle.ts";
import { fanOut } from "./log/fan-out.ts";
import { fill } from "./log/long-project.ts";

const TURNS = Number(process.env.BENCH_TURNS) || 500;
const ROUNDS = 5;
const PROJECT = "bench";
const say = (line: string) => process.stdout.write(`${line}\n`);
const median = (values: number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
const ms = (value: number) => `${value.toFixed(value < 10 ? 2 : 0)} ms`;
const megabytes = (bytes: number) => `${(bytes / 1024 / 1024).toFixed(1)} MB`;

const data = mkdtempSync(join(tmpdir(), "treadle-bench-"));
/** Its size when it is at rest: what the journal holds is in it by then. */
async function grown(from: number, to: number): Promise<{ size: number; compacting: number[] }> {
  const store = await openStore({ directory: data });
  if (from === 0) {
    const now = Date.now();
    const capability = "abcdefghijklmnopqrstuvwxyz";
    await store.projects.create({
      id: PROJECT,
      name: "Long",
      createdAt: now,
      updatedAt: now,
      capability,
    });
  }
  const compacting = await fill(store, PROJECT, to, from);
  await store.close();
  return { size: statSync(join(data, "treadle.sqlite")).size, compacting };
}

try {
  mkdirSync(join(data, "projects", PROJECT, "files"), { recursive: true });
  const half = await grown(0, TURNS / 2);
  const all = await grown(TURNS / 2, TURNS);
  say(
    `${TURNS} turns: ${megabytes(all.size)} of SQLite (aim 30 MB), of the first half ${megabytes(half.size)}`,
  );
  say(
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
    say(`all of it read by a program: ${ms(median(read))}, ${megabytes(bytes)}`);
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    await page.goto(treadle.address);
    const shown: number[] = [];
    for (let round = 0; round <= ROUNDS; round++) {
      await page.goto("about:blank");
      await page.goto(`${treadle.origin}/p/${PROJECT}`, { waitUntil: "commit" });
      await page
        .getByText(`Change ${TURNS}: make it better`)
        .first()
        .waitFor({ state: "attached" });
      // From the page's own code being there to the last message being drawn.
      const taken = await page.evaluate(() => {
        const scripts = performance.getEntriesByType("resource") as PerformanceResourceTiming[];
        const ready = Math.max(
          ...scripts
            .filter(({ initiatorType }) => initiatorType === "script")
            .map(({ responseEnd }) => responseEnd)
            .filter((end) => end < performance.now())
            .slice(0, 1),
        );
        return performance.now() - ready;
      });
      if (round > 0) shown.push(taken);
    }
    say(
      `the page shows the last message ${ms(median(shown))} after its code is there (aim 300 ms; ${shown.map((value) => Math.round(value)).join(" ")})`,
    );
  } finally {
    await browser.close();
    // It would take the data folder with it.
    await treadle.kill("SIGTERM");
  }

  // Last: what it appends belongs to no turn.
  const followed = await openStore({ directory: data });
  const { delays, told } = await fanOut(followed, PROJECT, {
    readers: 50,
    perSecond: 1_000,
    seconds: 5,
  });
  await followed.close();
  const late = (part: number) => ms(delays[Math.floor(delays.length * part)]!);
  say(
    `1,000 events a second to 50 readers: ${told} told, median ${late(0.5)}, 99% ${late(0.99)} after they were appended (aim 50 ms)`,
  );
} finally {
  rmSync(data, { recursive: true, force: true });
}
