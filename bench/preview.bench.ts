/**
 * Time from the model's last token to the preview's first rendered content, for the React template
 * with its dependencies prepared; compared, in the same run, with the same project started by hand
 * outside the sandbox with everything installed.
 */
import { execFileSync, spawn } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { LogEntry } from "@treadle/protocol";
import { createScriptedModel, listDemos, loadScript } from "@treadle/scripted-model";
import type { Browser, Frame, Page } from "playwright-core";
import { startBrowser } from "../e2e/support/browser.ts";
import {
  bareEnvironment,
  cache,
  startTreadle,
  type RunningTreadle,
} from "../e2e/support/treadle.ts";

const ROUNDS = 5;

/** When the page first showed something, in milliseconds since 1970. */
async function firstContent(page: Page | Frame): Promise<number> {
  return page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const report = () => {
          const [paint] = performance.getEntriesByName("first-contentful-paint");
          if (paint) resolve(performance.timeOrigin + paint.startTime);
          return paint !== undefined;
        };
        if (!report())
          new PerformanceObserver(() => report()).observe({ type: "paint", buffered: true });
      }),
  );
}

async function events(treadle: RunningTreadle, project: string): Promise<LogEntry[]> {
  const abort = new AbortController();
  const response = await treadle.api(`/api/projects/${project}/events`, { signal: abort.signal });
  let text = "";
  const entries: LogEntry[] = [];
  for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    const parts = text.split("\n\n");
    text = parts.pop()!;
    for (const part of parts) {
      const data = /^data: ?(.*)$/m.exec(part)?.[1];
      if (data) entries.push(...(JSON.parse(data) as LogEntry[]));
    }
    if (entries.some(({ event }) => event.type === "run-end")) break;
  }
  abort.abort();
  return entries;
}

async function inTreadle(
  treadle: RunningTreadle,
  browser: Browser,
): Promise<{ ms: number; project: string }> {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await page.goto(treadle.address);
  const field = page.getByRole("textbox", { name: "What shall we build?" });
  await field.fill("Build a todo app");
  await field.press("Enter");
  await page.waitForURL(/\/p\//);
  const project = /\/p\/([^/?#]+)/.exec(page.url())![1]!;
  const seen = await page
    .locator('iframe[title="Preview of the app"]')
    .elementHandle({ timeout: 60_000 });
  let frame = await seen!.contentFrame();
  await frame!.getByRole("textbox", { name: "What needs doing?" }).waitFor();
  frame = await seen!.contentFrame();
  const painted = await firstContent(frame!);
  const log = await events(treadle, project);
  const start = log.find(
    ({ event }) => event.type === "call-open" && event.tool === "start_server",
  )!;
  const call = (start.event as { call: string }).call;
  const last = log.find(({ event }) => event.type === "call-input" && event.call === call)!;
  await page.close();
  return { ms: painted - last.at, project };
}

/**
 * Waits until something answers, or, with `expected` false, until nothing does any more; a minute
 * at most. Listening is not enough: Vite briefly opens a port to see whether it is free.
 */
async function answersAt(port: number, expected = true): Promise<void> {
  for (const until = Date.now() + 60_000; Date.now() < until;) {
    const answers = await fetch(`http://127.0.0.1:${port}/`).then(
      async (response) => (await response.arrayBuffer(), true),
      () => false,
    );
    if (answers === expected) return;
    await sleep(5);
  }
  throw new Error(`port ${port} ${expected ? "is not answered at" : "does not become free"}`);
}

async function byHand(source: string, modules: string, browser: Browser): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), "treadle-by-hand-"));
  cpSync(source, folder, { recursive: true, filter: (path) => !path.includes("node_modules") });
  execFileSync("cp", ["-al", modules, join(folder, "node_modules")]);
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  const port = 21_733;
  const started = Date.now();
  const child = spawn(
    "npm",
    ["run", "dev", "--", "--port", String(port), "--strictPort", "--host", "127.0.0.1"],
    {
      cwd: folder,
      env: { ...bareEnvironment(), PATH: `${dirname(process.execPath)}:${process.env.PATH}` },
      stdio: "ignore",
      detached: true,
    },
  );
  try {
    await answersAt(port);
    await page.goto(`http://127.0.0.1:${port}/`);
    await page.getByRole("textbox", { name: "What needs doing?" }).waitFor();
    return (await firstContent(page)) - started;
  } finally {
    process.kill(-child.pid!, "SIGKILL");
    // The next round must not find anything left from this one.
    await answersAt(port, false);
    await page.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

const median = (values: number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;

const todo = listDemos().find(({ id }) => id === "todo")!;
// Three to five times as fast as a fast hosted model; without a pace the answer would end before
// its first call.
const model = await createScriptedModel({
  script: loadScript(todo.directory),
  pace: { charactersPerSecond: 9_000, firstMs: 100 },
});
const treadle = await startTreadle({
  env: {
    OPENAI_BASE_URL: `${model.url}/v1`,
    OPENAI_API_KEY: "bench",
    TREADLE_MODEL: "openai-compatible:scripted",
  },
});
const browser = await startBrowser();
try {
  // The first round prepares what a user's machine has after its first minute.
  await inTreadle(treadle, browser);
  const ours: number[] = [];
  const theirs: number[] = [];
  const trees = join(cache, "trees");
  const tree = readdirSync(trees)
    .map((key) => join(trees, key))
    .find((folder) => {
      const packages = readdirSync(join(folder, "node_modules"));
      // Next.js includes React as well.
      return packages.includes("react") && packages.includes("vite");
    })!;
  for (let round = 0; round < ROUNDS; round++) {
    const { ms, project } = await inTreadle(treadle, browser);
    ours.push(ms);
    theirs.push(
      await byHand(
        join(treadle.data, "projects", project, "files"),
        join(tree, "node_modules"),
        browser,
      ),
    );
  }
  const show = (values: number[]) => values.map((value) => Math.round(value)).join(" ");
  console.log(
    `last token to first content, in Treadle: median ${Math.round(median(ours))} ms (${show(ours)})`,
  );
  console.log(
    `the same project started by hand:        median ${Math.round(median(theirs))} ms (${show(theirs)})`,
  );
  console.log(`ratio ${(median(ours) / median(theirs)).toFixed(2)}`);
} finally {
  await browser.close();
  await treadle.stop();
  await model.close();
}
