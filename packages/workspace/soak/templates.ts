/**
 * A fresh folder of every template, installed and started outside Treadle under Node 20, 22 and 24:
 * `node packages/workspace/soak/templates.ts [MINUTES] [NAME…]`. Needs a registry; the Nodes are fetched from it once.
 */
import { listTemplates, readTemplate } from "../src/templates/templates.ts";
import { fetchNode, NODES, startOutside } from "../src/templates/outside.test-support.ts";

const named = process.argv.slice(3);
const templates = listTemplates()
  .filter((name) => named.length === 0 || named.includes(name))
  // One without a package is opened as it is.
  .filter((name) => readTemplate(name).some(({ path }) => path === "package.json"));
let failed = 0;
for (const version of Object.values(NODES)) {
  const bin = await fetchNode(version);
  for (const name of templates) {
    const began = performance.now();
    const wrong = await startOutside(name, bin);
    if (wrong !== undefined) failed++;
    const seconds = ((performance.now() - began) / 1_000).toFixed(1);
    process.stdout.write(
      `${wrong === undefined ? "ok  " : "FAIL"} Node ${version} ${name.padEnd(8)} ${seconds.padStart(6)} s  ${wrong ?? ""}\n`,
    );
  }
}
console.log(`${templates.length} templates, ${failed} starts failed`);
process.exit(failed === 0 ? 0 : 1);
