import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, it } from "vitest";
import { measureProcesses } from "./measure-processes.ts";

it("adds up what processes use, ignores missing ones, and returns undefined if none is left", async () => {
  const held = "const b = Buffer.alloc(64e6, 1); console.log(b.length); setInterval(() => b, 1e6)";
  const child = spawn(process.execPath, ["-e", held], { stdio: ["ignore", "pipe", "inherit"] });
  try {
    await once(child.stdout, "data");
    const one = measureProcesses([child.pid!])!;
    expect(one.memory).toBeGreaterThan(64e6);
    expect(one.processes).toBeGreaterThanOrEqual(1);
    const both = measureProcesses([child.pid!, process.pid, 2 ** 30])!;
    expect(both.memory).toBeGreaterThan(one.memory);
    expect(both.processes).toBeGreaterThan(one.processes);
  } finally {
    const gone = once(child, "exit");
    child.kill("SIGKILL");
    await gone;
  }
  expect(measureProcesses([])).toBeUndefined();
  expect(measureProcesses([child.pid!])).toBeUndefined();
});
