import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { sweepDrafts } from "./sweep-drafts.ts";

it("F7 removes a killed guest's drafts, and keeps those that are being written now", async () => {
  const root = mkdtempSync(join(tmpdir(), "treadle-sweep-"));
  const folders = ["src", "src/deep", "node_modules"];
  const places = ["", "src/", "src/deep/"].map((folder) => `${folder}.treadle-writing/.git`);
  for (const folder of [...folders, ...places]) mkdirSync(join(root, folder), { recursive: true });
  const old = [
    ".treadle-writing-a-1",
    "src/deep/.treadle-writing-a-2",
    ".treadle-writing/.git/0123456789abcdef-1",
    ".treadle-writing/.git/0123456789abcdef-2",
    "src/.treadle-writing/.git/0123456789abcdef-3",
  ];
  const remaining = [
    "src/.treadle-writing-b-1",
    "src/.treadle-writing/.git/fedcba9876543210-1",
    "src/app.ts",
    "node_modules/.treadle-writing-of-a-package",
    ".treadle",
  ];
  for (const name of [...old, ...remaining]) writeFileSync(join(root, name), "");
  for (const name of [
    ...old,
    "src/app.ts",
    "node_modules/.treadle-writing-of-a-package",
    ".treadle",
  ])
    utimesSync(join(root, name), 1, 1);
  await sweepDrafts(root, Date.now() - 60_000);
  const left = readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(root.length + 1));
  expect(left.toSorted()).toEqual(remaining.toSorted());
  // Empty folders are removed as well.
  expect(places.filter((place) => existsSync(join(root, place, "..")))).toEqual([places[1]]);
  rmSync(root, { recursive: true });
});
