import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { watchCountedRefusals } from "./counted-refusals.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "treadle-counted-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe("the kernel's refusals to a sandbox", () => {
  it.each([
    ["the second hierarchy", "memory.events", "pids.events"],
    ["the first", "memory/memory.oom_control", "pids/pids.events"],
  ])("reports %s each time its count rises", (_, memory, pids) => {
    for (const part of ["memory", "pids"]) mkdirSync(join(folder, part));
    const count = (ofMemory: number, ofPids: number) => {
      writeFileSync(join(folder, memory), `oom_kill_disable 0\noom_kill ${ofMemory}\n`);
      writeFileSync(join(folder, pids), `max ${ofPids}\n`);
    };
    count(2, 5);
    const reported: string[] = [];
    const look = watchCountedRefusals(folder, (limit) => reported.push(limit));
    look();
    expect(reported).toEqual([]);
    count(3, 5);
    look();
    look();
    expect(reported).toEqual(["memory"]);
    count(3, 900);
    look();
    expect(reported).toEqual(["memory", "processes"]);
  });

  it("reports nothing if nothing is counted", () => {
    const reported: string[] = [];
    watchCountedRefusals(join(folder, "none"), (limit) => reported.push(limit))();
    expect(reported).toEqual([]);
  });
});
