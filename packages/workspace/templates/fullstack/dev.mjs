// Starts the page (Vite) and the API behind it. Where one ends, the other is ended too.
import { spawn } from "node:child_process";
import { once } from "node:events";

// A port that is given is the page's; the API has that of backend/.env.
const { PORT: _page, ...env } = process.env;
const shell = process.platform === "win32";
const page = spawn("vite", { cwd: "frontend", stdio: "inherit", shell });
const api = spawn("tsx", ["watch", "--clear-screen=false", "src/server.ts"], {
  cwd: "backend",
  env,
  stdio: ["ignore", "inherit", "inherit"],
  shell,
});
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"])
  for (const part of [page, api]) process.on(signal, part.kill.bind(part));

const [code] = await Promise.race([once(page, "exit"), once(api, "exit")]);
page.kill();
api.kill();
process.exitCode = code ?? 0;
