import { expect, it } from "vitest";
import { readManagerCommand } from "./manager-command.ts";
import { toolOf, type ManagerName } from "./managers.ts";

const read = (line: string) => {
  const [manager, ...args] = line.split(" ");
  return readManagerCommand(manager as ManagerName, args);
};

it("distinguishes an install from everything else, for each package manager", () => {
  for (const line of [
    "npm install",
    "npm i --no-audit --no-fund",
    "npm i --loglevel=error",
    "pnpm i",
    "pnpm install --no-frozen-lockfile",
    "yarn",
    "yarn install --non-interactive",
    "bun install",
    "bun i",
  ])
    expect(read(line), line).toEqual({ kind: "install", frozen: false });
  for (const line of [
    "npm ci",
    "npm clean-install --no-audit",
    "pnpm i --frozen-lockfile",
    "yarn --frozen-lockfile",
    "yarn install --immutable",
    "bun install --frozen-lockfile",
    "bun ci",
  ])
    expect(read(line), line).toEqual({ kind: "install", frozen: true });
});

it("treats names as additions, and an unknown option as a change", () => {
  expect(read("npm i zod react@19")).toEqual({
    kind: "add",
    names: ["zod", "react@19"],
    dev: false,
  });
  expect(read("npm install -D vitest")).toEqual({ kind: "add", names: ["vitest"], dev: true });
  expect(read("pnpm add zod")).toEqual({ kind: "add", names: ["zod"], dev: false });
  expect(read("yarn remove zod")).toEqual({ kind: "remove", names: ["zod"] });
  for (const line of [
    "npm i --omit=dev",
    "npm install --global zod",
    "npm i --prefix x",
    "pnpm install --prod",
    "npm update",
    "npm audit fix",
    "bun update",
  ])
    expect(read(line), line).toEqual({ kind: "change" });
});

it("recognises scripts by name, in each manager's own syntax", () => {
  expect(read("npm run dev")).toEqual({ kind: "script", name: "dev", rest: [] });
  expect(read("npm run dev -- --port 3")).toEqual({
    kind: "script",
    name: "dev",
    rest: ["--port", "3"],
  });
  expect(read("npm t")).toEqual({ kind: "script", name: "test", rest: [] });
  expect(read("pnpm dev --port 3")).toEqual({ kind: "script", name: "dev", rest: ["--port", "3"] });
  expect(read("yarn build")).toEqual({ kind: "script", name: "build", rest: [] });
  expect(read("bun run build")).toEqual({ kind: "script", name: "build", rest: [] });
  for (const line of [
    "npm run dev --port 3",
    "npm dev",
    "npm --version",
    "npm run",
    "bun test",
    "bun build x.ts",
    "pnpm exec vite",
    "yarn dlx x",
  ])
    expect(read(line), line).toEqual({ kind: "other" });
});

it("accepts only an exact version of a package manager", () => {
  expect(toolOf("pnpm", "9.1.0+sha512.abc")).toMatchObject({ package: "pnpm", version: "9.1.0" });
  expect(toolOf("yarn", "4.1.0")).toMatchObject({ package: "@yarnpkg/cli-dist", version: "4.1.0" });
  for (const wished of ["../../x", "latest", "", "9", "1.0.0 --global", undefined])
    expect(toolOf("pnpm", wished).version).toBe(toolOf("pnpm", undefined).version);
});
