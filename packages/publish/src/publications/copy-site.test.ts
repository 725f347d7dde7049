import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { toProjectPath } from "@treadle/protocol/project-path";
import { createDriver, type Workspace } from "@treadle/workspace";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { copySite } from "./copy-site.ts";

/** `café` in an encoding older than UTF-8. */
const CAFE = Buffer.from("caf\u00e9", "latin1");

let root: string;
let workspace: Workspace;
let site: string;
beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), "treadle-copy-site-"));
  const driver = await createDriver({
    cacheDirectory: join(root, "cache"),
    env: process.env,
    unsafeNoSandbox: true,
  });
  const [directory, stateDirectory] = [join(root, "files"), join(root, "state")];
  workspace = await driver.open({ project: "site", directory, stateDirectory });
});
afterAll(async () => {
  await workspace?.stop();
  rmSync(root, { recursive: true, force: true });
});
beforeEach(() => {
  site = join(root, "files/built-site");
  rmSync(site, { recursive: true, force: true });
  rmSync(join(root, "to"), { recursive: true, force: true });
  mkdirSync(join(site, "assets/deep"), { recursive: true });
  writeFileSync(join(site, "index.html"), "<h1>Shop</h1>");
});

const below = (folder: string, name: Buffer) =>
  Buffer.concat([Buffer.from(`${join(site, folder)}/`), name]);
const copied = () => copySite(workspace, toProjectPath("built-site"), join(root, "to"));

it.each([
  ["file", "assets/deep", "assets/deep", writeFileSync],
  ["file", "", ".", writeFileSync],
  [
    "folder",
    "assets",
    "assets",
    (path: Buffer) => {
      mkdirSync(path);
      writeFileSync(Buffer.concat([path, Buffer.from("/a.js")]), "1");
    },
  ],
])("a %s in “%s” whose name is not UTF-8 is told, and where", async (_, folder, where, put) => {
  put(below(folder, CAFE), "x");
  await expect(copied()).rejects.toMatchObject({
    sentence: {
      coded: { code: "site-name-malformed", values: { name: "caf\ufffd", folder: where } },
    },
  });
  expect(existsSync(join(root, "to"))).toBe(false);
});

it("copies a name that contains the replacement character itself, and files in such a folder", async () => {
  const name = "caf\ufffd";
  writeFileSync(join(site, name), "one");
  mkdirSync(join(site, "assets", name));
  writeFileSync(join(site, "assets", name, "a.js"), "two");
  await copied();
  expect(readFileSync(join(root, "to", name), "utf8")).toBe("one");
  expect(readFileSync(join(root, "to/assets", name, "a.js"), "utf8")).toBe("two");
});
