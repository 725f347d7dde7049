/**
 * Every template as a user sees it: started by a model, its page opened in a browser, a file
 * changed by hand; then its files alone, installed and built in a plain folder. `node
 * e2e/soak/template-pages.ts [MINUTES] [NAME…]`; pictures are in `.cache/pictures`. Needs a build
 * and a registry.
 */
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { readTemplate } from "@treadle/workspace";
import { startBrowser } from "../support/browser.ts";
import { HOT, openTemplatePlace, type TemplateLook } from "../support/template-page.ts";
import { headingOf, TEMPLATES, type TemplateName } from "../support/template-run.ts";
import { bareEnvironment } from "../support/treadle.ts";

const requestedTemplates = TEMPLATES.filter(
  (name) => process.argv.length < 4 || process.argv.slice(3).includes(name),
);
const print = (text: string) => process.stdout.write(`${text}\n`);
let failed = 0;

const browser = await startBrowser();
const place = await openTemplatePlace(browser);
for (const name of requestedTemplates) {
  const wrong = await place.look(name).then(
    (look) => wrongIn(name, look),
    (error: Error) => [error.message],
  );
  if (wrong.length > 0) failed++;
  print(
    `${wrong.length === 0 ? "ok  " : "FAIL"} ${name.padEnd(8)} in Treadle  ${wrong.join("; ")}`,
  );
}
await place.close();
await browser.close();

for (const name of requestedTemplates.filter((each) => each !== "static")) {
  const wrong = await buildPlain(name);
  if (wrong !== "") failed++;
  print(`${wrong === "" ? "ok  " : "FAIL"} ${name.padEnd(8)} in a folder  ${wrong}`);
}
print(`${requestedTemplates.length} templates, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);

function wrongIn(name: TemplateName, look: TemplateLook): string[] {
  const wrong = [...look.problems];
  if (look.heading !== headingOf(name)) wrong.push(`the heading is ${look.heading}`);
  if (look.lang !== "en") wrong.push(`the language is ${look.lang}`);
  if (look.title !== "App") wrong.push(`the title is ${look.title}`);
  if (HOT.includes(name) && look.afterEdit === "nothing") wrong.push("the change did not come");
  return wrong;
}

/**
 * Runs `npm install` and `npm run build`, as on a machine without Treadle.
 * @returns the output, if one failed
 */
async function buildPlain(name: TemplateName): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), `treadle-plain-${name}-`));
  for (const { path, content } of readTemplate(name)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  const env = { ...bareEnvironment(), PATH: `${dirname(process.execPath)}:${process.env.PATH}` };
  try {
    for (const words of [
      ["install", "--no-audit", "--no-fund"],
      ["run", "build"],
    ])
      await promisify(execFile)("npm", words, { cwd: folder, env, maxBuffer: 10_000_000 });
    return "";
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    return `${stdout}${stderr}`;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
