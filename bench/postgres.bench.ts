/**
 * The PostgreSQL that Treadle starts for apps: time from a connection to the first answer (the
 * first one ever, on a sleeping server, on a running one), memory and disk use, and the cost of 20
 * sleeping projects that used it.
 */
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execFileSync } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { createLocalDriver } from "@treadle/workspace";
import { connectTo } from "../packages/workspace/src/testing/postgres.test-support.ts";
import { openOwnPostgres } from "@treadle/app-database";
import { cache } from "../e2e/support/treadle.ts";

const ROUNDS = 5;
const SLEEPERS = 20;
const MB = 1024 * 1024;
const print = (line: string) => process.stdout.write(`${line}\n`);
const median = (values: number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;

const data = mkdtempSync(join(tmpdir(), "treadle-bench-postgres-"));
const driver = createLocalDriver({ cacheDirectory: cache, env: process.env });
// It sleeps soon after the last connection, so that starts can be measured one after the other.
const apps = openOwnPostgres(
  { servePostgres: (options) => driver.servePostgres!({ ...options, idleMs: 200 }) },
  data,
  print,
)!;

/**
 * Makes one connection like a project's app, at the port inside the sandbox, with one query.
 * @returns milliseconds
 */
async function ask(project: string): Promise<number> {
  const door = createServer({ allowHalfOpen: true }, apps.take(project)).listen(0, "127.0.0.1");
  await once(door, "listening");
  const started = performance.now();
  const { port } = door.address() as AddressInfo;
  const client = await connectTo({ host: "127.0.0.1", port, user: "any", database: "any" });
  await client.query("SELECT 1");
  const ms = performance.now() - started;
  await client.end();
  door.close();
  return ms;
}

/** Number of processes that use the server's data. */
function processes(): number[] {
  const own = statSync(join(data, "postgres/server/main"));
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        const { dev, ino } = statSync(`/proc/${pid}/cwd`);
        return dev === own.dev && ino === own.ino;
      } catch {
        return false;
      }
    });
}

function memoryOf(pids: number[]): number {
  let kilobytes = 0;
  for (const pid of pids) {
    const text = readFileSync(`/proc/${pid}/smaps_rollup`, "utf8");
    kilobytes += Number(/^Pss:\s+(\d+)/m.exec(text)?.[1] ?? 0);
  }
  return kilobytes * 1024;
}

async function untilAsleep(): Promise<void> {
  while (processes().length > 0) await sleep(20);
}

try {
  print((await apps.probe()).detail);
  print(`first ever: ${Math.round(await ask("first"))} ms`);
  const asleep: number[] = [];
  const up: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    await untilAsleep();
    asleep.push(await ask("first"));
    up.push(await ask("first"));
  }
  print(
    `asleep: ${Math.round(median(asleep))} ms; up: ${Math.round(median(up))} ms (median of ${ROUNDS})`,
  );
  await untilAsleep();
  const copy = await apps.openCopy("first");
  await sleep(1_000);
  const pids = processes();
  print(`idle: ${(memoryOf(pids) / MB).toFixed(1)} MB (PSS) in ${pids.length} processes`);
  await copy.drop();
  const size = execFileSync("du", ["-sm", join(data, "postgres")], { encoding: "utf8" });
  print(`on disk: ${size.split("\t")[0]} MB with one database`);
  for (let number = 1; number <= SLEEPERS; number++) await ask(`sleeper${number}`);
  await untilAsleep();
  print(`${SLEEPERS} projects that used it, asleep: ${processes().length} processes`);
} finally {
  await apps.close();
  await driver.close();
  rmSync(data, { recursive: true, force: true });
}
