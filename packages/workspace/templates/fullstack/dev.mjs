// Starts the page (Vite) and the API behind it. Where one ends, the other is ended too.
import { spawn } from "node:child_process";

// A port that is given is the page's; the API has that of backend/.env.
const { PORT: _page, ...env } = process.env;
const shell = process.platform === "win32";
const parts = [
  spawn("vite", { cwd: "frontend", stdio: "inherit", shell }),
  spawn("tsx", ["watch", "--clear-screen=false", "src/server.ts"], {
    cwd: "backend",
    env,
    stdio: ["ignore", "inherit", "inherit"],
    shell,
  }),
];
const end = (signal) => parts.forEach((part) => part.kill(signal));
for (const part of parts)
  part.on("exit", (code) => {
    process.exitCode ||= code ?? 0;
    end("SIGTERM");
  });
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => end(signal));
