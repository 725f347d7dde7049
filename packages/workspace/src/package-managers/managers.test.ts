import { expect, it } from "vitest";
import { MANAGER_FILES, managerOf } from "./managers.ts";

it.each([
  ["pnpm@9.1.0", ["package-lock.json"], { manager: "pnpm", version: "9.1.0" }],
  ["npm", ["yarn.lock"], { manager: "npm", version: undefined }],
  ["constructor@1", ["yarn.lock"], { manager: "yarn" }],
  [7, [], undefined],
  [undefined, ["package.json"], undefined],
  [undefined, ["package-lock.json"], { manager: "npm" }],
  [undefined, ["package-lock.json", "pnpm-lock.yaml"], { manager: "npm" }],
  [undefined, ["npm-shrinkwrap.json", "bun.lockb"], { manager: "npm" }],
  [undefined, ["bun.lockb", "src"], { manager: "bun" }],
  [undefined, ["pnpm-workspace.yaml"], { manager: "pnpm" }],
  [undefined, ["pnpm-workspace.yaml", "yarn.lock"], { manager: "pnpm" }],
])("packageManager %j with files %j means %j", (named, files, found) => {
  expect(managerOf(named, files)).toEqual(found);
  expect(
    files.filter((name) => MANAGER_FILES.includes(name) || ["package.json", "src"].includes(name)),
  ).toEqual(files);
});
