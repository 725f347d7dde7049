import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

it("continues to its end without a stack trace when its output is closed", async () => {
  const main = fileURLToPath(new URL("../main.ts", import.meta.url));
  const child = spawn(process.execPath, [
    "--conditions=treadle-source",
    main,
    "parse",
    "--dialect",
    "artifact",
  ]);
  let output = "";
  child.stderr.on("data", (chunk: Buffer) => (output += chunk.toString()));
  child.stdin.write("Hello");
  await once(child.stdout, "data");
  child.stdout.destroy();
  await once(child.stdout, "close");
  for (let line = 0; line < 1_000; line++) child.stdin.write(`line ${line}\n`);
  child.stdin.end();
  const [code] = (await once(child, "close")) as [number];
  expect(output).toBe("");
  expect(code).toBe(0);
});
