import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { readNpmSettings } from "../../egress/src/npmrc.ts";
import { watchForCrash } from "./guest-workspace/crashed-watcher.ts";

it("A78 a command crafted for slow pattern matching is watched like any other", () => {
  const long = `cd\t${"\t".repeat(100_000)}&&r${"cd\ttsx\0h".repeat(10_000)}cd\t\0&&dev`;
  const watch = watchForCrash(
    long,
    () => false,
    () => {},
  );
  for (let times = 0; times < 100; times++) watch.output("x");
  watch.end();
});

it("A78 npm settings crafted for slow pattern matching are parsed quickly", () => {
  const folder = mkdtempSync(join(tmpdir(), "treadle-npmrc-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "npmrc");
  const tabs = "\t".repeat(100_000);
  const lines = [`\0${tabs}=${tabs}#${tabs}\u2028=`, `a=${"${".repeat(100_000)}}`];
  const honest = ["; no", "# no", ' key = "a = b" ', "list[]=1", "list[]=2", "env=${NAMED}${NOT?}"];
  writeFileSync(file, [...lines, ...honest].join("\n"));
  const env = { npm_config_userconfig: file, PREFIX: folder, HOME: folder, NAMED: "named" };
  expect(readNpmSettings(env)).toMatchObject({ key: "a = b", list: "1\n2", env: "named" });
});
