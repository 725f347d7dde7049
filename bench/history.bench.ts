/**
 * The cost of a project's history: a checkpoint of a step that changed three files (aim 30 ms with
 * 2,000 files, 80 ms with 20,000), restoring past ten of them (aim 150 ms), and the disk space left
 * after thinning. `BENCH_SIZES` sets the numbers of files, `BENCH_STEPS` the number of steps.
 */
import { readdirSync, rmSync, mkdtempSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { toProjectPath } from "@treadle/protocol/project-path";
import { createLocalDriver } from "@treadle/workspace";
import { cache } from "../e2e/support/treadle.ts";

const SIZES = (process.env.BENCH_SIZES ?? "2000,20000").split(",").map(Number);
const STEPS = Number(process.env.BENCH_STEPS) || 30;
/** Files per step, and bytes per file. */
const [FILES, BYTES] = [3, 6_000];
const PER_FOLDER = 40;
const BACK = 10;

const print = (line: string) => process.stdout.write(`${line}\n`);
const at = (values: number[], part: number) =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * part))]!;
const ms = (value: number) => `${value.toFixed(1)} ms`;
const megabytes = (bytes: number) => `${(bytes / 1024 / 1024).toFixed(1)} MB`;

/** Bytes of all files below a folder. */
const sizeOf = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);

const scratch = mkdtempSync(join(tmpdir(), "treadle-bench-"));
const driver = createLocalDriver({ cacheDirectory: cache, env: process.env });
try {
  for (const size of SIZES) {
    const folder = join(scratch, String(size));
    const stateDirectory = join(folder, "state");
    const workspace = await driver.open({
      project: `bench-${process.pid}-${size}`,
      directory: join(folder, "files"),
      stateDirectory,
    });
    const path = (n: number) => `src/area${Math.floor(n / PER_FOLDER)}/file${n % PER_FOLDER}.ts`;
    await workspace.run(
      `node -e 'const fs=require("fs");for(let n=0;n<${size};n++){const d="src/area"+Math.floor(n/${PER_FOLDER});fs.mkdirSync(d,{recursive:true});fs.writeFileSync(d+"/file"+n%${PER_FOLDER}+".ts",("export const n = "+n+";\\n").repeat(50))}'`,
    );
    let began = performance.now();
    await workspace.checkpoint("first");
    const first = performance.now() - began;
    const storedTimes: number[] = [];
    const unchanged: number[] = [];
    const names: string[] = [];
    for (let step = 0; step < STEPS; step++) {
      for (let n = 0; n < FILES; n++)
        await workspace.files.write(
          toProjectPath(path((step * 7 + n * 411) % size)),
          `export const step = "${step} ${n}";\n`.repeat(BYTES / 30),
        );
      began = performance.now();
      const { checkpoint } = await workspace.checkpoint(`step ${step}`);
      storedTimes.push(performance.now() - began);
      names.push(checkpoint);
      began = performance.now();
      await workspace.checkpoint("again");
      unchanged.push(performance.now() - began);
    }
    const back: number[] = [];
    for (let step = STEPS - 1 - BACK; step >= 0; step -= BACK) {
      began = performance.now();
      await workspace.restore(names[step]!);
      back.push(performance.now() - began);
    }
    print(`-- ${size} files: the first checkpoint ${ms(first)}`);
    print(
      `step of ${FILES} files kept: median ${ms(at(storedTimes, 0.5))}, 90% ${ms(at(storedTimes, 0.9))}, best ${ms(Math.min(...storedTimes))} (aim ${size > 2_000 ? 80 : 30} ms); unchanged: ${ms(at(unchanged, 0.5))}`,
    );
    print(
      `back over ${BACK} steps: median ${ms(at(back, 0.5))}, best ${ms(Math.min(...back))} (aim 150 ms)`,
    );
    print(`kept on the disk: ${megabytes(sizeOf(join(stateDirectory, "checkpoints.git")))}`);
    await workspace.stop();
  }
} finally {
  await driver.close();
  rmSync(scratch, { recursive: true, force: true });
}
