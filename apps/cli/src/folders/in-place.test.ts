import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { folderInPlace } from "./in-place.ts";

let home: string;
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), "treadle-in-place-")));
  for (const name of ["work/app", ".treadle/projects"])
    mkdirSync(join(home, name), { recursive: true });
});
afterEach(() => rmSync(home, { recursive: true, force: true }));
const open = (path: string) => folderInPlace(path, join(home, ".treadle"), home);

it("accepts a folder, and resolves its real path", () => {
  expect(open(join(home, "work/app"))).toEqual({ directory: join(home, "work/app") });
  symlinkSync("work", join(home, "link"));
  expect(open(join(home, "link/app"))).toEqual({ directory: join(home, "work/app") });
});

it("rejects a missing path, a file, the whole disk, and a home or its parents", () => {
  writeFileSync(join(home, "work/a.txt"), "");
  const problems = ["work/none", "work/a.txt", ".", "..", "/"].map((path) =>
    open(path.startsWith("/") ? path : join(home, path)),
  );
  expect(problems.map((one) => ("wrong" in one ? one.wrong : ""))).toEqual([
    expect.stringContaining("does not exist"),
    expect.stringContaining("is not a folder"),
    expect.stringContaining("whole home folder"),
    expect.stringContaining("whole home folder"),
    expect.stringContaining("whole disk"),
  ]);
});

it("rejects Treadle's own data folder, anything inside, and links to it", () => {
  symlinkSync("../.treadle", join(home, "work/data"));
  for (const path of [".treadle", ".treadle/projects", "work/data"])
    expect(open(join(home, path))).toMatchObject({ wrong: expect.stringContaining("own data") });
  expect(folderInPlace(join(home, "work"), join(home, "work/app/.data"), "/nowhere")).toMatchObject(
    {
      wrong: expect.stringContaining("own data"),
    },
  );
});
