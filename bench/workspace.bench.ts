/**
 * What the sandbox and its guest cost: starting one, small durable writes, a long file both ways, a large tree, memory.
 * Beside each, in the same run, the same done by a plain process without a sandbox.
 * `TREADLE_BENCH_ROUNDS` (default 5) says how often.
 */
import { toProjectPath } from "@treadle/protocol/project-path";
import { execFileSync, spawn } from "node:child_process";
import {
  closeSync,
  createReadStream,
  fsyncSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  createLocalDriver,
  findInstallation,
  LAUNCH_ENV,
  sandboxCommand,
  sandboxUid,
  type Workspace,
} from "@treadle/workspace";
import { descendants } from "../e2e/support/processes.ts";
import { cache, startTreadle } from "../e2e/support/treadle.ts";

const ROUNDS = Number(process.env.TREADLE_BENCH_ROUNDS) || 5;
const STARTS = 4 * ROUNDS;
const WRITES = 2_000;
const LONG_MB = 200;
const FILES = 100_000;
const MB = 1024 * 1024;

const print = (line: string) => process.stdout.write(`${line}\n`);
const median = (values: number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
const best = (values: number[]) => Math.max(...values);
const times = async (count: number, act: () => Promise<number> | number) => {
  const all: number[] = [];
  for (let n = 0; n < count; n++) all.push(await act());
  return all;
};
const timed = async (act: () => unknown) => {
  const began = performance.now();
  await act();
  return performance.now() - began;
};
const ms = (value: number) => `${value.toFixed(value < 100 ? 1 : 0)} ms`;

const scratch = mkdtempSync(join(tmpdir(), "treadle-bench-"));
const driver = createLocalDriver({ cacheDirectory: cache, env: process.env });
let projects = 0;
const open = (): Promise<Workspace> => {
  const folder = join(scratch, `project-${++projects}`);
  return driver.open({
    project: `bench-${process.pid}-${projects}`,
    directory: join(folder, "files"),
    stateDirectory: join(folder, "state"),
  });
};

/** Proportional set size of the guest, bytes: what is shared with others is counted in parts. */
function guestMemory(pid = process.pid): number {
  const guest = descendants(pid).find(
    ({ words }) => words[0]?.endsWith("/node") && words.some((word) => word.endsWith("guest.mjs")),
  );
  if (!guest) throw new Error("there is no guest");
  const text = readFileSync(`/proc/${guest.pid}/smaps_rollup`, "utf8");
  return Number(/^Pss:\s+(\d+)/m.exec(text)![1]) * 1024;
}

/** The most that this process, or another one, has had in memory while something goes on, above what it had before. */
async function growth(pid: number, act: () => Promise<unknown>): Promise<number> {
  const resident = () =>
    Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))![1]) * 1024;
  const before = resident();
  let most = before;
  const timer = setInterval(() => (most = Math.max(most, resident())), 10);
  try {
    await act();
  } finally {
    clearInterval(timer);
  }
  return Math.max(0, Math.max(most, resident()) - before);
}

const run = (file: string, args: string[], env: Record<string, string>) =>
  timed(
    () =>
      new Promise<void>((resolve, reject) => {
        spawn(file, args, { env, cwd: "/", stdio: "ignore" })
          .once("error", reject)
          .once("exit", () => resolve());
      }),
  );

async function starts(): Promise<void> {
  print("-- start");
  const { node } = findInstallation();
  const empty = sandboxCommand({
    binds: [],
    directory: "/",
    env: {},
    uid: sandboxUid("bench"),
    command: ["true"],
  });
  const child: number[] = [];
  const sandbox: number[] = [];
  const plainNode: number[] = [];
  const opened: number[] = [];
  const command: number[] = [];
  for (let n = 0; n < STARTS; n++) {
    child.push(await run("true", [], LAUNCH_ENV));
    sandbox.push(await run(empty.file, empty.args, LAUNCH_ENV));
    plainNode.push(await run(node, ["-e", "0"], LAUNCH_ENV));
    const began = performance.now();
    const workspace = await open();
    opened.push(performance.now() - began);
    command.push(await timed(() => workspace.run("true")));
    await workspace.stop();
  }
  const ratio = (a: number[], b: number[]) => (median(a) / median(b)).toFixed(1);
  print(`plain child process, true:          ${ms(median(child))}`);
  print(
    `empty sandbox, true:                ${ms(median(sandbox))}, ${ratio(sandbox, child)} of the child`,
  );
  print(`plain child process, node -e 0:     ${ms(median(plainNode))}`);
  print(
    `project opened, sandbox with guest: ${ms(median(opened))}, ${ratio(opened, plainNode)} of plain node`,
  );
  print(
    `command true in an open project:    ${ms(median(command))}, ${ratio(command, child)} of the child`,
  );
}

const body = Buffer.alloc(1_000, "x");

/** The same that the guest does for each file, one after the other and with nothing around it. */
function plainWrites(folder: string): number {
  mkdirSync(folder, { recursive: true });
  const directory = openSync(folder, "r");
  const began = performance.now();
  for (let n = 0; n < WRITES; n++) {
    const fd = openSync(join(folder, `t${n}`), "wx");
    writeSync(fd, body);
    fsyncSync(fd);
    closeSync(fd);
    renameSync(join(folder, `t${n}`), join(folder, `f${n % 500}`));
    fsyncSync(directory);
  }
  const rate = (WRITES / (performance.now() - began)) * 1000;
  closeSync(directory);
  return rate;
}

async function writes(workspace: Workspace): Promise<void> {
  print("-- small durable writes a second (1 KB; file and folder synced), the best of all rounds");
  const at = async (once: number) => {
    let next = 0;
    const took = await timed(() =>
      Promise.all(
        Array.from({ length: once }, async () => {
          while (next < WRITES)
            await workspace.files.write(toProjectPath(`src/f${next++ % 500}.ts`), body);
        }),
      ),
    );
    return (WRITES / took) * 1000;
  };
  const plain = best(await times(ROUNDS, () => plainWrites(join(scratch, "plain"))));
  print(`plain process, one after the other: ${Math.round(plain)}`);
  for (const once of [1, 16, 128]) {
    const rate = best(await times(ROUNDS, () => at(once)));
    print(
      `guest, ${`${once} at once:`.padEnd(29)}${Math.round(rate)}, ${(rate / plain).toFixed(2)} of plain${once === 128 ? "; aim 2000" : ""}`,
    );
  }
  print(`memory of the guest: ${(guestMemory() / MB).toFixed(0)} MB of PSS, aim 70`);
}

function* longFile(): Generator<Uint8Array> {
  const piece = Buffer.alloc(MB, 7);
  for (let n = 0; n < LONG_MB; n++) yield piece;
}

async function longFiles(workspace: Workspace): Promise<void> {
  print(`-- a file of ${LONG_MB} MB`);
  const source = join(scratch, "long");
  const plain = await timed(() => {
    const fd = openSync(source, "w");
    for (const piece of longFile()) writeSync(fd, piece);
    fsyncSync(fd);
    closeSync(fd);
  });
  const plainRead = await timed(async () => {
    for await (const _ of createReadStream(source, { highWaterMark: MB }));
  });
  let took = 0;
  const inGrowth = await growth(process.pid, async () => {
    took = await timed(() => workspace.files.writeStream(toProjectPath("long.bin"), longFile()));
  });
  print(
    `written through the guest: ${ms(took)}, ${(took / plain).toFixed(1)} of plain; this process grew by ${(inGrowth / MB).toFixed(0)} MB`,
  );
  const outGrowth = await growth(process.pid, async () => {
    took = await timed(async () => {
      const { pieces } = await workspace.files.readStream(toProjectPath("long.bin"));
      for await (const _ of pieces);
    });
  });
  print(
    `read through the guest:    ${ms(took)}, ${(took / plainRead).toFixed(1)} of plain; this process grew by ${(outGrowth / MB).toFixed(0)} MB`,
  );
  print(`memory of the guest:       ${(guestMemory() / MB).toFixed(0)} MB of PSS, aim 70`);
  await workspace.files.remove(toProjectPath("long.bin"));
}

async function longFilesOverHttp(): Promise<void> {
  const treadle = await startTreadle({ env: { TREADLE_PREPARE: "none" } });
  try {
    const made = await treadle.api("/api/projects", { method: "POST", body: "{}" });
    const { id } = (await made.json()) as { id: string };
    const address = `/api/projects/${id}/files/long.bin`;
    await treadle.api(`/api/projects/${id}/files`);
    const pieces = longFile();
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        const { done, value } = pieces.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
    });
    let took = 0;
    let status = 0;
    const inGrowth = await growth(treadle.pid, async () => {
      took = await timed(async () => {
        const headers = { "content-type": "application/octet-stream", "if-none-match": "*" };
        const init = { method: "PUT", body, duplex: "half", headers };
        const response = await treadle.api(address, init as RequestInit);
        status = response.status;
        await response.text();
      });
    });
    print(
      `uploaded by HTTP:          ${ms(took)}, status ${status}; the server grew by ${(inGrowth / MB).toFixed(0)} MB`,
    );
    let size = 0;
    const outGrowth = await growth(treadle.pid, async () => {
      took = await timed(async () => {
        const response = await treadle.api(`${address}?raw`);
        for await (const piece of response.body ?? []) size += piece.length;
      });
    });
    print(
      `downloaded by HTTP:        ${ms(took)}, ${size / MB} MB; the server grew by ${(outGrowth / MB).toFixed(0)} MB`,
    );
  } finally {
    await treadle.stop();
  }
}

async function largeTree(): Promise<void> {
  print(`-- a tree of ${FILES} files, and as many in node_modules`);
  const workspace = await open();
  const folder = join(scratch, `project-${projects}`, "files");
  const fill = `const fs=require("fs");for(const t of ["src","node_modules"])for(let d=0;d<1000;d++){fs.mkdirSync(t+"/d"+d,{recursive:true});for(let f=0;f<${FILES / 1000};f++)fs.writeFileSync(t+"/d"+d+"/f"+f,"")}`;
  await workspace.run(`node -e '${fill}'`);
  // By then the watcher has seen all of it.
  await workspace.files.write(toProjectPath("last"), "x");
  let listed = 0;
  const taken = await times(ROUNDS, () =>
    timed(async () => {
      listed = (await workspace.files.list({ limit: 2 * FILES })).files.length;
    }),
  );
  const plain = await times(ROUNDS, () =>
    timed(() =>
      execFileSync(
        "find",
        [folder, "-name", "node_modules", "-prune", "-o", "-printf", "%s %p\n"],
        { maxBuffer: 1e9 },
      ),
    ),
  );
  print(
    `listed ${listed}: median ${ms(median(taken))}, best ${ms(Math.min(...taken))}, aim 1000; find with sizes: ${ms(median(plain))}`,
  );
  await workspace.stop();
}

try {
  await starts();
  const workspace = await open();
  await workspace.run("true");
  print(`memory of an idle guest: ${(guestMemory() / MB).toFixed(0)} MB of PSS, aim 70`);
  await writes(workspace);
  await longFiles(workspace);
  await workspace.stop();
  await longFilesOverHttp();
  await largeTree();
} finally {
  await driver.close();
  if (statSync(scratch, { throwIfNoEntry: false }))
    rmSync(scratch, { recursive: true, force: true });
}
