import { connect, TreadleError, type Connection } from "@treadle/client";
import { localConnection } from "@treadle/client/local";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { createMcpServer } from "@treadle/mcp-server";
import { createTreadle } from "@treadle/server";
import { dataDirectory } from "./folders/data-directory.ts";
import { ensureSandbox } from "./folders/ensure-sandbox.ts";
import { EXIT } from "./terminal/exit-status.ts";
import { plain } from "./terminal/plain.ts";
import { webDirectory } from "./folders/web-directory.ts";

/**
 * `treadle mcp`: runs Treadle as a tool server on standard input and output, with the running
 * server or one of its own.
 */
export async function mcp(command: {
  data?: string | undefined;
  unsafe: boolean;
}): Promise<number> {
  // Standard output is reserved for the protocol.
  const notice = (text: string) => process.stderr.write(`${plain(text)}\n`);
  const running = runningServer(command.data);
  if (!running && !command.unsafe && !(await ensureSandbox(notice))) return EXIT.usage;
  const own = running ? undefined : await startOwn(command, notice);
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  const treadle = connect(running ?? own!.connection);
  const serving = serveStdio(() => createMcpServer(treadle), {
    onerror: (error) => notice(error.message),
  });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => end());
  // The client closes standard input when it has finished.
  process.stdin.once("end", end).once("close", end);
  await ended;
  await serving.close();
  await own?.close();
  return 0;
}

function runningServer(data: string | undefined): Connection | undefined {
  try {
    return localConnection(data);
  } catch (error) {
    if (error instanceof TreadleError && error.code === "not-running") return undefined;
    throw error;
  }
}

async function startOwn(
  { data, unsafe }: { data?: string | undefined; unsafe: boolean },
  onNotice: (text: string) => void,
) {
  const treadle = await createTreadle({
    dataDirectory: dataDirectory(data, process.env),
    database: process.env.DATABASE_URL,
    webDirectory: webDirectory(),
    unsafeNoSandbox: unsafe,
    env: process.env,
    onNotice,
  });
  process.on("unhandledRejection", treadle.lastResort);
  try {
    const { url } = await treadle.listen({ host: "127.0.0.1", port: 0 });
    return { connection: { url, token: treadle.token }, close: () => treadle.close() };
  } catch (error) {
    await treadle.close();
    throw error;
  }
}
