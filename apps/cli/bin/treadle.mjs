#!/usr/bin/env node
// Committed unbuilt, so that npm can link it before a build; it restarts itself under the right
// Node.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const main = join(dirname(fileURLToPath(import.meta.url)), "..", "dist", "program", "main.js");
const recentEnough = Number(process.versions.node.split(".")[0]) >= 24;

const stop = (sentence) => {
  process.stderr.write(`${sentence}\n`);
  process.exitCode = 2;
};

/** Node 24 as installed by npm with Treadle's dependencies. */
function bundledNode() {
  try {
    const found = createRequire(import.meta.url).resolve(`node-linux-${process.arch}/package.json`);
    return join(dirname(found), "bin", "node");
  } catch {
    return undefined;
  }
}

const bundled = recentEnough ? undefined : bundledNode();
if (!existsSync(main)) stop("Treadle is not built yet. Run `npm start` or `npm run build` first.");
else if (recentEnough) await import(main);
else if (!bundled)
  stop(`Treadle needs Node 24 or newer; this is ${process.version}. Run \`npm install\` first.`);
else {
  const child = spawn(bundled, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], {
    stdio: "inherit",
  });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"])
    process.on(signal, () => child.kill(signal));
  child.on("exit", (code, signal) => process.exit(signal ? 1 : (code ?? 1)));
}
