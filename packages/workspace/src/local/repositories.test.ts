import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { WorkspaceDriver } from "../types.ts";
import { ensureGuest } from "./built-guest.test-support.ts";
import { createLocalDriver } from "./driver.ts";

const folder = mkdtempSync(join(tmpdir(), "treadle-git-guard-"));
let driver: WorkspaceDriver;

beforeAll(async () => {
  await ensureGuest();
  driver = createLocalDriver({ cacheDirectory: join(folder, "cache"), env: process.env });
});
afterAll(async () => {
  await driver.close();
  rmSync(folder, { recursive: true, force: true });
});

const open = (name: string) => {
  const directory = join(folder, name);
  mkdirSync(directory, { recursive: true });
  const place = { project: name, directory, stateDirectory: join(folder, `${name}-state`) };
  return { directory, open: () => driver.open({ ...place, handBack: true }) };
};

describe("the person's own repository", () => {
  it("A23 cannot be given hooks or configuration from inside", async () => {
    const place = open("with");
    execFileSync("git", ["init", "-q", place.directory]);
    const workspace = await place.open();
    const attempts = await workspace.run(
      "echo 'touch out' > .git/hooks/post-checkout; git config core.fsmonitor 'touch out'; mv .git .old; rm -rf .git; ls -d .git",
    );
    expect(attempts.output).toContain("Read-only file system");
    for (const path of [".git/hooks/pre-commit", ".GIT/config", ".git"])
      await expect(workspace.files.write(path, "x")).rejects.toMatchObject({ code: "path" });
    await workspace.files.write("a.txt", "x");
    await expect(workspace.files.rename("a.txt", ".git/x")).rejects.toMatchObject({ code: "path" });
    await expect(workspace.files.remove(".git")).rejects.toMatchObject({ code: "path" });
    await workspace.stop();
    expect(existsSync(join(place.directory, ".git/hooks/post-checkout"))).toBe(false);
    const config = execFileSync("git", ["-C", place.directory, "config", "--list", "--local"]);
    expect(config.toString()).not.toContain("fsmonitor");
  });

  it("is not replaced by one that was made inside: that one is set aside when the folder is handed back", async () => {
    const place = open("without");
    const workspace = await place.open();
    await workspace.run("mkdir -p .git/hooks && echo 'touch out' > .git/hooks/post-checkout");
    await workspace.stop();
    expect(existsSync(join(place.directory, ".git"))).toBe(false);
    expect(existsSync(join(place.directory, ".git-made-in-sandbox/hooks/post-checkout"))).toBe(
      true,
    );
  });
});
