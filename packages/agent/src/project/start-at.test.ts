import { execFileSync } from "node:child_process";
import { expect, it } from "vitest";
import { startAt } from "./start-at.ts";

const run = (command: string) => execFileSync("bash", ["-c", command], { encoding: "utf8" }).trim();
const YEAR = `"${process.execPath}" -e 'console.log(new Date().getFullYear(), new Date(0).getUTCFullYear())'`;

it("programs in Node take it to be that time, in each part of a command", () => {
  const printed = run(startAt(`${YEAR} && ${YEAR}`, new Date("2031-03-01T12:00")));
  expect(printed.split("\n")).toEqual(["2031 1970", "2031 1970"]);
});

it("without a time a command stays unchanged", () => {
  expect(startAt("npm run dev", undefined)).toBe("npm run dev");
});
