/** `npm run sbom [FILE]`: what Treadle is made of, as package-lock.json says it, in CycloneDX; `.cache/sbom.cdx.json` by default. */
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { ensureInstalled, fail, root } from "./prepare.mjs";

await ensureInstalled();
const npm = join(root, "node_modules/npm/bin/npm-cli.js");
const words = ["sbom", "--sbom-format=cyclonedx", "--sbom-type=application", "--package-lock-only"];
const { status, stdout, stderr } = spawnSync(process.execPath, [npm, ...words], {
  cwd: root,
  encoding: "utf8",
  maxBuffer: 64 * 1024 * 1024,
});
if (status !== 0) fail(`npm could not make it: ${stderr.trim()}`);
const file = resolve(process.argv[2] ?? join(root, ".cache/sbom.cdx.json"));
mkdirSync(dirname(file), { recursive: true });
writeFileSync(file, stdout);
process.stdout.write(`${JSON.parse(stdout).components.length} components: ${file}\n`);
