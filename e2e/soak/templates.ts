/**
 * Every template from its first file to `verified`, each in its own run: `node
 * e2e/soak/templates.ts [MINUTES] [NAME…]`. Each is played twice: the second time, the first has
 * prepared all dependencies. Needs a build and a registry.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { headingOf, runTemplate, TEMPLATES, type TemplateRun } from "../support/template-run.ts";

const requestedTemplates = TEMPLATES.filter(
  (name) => process.argv.length < 4 || process.argv.slice(3).includes(name),
);
let failed = 0;

for (const name of requestedTemplates)
  for (const time of ["first", "again"]) {
    const dir = mkdtempSync(join(tmpdir(), `treadle-${name}-`));
    const run = await runTemplate(name, dir);
    rmSync(dir, { recursive: true, force: true });
    const shown = run.evidence?.pages.at(-1)?.text ?? "";
    const good = run.verdict === "runs" && shown.includes(headingOf(name));
    if (!good) failed++;
    process.stdout.write(
      `${good ? "ok  " : "FAIL"} ${name.padEnd(8)} ${time} ${(run.ms / 1000).toFixed(1).padStart(6)} s  ${partsOf(run)}\n`,
    );
    if (!good) process.stdout.write(`${JSON.stringify(run.evidence, null, 2)}\n${run.stderr}\n`);
  }
process.stdout.write(`${requestedTemplates.length} templates, ${failed} runs failed\n`);
process.exit(failed === 0 ? 0 : 1);

function partsOf({ evidence, verdict }: TemplateRun): string {
  const parts = Object.entries(evidence?.parts ?? {}).map(
    ([part, { state, ms }]) =>
      `${part} ${state}${ms === undefined ? "" : ` ${(ms / 1000).toFixed(1)} s`}`,
  );
  return [verdict ?? "no verdict", ...parts].join(" · ");
}
