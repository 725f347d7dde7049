import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { noteOpenToAll } from "./open-to-all.ts";

let folder: string;
let state: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "treadle-open-"));
  state = mkdtempSync(join(tmpdir(), "treadle-state-"));
  mkdirSync(join(folder, "src"));
  for (const name of ["src/a.ts", "shared.txt"]) writeFileSync(join(folder, name), "x");
});
afterEach(() => {
  for (const made of [folder, state]) rmSync(made, { recursive: true, force: true });
});

const modes = (...names: string[]) =>
  names.map((name) => (lstatSync(join(folder, name)).mode & 0o777).toString(8));

it("A52 removes write access for everyone that was added meanwhile, of the folder itself too, and changes nothing else", async () => {
  chmodSync(join(folder, "shared.txt"), 0o666);
  chmodSync(join(folder, "src/a.ts"), 0o750);
  const noted = await noteOpenToAll(folder, state);
  for (const name of ["", "src", "src/a.ts"]) chmodSync(join(folder, name), 0o777);
  writeFileSync(join(folder, "src/new.ts"), "x");
  chmodSync(join(folder, "src/new.ts"), 0o666);
  await noted.close();
  expect(modes("", "src", "src/a.ts", "src/new.ts", "shared.txt")).toEqual([
    "775",
    "775",
    "775",
    "664",
    "666",
  ]);
});

it("uses the record from before a server was killed, and a new one after a close", async () => {
  await noteOpenToAll(folder, state);
  chmodSync(join(folder, "src/a.ts"), 0o666);
  await (await noteOpenToAll(folder, state)).close();
  expect(modes("src/a.ts")).toEqual(["664"]);
  chmodSync(join(folder, "src/a.ts"), 0o666);
  await (await noteOpenToAll(folder, state)).close();
  expect(modes("src/a.ts")).toEqual(["666"]);
});

it("follows no links", async () => {
  const outside = join(state, "outside");
  writeFileSync(outside, "x");
  chmodSync(outside, 0o666);
  const noted = await noteOpenToAll(folder, state);
  symlinkSync(outside, join(folder, "link"));
  symlinkSync(state, join(folder, "src/state"));
  await noted.close();
  expect((lstatSync(outside).mode & 0o777).toString(8)).toBe("666");
});
