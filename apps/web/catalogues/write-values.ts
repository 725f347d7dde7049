/**
 * Run `node scripts/run24.mjs apps/web/catalogues/write-values.ts` after changing placeholders in the English catalogue, or
 * anything in its `sentences.json`.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { valueTypes, type Catalogue } from "./compile.ts";
import { englishSource, translatedSource, type Sentences } from "./english-source.ts";

const words = join(import.meta.dirname, "../src/words");
const english = readdirSync(join(words, "en"))
  .filter((name) => name.endsWith(".json"))
  .toSorted()
  .map((name) => {
    const content = JSON.parse(readFileSync(join(words, "en", name), "utf8")) as Catalogue;
    return [name.slice(0, -".json".length), content] as const;
  });
const catalogue = Object.fromEntries(english);
const { sentences, ...ofPage } = catalogue;
const types = join(words, "message-values.ts");
writeFileSync(types, valueTypes(ofPage));

// The server's sentences, one file for each group.
const folder = join(import.meta.dirname, "../../../packages/protocol/src/sentences/english");
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder);
for (const [group, messages] of Object.entries(sentences as Record<string, Sentences>))
  writeFileSync(join(folder, `${group}.ts`), englishSource(group.toUpperCase(), messages));

// What can go wrong before somebody is signed in is shown by the server, in each language.
const tags = { zh: "zh-CN", ja: "ja", pt: "pt-BR" };
const translated = Object.entries(tags).map(([name, tag]) => {
  const content = JSON.parse(readFileSync(join(words, name, "sentences.json"), "utf8")) as {
    accounts: Sentences;
  };
  return [tag, content.accounts] as const;
});
const problems = join(
  import.meta.dirname,
  "../../../packages/server/src/access/account-sentences.ts",
);
writeFileSync(problems, translatedSource("ACCOUNT_SENTENCES", Object.fromEntries(translated)));

const formatter = join(import.meta.dirname, "../../../node_modules/oxfmt/bin/oxfmt");
process.exitCode = spawnSync(process.execPath, [formatter, types, folder, problems]).status ?? 1;
