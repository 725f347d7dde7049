import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, it } from "vitest";
import { measureActivity } from "./process-activity.ts";

it("counts a process's activity, including that of exited children", async () => {
  const script =
    "head -c 300000 /dev/zero > /dev/null; for i in {1..60000}; do :; done; echo done; read";
  const child = spawn("bash", ["-c", script], { stdio: ["pipe", "pipe", "ignore"] });
  await once(child.stdout, "data");
  const { bytes, cpuMs } = measureActivity([child.pid!]);
  expect(bytes).toBeGreaterThan(300_000);
  expect(cpuMs).toBeGreaterThan(0);
  // The process waits for input, and does nothing meanwhile.
  expect(measureActivity([child.pid!])).toEqual({ bytes, cpuMs });
  child.stdin.end("\n");
  await once(child, "exit");
  expect(measureActivity([child.pid!])).toEqual({ bytes: 0, cpuMs: 0 });
});
