import { ApiFailure } from "../api-failure.ts";
import type { ProjectRuntime } from "../runtime/project-runtime.ts";

/** What a WebSocket is used for here. */
export interface Socket {
  readonly bufferedAmount: number;
  send(text: string): void;
  close(code: number, reason?: string): void;
  on(
    event: "message",
    listener: (data: Buffer | ArrayBuffer | Buffer[], binary: boolean) => void,
  ): unknown;
  on(event: "close" | "error", listener: () => void): unknown;
}

/** Bytes that may wait for a slow page; then it is let go, and finds the last 256 KB when it comes back (F19). */
export const WAITING_BYTES = 8 * 1024 * 1024;
/** Rows and columns that a terminal may have. */
const SIZE = { least: 2, most: 1_000 };
/** The name under which the output of the project's own server is read; it takes no input. */
export const SERVER_TERMINAL = "server";

type Size = { columns: number; rows: number };

/** Joins a page's socket and a project's terminal, which goes on when the page leaves. Resolves when they are joined. */
export async function joinTerminal(
  socket: Socket,
  runtime: ProjectRuntime,
  name: string,
  size: Size,
): Promise<void> {
  const tell = (message: object) => {
    if (socket.bufferedAmount > WAITING_BYTES) socket.close(1013, "too slow");
    else socket.send(JSON.stringify(message));
  };
  if (name === SERVER_TERMINAL) {
    const stop = runtime.holder.onServerOutput((data) => tell({ type: "data", data }));
    socket.on("close", stop);
    socket.on("error", stop);
    return;
  }
  // What is typed before the shell is there is not lost.
  let early: Buffer[] | undefined = [];
  let take = (text: string): void => void early?.push(Buffer.from(text));
  socket.on("message", (data) => take(String(data)));
  try {
    const { terminal, detach } = await runtime.terminals.attach(name, size);
    const stops = [
      detach,
      terminal.onData((data) => tell({ type: "data", data })),
      terminal.onExit((code) => {
        tell({ type: "exit", code });
        socket.close(1000, "exited");
      }),
    ];
    const leave = () => {
      for (const stop of stops) stop();
    };
    socket.on("close", leave);
    socket.on("error", leave);
    take = (text) => {
      const message = readMessage(text);
      if (message?.type === "data") terminal.write(message.data);
      else if (message?.type === "resize") terminal.resize(message.size);
      else if (message?.type === "kill") terminal.kill();
    };
    for (const text of early) take(String(text));
    early = undefined;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    tell({ type: "error", message });
    socket.close(1011, error instanceof ApiFailure ? error.code : "failed");
  }
}

type Message = { type: "data"; data: string } | { type: "resize"; size: Size } | { type: "kill" };

function readMessage(text: string): Message | undefined {
  let parsed: { type?: unknown; data?: unknown; columns?: unknown; rows?: unknown };
  try {
    parsed = JSON.parse(text) as typeof parsed;
  } catch {
    return undefined;
  }
  if (typeof parsed !== "object" || parsed === null) return undefined;
  if (parsed.type === "data" && typeof parsed.data === "string")
    return { type: "data", data: parsed.data };
  if (parsed.type === "kill") return { type: "kill" };
  if (parsed.type !== "resize") return undefined;
  return { type: "resize", size: readSize(parsed.columns, parsed.rows) };
}

/** A size within what a terminal can have; 80 × 24 where none is given. */
export function readSize(columns: unknown, rows: unknown): Size {
  const within = (value: unknown, standard: number) => {
    const number = Math.floor(Number(value ?? Number.NaN));
    return Number.isFinite(number) ? Math.min(Math.max(number, SIZE.least), SIZE.most) : standard;
  };
  return { columns: within(columns, 80), rows: within(rows, 24) };
}
