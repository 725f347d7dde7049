/** `npm start`: from a bare clone to the page. */
import { spawn } from "node:child_process";
import { join } from "node:path";
import { ensureBuilt, ensureInstalled, node24, root } from "./prepare.mjs";

ensureInstalled();
ensureBuilt();
const child = spawn(
  node24(),
  [join(root, "apps", "cli", "bin", "treadle.mjs"), "serve", ...process.argv.slice(2)],
  { stdio: "inherit" },
);
// The terminal sends Ctrl-C to both; the server ends in its own time and this process with it.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
child.on("exit", (code, signal) => process.exit(signal ? 1 : (code ?? 0)));
