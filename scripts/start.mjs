/** `npm start`: from a bare clone to the page. */
import { spawn } from "node:child_process";
import { join } from "node:path";
import { ensureBuilt, ensureInstalled, node24, root } from "./prepare.mjs";

await ensureInstalled({ tools: false });
ensureBuilt();
const child = spawn(
  node24(),
  [join(root, "apps", "cli", "bin", "treadle.mjs"), "serve", ...process.argv.slice(2)],
  { stdio: "inherit" },
);
// The terminal sends Ctrl-C to both; the server ends in its own time and this process with it.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
// A signal sent to npm alone ends npm and its shell and comes no further: without them, nobody could stop the server.
const shell = process.ppid;
if (process.env.npm_lifecycle_event)
  setInterval(() => {
    if (process.ppid !== shell) child.kill("SIGTERM");
  }, 500).unref();
child.on("exit", (code, signal) => process.exit(signal ? 1 : (code ?? 0)));
