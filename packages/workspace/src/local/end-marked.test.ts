import { spawn, type ChildProcess } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { expect, it } from "vitest";
import { processesOfWorkspace, WORKSPACE_MARK } from "../guest/process-table.ts";
import { endMarked } from "./end-marked.ts";

/** Starts a shell command and waits for its first output. */
async function begin(command: string, mark: string): Promise<ChildProcess> {
  const env = { PATH: process.env["PATH"], [WORKSPACE_MARK]: mark };
  const child = spawn("sh", ["-c", command], { env, stdio: ["ignore", "pipe", "ignore"] });
  await once(child.stdout, "data");
  return child;
}

it("ends every process with the mark and what it started, and no other", async () => {
  const [own, other] = [randomUUID(), randomUUID()];
  const bystander = await begin("echo; exec sleep 1000", other);
  // Lives apart from its parent, has no mark of its own, and starts new ones as long as it lives.
  await begin("setsid sh -c 'sleep 1000 & env -i sleep 1000 & echo; wait' & wait", own);
  await begin("echo; while :; do sleep 1000 & sleep 0.01; done", own);
  expect(processesOfWorkspace(own).length).toBeGreaterThan(4);
  await endMarked(own);
  expect(processesOfWorkspace(own)).toEqual([]);
  expect(processesOfWorkspace(other)).toEqual([bystander.pid]);
  bystander.kill();
});
