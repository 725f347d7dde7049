/**
 * Writes `src/scripts.ts`, which is not committed: the programs of `src/in-page`, each in one minified text. Whatever builds
 * the sources or runs them calls it before (`scripts/prepare.mjs`, `vitest.config.ts`). An unchanged file is not rewritten, so
 * that nothing is compiled again.
 */
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { rolldown } from "rolldown";

const SCRIPTS = { PRESS: "press", PROBE: "probe", TAB_PROBE: "tab-probe", WATCH: "watch" };

/** Bundles a program into one script. */
async function bundle(name: string): Promise<string> {
  const program = await rolldown({
    input: join(import.meta.dirname, "src/in-page", `${name}.ts`),
    platform: "browser",
  });
  const { output } = await program.generate({ format: "iife", minify: true });
  await program.close();
  return output[0].code.trim();
}

export async function generateScripts(): Promise<void> {
  const lines = ["/** Made by generate.ts from the programs in in-page. */"];
  for (const [name, entry] of Object.entries(SCRIPTS))
    lines.push(`export const ${name} = ${JSON.stringify(await bundle(entry))};`);
  const text = `${lines.join("\n")}\n`;
  const target = join(import.meta.dirname, "src/scripts.ts");
  if (existsSync(target) && readFileSync(target, "utf8") === text) return;
  // Another process may be reading it.
  const draft = `${target}.${process.pid}`;
  writeFileSync(draft, text);
  renameSync(draft, target);
}

if (import.meta.main) await generateScripts();
