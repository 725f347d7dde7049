import { toProjectPath } from "@treadle/protocol/project-path";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { WorkspaceDriver } from "../types.ts";
import { ensureGuest } from "../host/built-guest.test-support.ts";
import { createLocalDriver } from "./driver.ts";
import { LAUNCH_ENV } from "./sandbox-command.ts";

ensureGuest();

const paths = { launch: LAUNCH_ENV.PATH, own: process.env.PATH };
let folder: string;
let driver: WorkspaceDriver;

/** A PATH with every program of this machine except bubblewrap. */
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "treadle-no-bwrap-"));
  // The sandbox's user has to be able to reach its programs.
  chmodSync(folder, 0o755);
  const programs = join(folder, "bin");
  mkdirSync(programs);
  for (const from of ["/usr/bin", "/usr/sbin"])
    for (const name of readdirSync(from))
      if (name !== "bwrap" && !existsSync(join(programs, name)))
        symlinkSync(join(from, name), join(programs, name));
  LAUNCH_ENV.PATH = programs;
  process.env.PATH = programs;
  driver = createLocalDriver({ cacheDirectory: join(folder, "cache"), env: process.env });
});
afterEach(async () => {
  await driver.close();
  LAUNCH_ENV.PATH = paths.launch;
  process.env.PATH = paths.own;
  rmSync(folder, { recursive: true, force: true });
});

/** Tries every way to run a command; each would create `ran` if it ran on this machine. */
async function tryAll() {
  const ran = join(folder, "ran");
  const command = `touch ${ran}`;
  const opening = driver.open({
    project: `no-bwrap-${process.pid}`,
    directory: join(folder, "files"),
    stateDirectory: join(folder, "state"),
  });
  const messageOf = (work: Promise<unknown>) =>
    work.then(
      () => "it ran",
      (error: Error & { code?: string }) => `${error.code}: ${error.message}`,
    );
  const all = await Promise.all([
    messageOf(opening.then((workspace) => workspace.run(command))),
    messageOf(opening.then((workspace) => workspace.prove(command))),
    messageOf(opening.then((workspace) => workspace.start(command))),
    messageOf(opening.then((workspace) => workspace.terminal({ columns: 80, rows: 24 }))),
    messageOf(opening.then((workspace) => workspace.files.write(toProjectPath("a"), "x"))),
    messageOf(opening.then((workspace) => workspace.checkpoint("x"))),
  ]);
  return { all, ran: existsSync(ran) };
}

test("F27 without bubblewrap, reports how to install it, and runs nothing on this machine", async () => {
  const probe = await driver.probe();
  expect(probe.ok).toBe(false);
  expect(probe.checks.find(({ name }) => name === "bubblewrap")).toMatchObject({
    ok: false,
    detail: "not installed",
    mend: expect.stringContaining("install -y bubblewrap") as string,
  });
  const { all, ran } = await tryAll();
  for (const message of all) expect(message).toMatch(/^sandbox: .*(bwrap|bubblewrap)/);
  expect(ran).toBe(false);
});

test("F27 reports the error of a kernel that refuses a sandbox, and runs nothing on this machine", async () => {
  const words = "bwrap: No permissions to create new namespace";
  writeFileSync(join(folder, "bin/bwrap"), `#!/bin/sh\necho '${words}' >&2\nexit 1\n`, {
    mode: 0o755,
  });
  const { all, ran } = await tryAll();
  for (const message of all)
    expect(message).toMatch(/^sandbox: .*No permissions to create new namespace/);
  expect(ran).toBe(false);
});
