/**
 * Importing a repository of 5,000 files (`BENCH_FILES`) over http, compared with git's own clone of
 * it in the same run: aim 3 s more. Both fetch alternately from one server on this machine; the
 * first round of each does not count.
 */
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { startGitServer } from "../e2e/support/git-server.ts";
import { startTreadle } from "../e2e/support/treadle.ts";

const FILES = Number(process.env.BENCH_FILES) || 5_000;
const ROUNDS = 5;
const AIM_MS = 3_000;
const PER_FOLDER = 40;
/** Lines of a typical source file of 6 KB. */
const LINES = 160;

const print = (line: string) => process.stdout.write(`${line}\n`);
const median = (values: number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
const seconds = (ms: number) => `${(ms / 1000).toFixed(2)} s`;

/** The duration of some work, in milliseconds. */
async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

const scratch = mkdtempSync(join(tmpdir(), "treadle-bench-"));
const server = await startGitServer();
const treadle = await startTreadle({});
const run = promisify(execFile);

async function imported(): Promise<void> {
  const response = await treadle.api("/api/import/git", {
    method: "POST",
    body: JSON.stringify({ url: server.url("many"), local: true }),
  });
  const lines = (await response.text()).trim().split("\n");
  const last = JSON.parse(lines.at(-1)!) as { id?: string; files?: number };
  if (last.files !== FILES) throw new Error(`not imported: ${lines.at(-1)}`);
  await treadle.api(`/api/projects/${last.id}`, { method: "DELETE" });
}

try {
  server.create(
    "many",
    Object.fromEntries(
      Array.from({ length: FILES }, (_, n) => [
        `src/area${Math.floor(n / PER_FOLDER)}/file${n % PER_FOLDER}.ts`,
        Array.from({ length: LINES }, (__, line) => `export const n${line} = ${n * line};\n`).join(
          "",
        ),
      ]),
    ),
  );
  const times = { ours: [] as number[], theirs: [] as number[] };
  for (let round = 0; round <= ROUNDS; round++) {
    const theirs = await timed(() =>
      run("git", ["clone", "-q", server.url("many"), join(scratch, String(round))]),
    );
    const ours = await timed(imported);
    if (round === 0) continue;
    times.theirs.push(theirs);
    times.ours.push(ours);
    print(`  git clone ${seconds(theirs)}, import ${seconds(ours)}`);
  }
  const beyond = median(times.ours.map((ours, round) => ours - times.theirs[round]!));
  print(
    `${FILES} files come in ${seconds(beyond)} beyond git's own clone, median of ${ROUNDS} ` +
      `(aim ${seconds(AIM_MS)}; clone ${seconds(median(times.theirs))}, import ${seconds(median(times.ours))})`,
  );
} finally {
  await treadle.stop();
  await server.close();
  rmSync(scratch, { recursive: true, force: true });
}
