import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { createGitSandbox } from "./git-sandbox.ts";
import { LAUNCH_ENV } from "./sandbox-command.ts";
import { sandboxUid } from "../host/sandbox-uid.ts";

const folder = mkdtempSync(join(tmpdir(), "treadle-git-sandbox-"));
const launch: { PATH: string; HOME?: string } = LAUNCH_ENV;
afterEach(() => {
  delete launch.HOME;
  rmSync(folder, { recursive: true, force: true });
});

test("runs nothing of the person's shell configuration, and returns only git's output", async () => {
  chmodSync(folder, 0o755);
  const [directory, gitDirectory] = [join(folder, "files"), join(folder, "git")];
  for (const name of [directory, gitDirectory]) mkdirSync(name);
  // Bash reads this file if its input is a socket, which it takes for a remote login.
  writeFileSync(join(folder, ".bashrc"), `touch ${join(folder, "ran")}; echo heard >&2`);
  launch.HOME = folder;
  const run = createGitSandbox({ directory, gitDirectory, uid: sandboxUid("git"), plain: false });
  expect(await run("git --version; cat >&2", "given")).toMatchObject({
    code: 0,
    complaint: "given",
  });
  expect(existsSync(join(folder, "ran"))).toBe(false);
});
