#!/usr/bin/env node
// Committed as it is, so that npm can link it before anything is built; it starts itself again under the right Node.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, "..", "..", "..");
const main = join(here, "..", "dist", "main.js");
const bundled = join(root, "node_modules", `node-linux-${process.arch}`, "bin", "node");
const recentEnough = Number(process.versions.node.split(".")[0]) >= 24;

const stop = (sentence) => {
  process.stderr.write(`${sentence}\n`);
  process.exitCode = 2;
};

if (!existsSync(main)) stop("Treadle is not built yet. Run `npm start` or `npm run build` first.");
else if (recentEnough) await import(main);
else if (!existsSync(bundled))
  stop(`Treadle needs Node 24 or newer; this is ${process.version}. Run \`npm install\` first.`);
else {
  const child = spawn(bundled, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], {
    stdio: "inherit",
  });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"])
    process.on(signal, () => child.kill(signal));
  child.on("exit", (code, signal) => process.exit(signal ? 1 : (code ?? 1)));
}
