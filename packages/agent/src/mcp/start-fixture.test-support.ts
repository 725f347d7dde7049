import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { connectMcp, type ConnectOptions } from "./connect-mcp.ts";
import type { McpPipe } from "./pipe-transport.ts";
import type { McpConnection, McpError } from "./types.ts";

const SERVER = fileURLToPath(new URL("./stdio-server.test-support.mjs", import.meta.url));

/** Starts a server beside this file as a process of this machine. */
function startFixture(
  env: Record<string, string> = {},
  cwd = process.cwd(),
  server = SERVER,
): McpPipe {
  const child = spawn(process.execPath, [server], {
    cwd,
    env,
    stdio: ["pipe", "pipe", "pipe"],
  });
  child.stdin.on("error", () => undefined);
  const ended = new Promise<{ code: number }>((resolve) =>
    child.on("exit", (code) => resolve({ code: code ?? 137 })),
  );
  return {
    write: (data) => void child.stdin.write(data),
    onData: (listener) => void child.stdout.on("data", listener),
    onErrors: (listener) => void child.stderr.on("data", (bytes) => listener(String(bytes))),
    ended,
    async kill() {
      child.kill("SIGKILL");
      await ended;
    },
  };
}

export interface Connected {
  connection: McpConnection;
  log(): string;
  ended: Promise<McpError>;
}

export async function connectFixture(
  env: Record<string, string> = {},
  options: Partial<ConnectOptions> & { cwd?: string; server?: string } = {},
): Promise<Connected> {
  let log = "";
  let end!: (error: McpError) => void;
  const ended = new Promise<McpError>((resolve) => (end = resolve));
  const connection = await connectMcp({
    reach: { pipe: startFixture(env, options.cwd, options.server) },
    version: "1",
    onLog: (text) => (log += text),
    onEnd: end,
    ...options,
  });
  return { connection, log: () => log, ended };
}
