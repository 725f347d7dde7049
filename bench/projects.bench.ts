/**
 * Many concurrent projects: each with its sandbox and a running dev server of the React template,
 * and one more than the machine's limit. `TREADLE_BENCH_PROJECTS` (default 50) sets their number.
 */
import { toProjectPath } from "@treadle/protocol/project-path";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { freemem, tmpdir } from "node:os";
import { join } from "node:path";
import { createLocalDriver, readTemplate, type Workspace } from "@treadle/workspace";
import { descendants } from "../e2e/support/processes.ts";
import { cache } from "../e2e/support/treadle.ts";
import { loadPageGraph } from "./support/page-graph.ts";

const PROJECTS = Number(process.env.TREADLE_BENCH_PROJECTS) || 50;
const MB = 1024 * 1024;
const print = (line: string) => process.stdout.write(`${line}\n`);
const median = (values: number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;

const scratch = mkdtempSync(join(tmpdir(), "treadle-bench-"));
const driver = createLocalDriver({
  cacheDirectory: cache,
  env: { ...process.env, TREADLE_WORKSPACES: String(PROJECTS) },
});
const files = readTemplate("react");
const open = (name: string) =>
  driver.open({
    project: `bench-${process.pid}-${name}`,
    directory: join(scratch, name, "files"),
    stateDirectory: join(scratch, name, "state"),
  });

/** Sum of the processes' proportional set sizes, in bytes. */
function memoryOf(pids: number[]): number {
  let kilobytes = 0;
  for (const pid of pids)
    try {
      const text = readFileSync(`/proc/${pid}/smaps_rollup`, "utf8");
      kilobytes += Number(/^Pss:\s+(\d+)/m.exec(text)?.[1] ?? 0);
    } catch {
      // It has ended, or its memory must not be read.
    }
  return kilobytes * 1024;
}

const answer = async (workspace: Workspace) => {
  const began = performance.now();
  await loadPageGraph(() => workspace.connect(workspace.server!.ports[0]!));
  return performance.now() - began;
};

try {
  const all: Workspace[] = [];
  const began = performance.now();
  for (let n = 1; n <= PROJECTS; n++) {
    const workspace = await open(String(n));
    for (const { path, content } of files)
      await workspace.files.write(toProjectPath(path), content);
    const exit = await workspace.run("npm install");
    if (exit.kind !== "exited" || exit.code !== 0) throw new Error(exit.output);
    const { state, tail } = await workspace.start("npm run dev");
    if (state !== "up") throw new Error(`project ${n}: ${state}: ${tail}`);
    all.push(workspace);
  }
  print(
    `${PROJECTS} projects with running dev servers, one after the other: ${Math.round((performance.now() - began) / 1000)} s`,
  );
  const pages: number[] = [];
  for (const workspace of all) pages.push(await answer(workspace));
  const inside = descendants(process.pid);
  const guests = inside.filter(({ words }) => words.some((word) => word.endsWith("guest.mjs")));
  print(`every one serves its page with all modules: median ${Math.round(median(pages))} ms`);
  print(
    `${inside.length} processes; ${Math.round(memoryOf(inside.map(({ pid }) => pid)) / MB)} MB of PSS, of it the guests ${Math.round(memoryOf(guests.map(({ pid }) => pid)) / MB)} MB; ${Math.round(freemem() / MB)} MB of the machine free`,
  );
  const refused = await open("one-more").then(
    () => "it was opened",
    (error: Error) => error.message,
  );
  print(`one more: ${refused}`);
  await all[0]!.stop();
  const instead = await open("one-more");
  print(`one more, after another was closed: ${(await instead.run("echo it runs")).output.trim()}`);
} finally {
  await driver.close();
  print(`left when all are stopped: ${descendants(process.pid).length} processes`);
  rmSync(scratch, { recursive: true, force: true });
}
