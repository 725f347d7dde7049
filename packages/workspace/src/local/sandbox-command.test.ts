import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { LAUNCH_ENV, sandboxCommand, sandboxUid } from "./sandbox-command.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "treadle-command-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const inside = (script: string) =>
  sandboxCommand({
    binds: [],
    directory: "/",
    env: {},
    uid: sandboxUid("command"),
    command: ["bash", "-c", script],
  });

it("A33 a descriptor that the server inherited does not reach inside", () => {
  const secret = join(folder, "secret");
  writeFileSync(secret, "an open file of the host");
  const { file, args } = inside("cat <&7; cat <&200; ls /proc/self/fd | tr '\\n' ' '");
  // As a service manager or a shell hands descriptors on: without a mark that closes them.
  const open = `exec 7< "$0"; exec 200< "$0"; exec "$@"`;
  const out = execFileSync("bash", ["-c", `${open} 2>&1`, secret, file, ...args], {
    encoding: "utf8",
    env: LAUNCH_ENV,
    cwd: "/",
    stdio: ["ignore", "pipe", "ignore"],
  });
  expect(out).not.toContain("an open file");
  expect(out).toMatch(/0 1 2 3 $/);
});
