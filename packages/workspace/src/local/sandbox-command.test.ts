import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { LAUNCH_ENV, sandboxCommand, type Bind } from "./sandbox-command.ts";
import { sandboxUid } from "../host/sandbox-uid.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "treadle-command-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const inside = (script: string, binds: Bind[] = []) =>
  sandboxCommand({
    binds,
    directory: "/",
    env: {},
    uid: sandboxUid("command"),
    command: ["bash", "-c", script],
  });

it("A33 a descriptor that the server inherited does not reach inside", () => {
  const secret = join(folder, "secret");
  writeFileSync(secret, "an open file of the host");
  const { file, args } = inside("cat <&7; cat <&200; ls /proc/self/fd | tr '\\n' ' '");
  // Passes descriptors on without close-on-exec, as a service manager or shell may.
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

it("F24 binds paths with any name, and no others", () => {
  chmodSync(folder, 0o755);
  const binds = [
    "plain",
    "two words",
    "#hash",
    "back\\slash \\040",
    "tab\tline\nend",
    "ü'\"$(id)`id`",
  ].map((name, index): Bind => {
    const source = join(folder, name);
    mkdirSync(source);
    writeFileSync(join(source, "file"), `${index} `);
    return { source, target: `/bound/${index}` };
  });
  writeFileSync(join(folder, "a file"), "file");
  binds.push({ source: join(folder, "a file"), target: "/bound/file" });
  const { file, args } = inside("cat /bound/?/file /bound/file; touch /bound/0/x 2>&1", binds);
  let out = "";
  try {
    execFileSync(file, args, { encoding: "utf8", env: LAUNCH_ENV, cwd: "/" });
  } catch (error) {
    out = (error as { stdout: string }).stdout;
  }
  expect(out).toMatch(/^0 1 2 3 4 5 file.*Read-only file system/);
});
