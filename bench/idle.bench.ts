/**
 * How long a sleeping project takes to wake up: from the first request for its preview to the first
 * 200, compared with the same dev server started by hand with everything installed. A sleeping
 * project has no process.
 */
import { execFileSync, spawn } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { get } from "node:http";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { ProjectDetail } from "@treadle/protocol";
import { descendants } from "../e2e/support/processes.ts";
import {
  bareEnvironment,
  cache,
  startTreadle,
  type RunningTreadle,
} from "../e2e/support/treadle.ts";

const ROUNDS = 7;
/** A project sleeps after being unused for 1.2 s here. */
const IDLE_MINUTES = "0.02";

const print = (line: string) => process.stdout.write(`${line}\n`);
const median = (values: number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
const show = (values: number[]) => values.map((value) => Math.round(value)).join(" ");

/** Status of one request to this machine with any host name. */
function status(port: number, host: string): Promise<number> {
  return new Promise((resolve) => {
    get(
      { host: "127.0.0.1", port, path: "/", agent: false, headers: { host, accept: "text/html" } },
      (response) => {
        response.resume();
        response.on("end", () => resolve(response.statusCode ?? 0));
        response.on("error", () => resolve(0));
      },
    ).on("error", () => resolve(0));
  });
}

async function untilAnswers(port: number, host: string): Promise<number> {
  const started = performance.now();
  while ((await status(port, host)) !== 200) await sleep(5);
  return performance.now() - started;
}

async function detail(treadle: RunningTreadle, project: string): Promise<ProjectDetail> {
  return (await (await treadle.api(`/api/projects/${project}`)).json()) as ProjectDetail;
}

async function untilAsleep(treadle: RunningTreadle, project: string): Promise<void> {
  while (!(await detail(treadle, project)).server?.asleep) await sleep(50);
}

async function byHand(source: string): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), "treadle-by-hand-"));
  const trees = join(cache, "trees");
  const tree = readdirSync(trees)
    .map((key) => join(trees, key, "node_modules"))
    .find((modules) => {
      const packages = readdirSync(modules);
      return packages.includes("react") && packages.includes("vite");
    })!;
  cpSync(source, folder, { recursive: true, filter: (path) => !path.includes("node_modules") });
  execFileSync("cp", ["-al", tree, join(folder, "node_modules")]);
  const port = 21_734;
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
    return await untilAnswers(port, `127.0.0.1:${port}`);
  } finally {
    process.kill(-child.pid!, "SIGKILL");
    rmSync(folder, { recursive: true, force: true });
  }
}

const treadle = await startTreadle({ env: { TREADLE_IDLE_MINUTES: IDLE_MINUTES } });
try {
  const made = await treadle.api("/api/projects", {
    method: "POST",
    body: JSON.stringify({ demo: "todo" }),
  });
  const { id } = (await made.json()) as { id: string };
  while ((await detail(treadle, id)).working || !(await detail(treadle, id)).server)
    await sleep(100);
  const { host } = new URL((await detail(treadle, id)).previewOrigin);
  const port = Number(new URL(treadle.origin).port);
  const ours: number[] = [];
  const theirs: number[] = [];
  let left: string[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    await untilAsleep(treadle, id);
    // Templates are prepared in separate sandboxes meanwhile, unless they were prepared before.
    const folder = join(treadle.data, "projects", id);
    left = descendants(treadle.pid)
      .map(({ words }) => words.join(" "))
      .filter((line) => line.includes(folder));
    ours.push(await untilAnswers(port, host));
    theirs.push(await byHand(join(treadle.data, "projects", id, "files")));
  }
  print(
    `asleep to the preview's first 200: median ${Math.round(median(ours))} ms (${show(ours)}), aim 1000`,
  );
  print(
    `the same started by hand:          median ${Math.round(median(theirs))} ms (${show(theirs)})`,
  );
  print(
    `ratio ${(median(ours) / median(theirs)).toFixed(2)}; processes while asleep: ${left.length}`,
  );
} finally {
  await treadle.stop();
}
