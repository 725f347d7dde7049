/**
 * Kills and pauses the owner of a project in the middle of a run, again and again, over two servers on one PostgreSQL:
 * `node packages/server/soak/servers.ts [MINUTES] [TIMES]`. Needs a build and Debian's PostgreSQL. Ends after `TIMES`
 * (50) or when the time is over, and prints what was lost, doubled or written after another server had taken over.
 */
import { setTimeout as delay } from "node:timers/promises";
import { problemsOf, startServers, textsOf } from "../src/runtime/several-servers.test-support.ts";

const minutes = Number(process.argv[2] ?? 10);
const times = Number(process.argv[3] ?? 50);
const end = performance.now() + minutes * 60_000;
const LEASE_MS = 6_000;
/** How often the log is read while something is awaited, in milliseconds. */
const LOOK_MS = 50;

const servers = await startServers({ leaseMs: LEASE_MS });
const rescuer = await servers.start();
let rounds = 0;
let failed = 0;

async function until(is: () => Promise<boolean>): Promise<void> {
  while (!(await is())) await delay(LOOK_MS);
}

async function round(kind: "SIGKILL" | "SIGSTOP"): Promise<string[]> {
  const owner = await servers.start();
  const { body } = await servers.send(owner, "/api/projects", { prompt: "write" });
  const { id } = body as { id: string };
  const ends = async () => (await servers.log(id)).filter(({ event }) => event.type === "run-end");
  const pieces = 5 + Math.floor(Math.random() * 60);
  await until(async () => (await servers.log(id)).length > pieces);
  owner.process.kill(kind);
  await until(async () => (await ends()).length > 0);
  const before = await servers.log(id);
  if (kind === "SIGSTOP") {
    await delay(2 * LEASE_MS);
    owner.process.kill("SIGCONT");
  }
  const to = kind === "SIGSTOP" ? owner : rescuer;
  await servers.sendUntilAnswered(to, `/api/projects/${id}/messages`, { text: "write 3" });
  await until(async () => (await ends()).length > 1);
  const after = await servers.log(id);
  owner.process.kill("SIGKILL");
  const [[run, text] = ["", ""]] = textsOf(before);
  const problems = problemsOf(after);
  if (textsOf(after).get(run) !== text) problems.push("the former owner wrote");
  return problems;
}

for (; rounds < times && performance.now() < end; rounds++) {
  const kind = rounds % 2 === 0 ? "SIGKILL" : "SIGSTOP";
  const problems = await round(kind);
  if (problems.length === 0) continue;
  failed++;
  console.log(kind, problems.join("\n"));
}
await servers.close();
console.log(`${rounds} owners killed or paused in a run, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
