/**
 * A part of `npm run check`: what Treadle is made of may be passed on, and nothing of it is known to be dangerous. The
 * second is for the registry to say; where it does not answer that, this says so and holds nothing against the checkout.
 */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./prepare.mjs";

const ALLOWED = new Set(
  (
    "MIT ISC BSD-2-Clause BSD-3-Clause Apache-2.0 MIT-0 0BSD BlueOak-1.0.0 Unlicense MPL-2.0 Artistic-2.0 " +
    "CC0-1.0 CC-BY-3.0 CC-BY-4.0"
  ).split(" "),
);
/** Packages whose package.json says nothing, with what their repositories say. */
const KNOWN = {
  buildcheck: "MIT",
  "cpu-features": "MIT",
  "qrcode-terminal": "Apache-2.0",
  ssh2: "MIT",
};
const AUDIT_MS = 30_000;

const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));
const refused = Object.entries(packages).flatMap(([place, { license, link }]) => {
  const at = place.lastIndexOf("node_modules/");
  if (at < 0 || link) return [];
  const name = place.slice(at + "node_modules/".length);
  const stated = license ?? KNOWN[name] ?? "none";
  const any = String(stated).replace(/[()]/g, "").split(" OR ");
  return any.some((one) => ALLOWED.has(one.trim())) ? [] : [`${name}: ${stated}`];
});
if (refused.length > 0) {
  process.stderr.write(`licences that were not agreed to:\n  ${refused.join("\n  ")}\n`);
  process.exitCode = 1;
}

const npm = join(root, "node_modules/npm/bin/npm-cli.js");
const { stdout } = spawnSync(
  process.execPath,
  [npm, "audit", "--json", "--omit=dev", "--fetch-retries=0"],
  { cwd: root, encoding: "utf8", timeout: AUDIT_MS, maxBuffer: 64 * 1024 * 1024 },
);
const found = read(stdout);
if (!found)
  process.stdout.write(
    "known advisories: NOT LOOKED AT, since the package registry in use does not answer that question\n",
  );
else {
  const bad = Object.values(found).filter(({ severity }) => /^(?:high|critical)$/.test(severity));
  for (const { name, severity } of Object.values(found))
    process.stdout.write(`advisory (${severity}): ${name}\n`);
  if (bad.length > 0) process.exitCode = 1;
}

function read(text) {
  try {
    return JSON.parse(text).vulnerabilities;
  } catch {
    return undefined;
  }
}
