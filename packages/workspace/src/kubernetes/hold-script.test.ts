import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { eventually } from "../contract/helpers.test-support.ts";
import { holdScript } from "./hold-script.ts";

const folder = mkdtempSync(join(tmpdir(), "treadle-hold-"));
const started: ChildProcess[] = [];
afterAll(() => {
  for (const child of started) child.kill("SIGKILL");
  rmSync(folder, { recursive: true, force: true });
});

/** The first process of a pod, and the program that it waits for. */
async function hold(name: string, program = "exec sleep 1000") {
  const fifo = join(folder, name);
  const first = spawn("bash", ["-c", holdScript(fifo)], { stdio: "ignore" });
  const held = spawn("bash", ["-c", program], { stdio: ["ignore", "pipe", "inherit"] });
  started.push(first, held);
  await eventually(() => existsSync(fifo));
  writeFileSync(fifo, `${held.pid}\n`);
  await eventually(() => !existsSync(fifo));
  return { first, held };
}

test("a pod ends when the program that the server executed is gone", async () => {
  const { first, held } = await hold("gone");
  expect(first.exitCode).toBe(null);
  held.kill("SIGKILL");
  expect(await once(first, "exit")).toEqual([0, null]);
});

test("a program that was stopped is continued, so that it notices the end of its server", async () => {
  const { held } = await hold("stopped", "trap 'echo on' CONT; while :; do sleep 0.1; done");
  await once(held.stdout, "data");
  held.kill("SIGSTOP");
  // It would print nothing any more.
  for (let times = 0; times < 2; times++) await once(held.stdout, "data");
});
