/**
 * Run `node scripts/run24.mjs apps/web/catalogues/write-values.ts` after changing placeholders in the English catalogue.
 */
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { valueTypes, type Catalogue } from "./compile.ts";

const words = join(import.meta.dirname, "../src/words");
const english = readdirSync(join(words, "en"))
  .filter((name) => name.endsWith(".json"))
  .toSorted()
  .map((name) => {
    const content = JSON.parse(readFileSync(join(words, "en", name), "utf8")) as Catalogue;
    return [name.slice(0, -".json".length), content] as const;
  });
const target = join(words, "message-values.ts");
writeFileSync(target, valueTypes(Object.fromEntries(english)));
const formatter = join(import.meta.dirname, "../../../node_modules/oxfmt/bin/oxfmt");
process.exitCode = spawnSync(process.execPath, [formatter, target]).status ?? 1;
