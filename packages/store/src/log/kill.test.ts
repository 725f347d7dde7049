import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { project } from "../contract.test-support.ts";
import { openStore } from "../open-store.ts";

const directory = mkdtempSync(join(tmpdir(), "treadle-kill-"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));
const writer = fileURLToPath(new URL("./kill-writer.test-support.ts", import.meta.url));

/** Lets a child process write until it has reported `lines` durable entries, then kills it. */
async function killAfter(lines: number): Promise<number> {
  const child = spawn(process.execPath, ["--conditions=treadle-source", writer, directory, "a"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    output += chunk;
    if (output.split("\n").length > lines) child.kill("SIGKILL");
  });
  await new Promise((resolve) => child.once("close", resolve));
  return Number(output.trim().split("\n").at(-1));
}

describe("kill -9 while the log is written (F7)", () => {
  it("loses nothing that was reported durable, and leaves no gap", async () => {
    const setup = await openStore({ directory });
    await setup.projects.create(project("a"));
    await setup.close();
    for (const lines of [1, 4, 9]) {
      const durable = await killAfter(lines);
      const store = await openStore({ directory });
      const numbers = (await store.log.read("a", 0)).map(({ seq }) => seq);
      expect(numbers.length).toBeGreaterThanOrEqual(durable);
      expect(numbers).toEqual(numbers.map((_, index) => index + 1));
      await store.close();
    }
  });
});
