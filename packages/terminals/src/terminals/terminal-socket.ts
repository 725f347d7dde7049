import { ApiFailure } from "@treadle/common";
import { sentence } from "@treadle/protocol/sentences";
import type { Author } from "@treadle/protocol";
import { SERVER_TERMINAL, type ProjectTerminals } from "./project-terminals.ts";
import type { ServerOutput } from "./server-output.ts";
import type { TextBacklog } from "@treadle/common";
import { createPacedSender, type ToPage } from "./paced-sender.ts";

/** The methods of a WebSocket that are used here. */
export interface Socket {
  readonly bufferedAmount: number;
  send(text: string, sent?: () => void): void;
  close(code: number, reason?: string): void;
  on(
    event: "message",
    listener: (data: Buffer | ArrayBuffer | Buffer[], binary: boolean) => void,
  ): unknown;
  on(event: "close" | "error", listener: () => void): unknown;
}

/** Characters of input buffered until the shell is ready. */
const EARLY = 1024 * 1024;

/** Minimum and maximum number of rows and columns. */
const SIZE = { least: 2, most: 1_000 };

type Size = { columns: number; rows: number };

/** The project data that a terminal connection needs. */
export interface TerminalSource {
  terminals: ProjectTerminals;
  serverOutput: ServerOutput;
  /** Calls the listener with the listening ports: now, and whenever they change. */
  onPorts(listener: (ports: number[]) => void): () => void;
}

/** The source of a project, from its runtime. */
export const sourceOf = ({
  terminals,
  holder: { serverOutput, onPorts },
}: {
  terminals: ProjectTerminals;
  holder: Omit<TerminalSource, "terminals">;
}): TerminalSource => ({ terminals, serverOutput, onPorts });

/**
 * Connects a page's socket with a project's terminal, which continues after the page disconnects. Resolves once
 * connected. It ends at once when the terminal is no longer shared with the person.
 * @param options.person undefined on a server of one person
 */
export async function joinTerminal(
  socket: Socket,
  { terminals, serverOutput, onPorts }: TerminalSource,
  name: string,
  { size, person }: { size: Size; person: Author | undefined },
): Promise<void> {
  const send = (message: ToPage, sent: () => void = () => {}) =>
    socket.send(JSON.stringify(message), sent);
  const paced = (text: TextBacklog) =>
    createPacedSender({ send, waiting: () => socket.bufferedAmount, text });
  if (name === SERVER_TERMINAL) {
    const sender = paced(serverOutput.text);
    sender.more();
    const stops = [
      () => sender.close(),
      serverOutput.onMore(() => sender.more()),
      onPorts((ports) => send({ type: "ports", ports })),
    ];
    socket.on("message", (data) => {
      const message = readMessage(String(data));
      if (message?.type === "drawn") sender.drawn(message.characters);
      else if (message?.type === "clear") serverOutput.clear();
    });
    const leave = () => {
      for (const stop of stops.splice(0)) stop();
    };
    socket.on("close", leave);
    socket.on("error", leave);
    return;
  }
  // Input before the shell has started is buffered.
  const early: string[] = [];
  let held = 0;
  let take = (text: string): void => {
    held += text.length;
    if (held > EARLY) socket.close(1009, "too-much");
    else early.push(text);
  };
  socket.on("message", (data) => take(String(data)));
  let stops: (() => void)[] = [];
  let left = false;
  const leave = () => {
    left = true;
    for (const stop of stops) stop();
  };
  socket.on("close", leave);
  socket.on("error", leave);
  const fail = (error: unknown) => {
    const message = error instanceof Error ? error.message : String(error);
    const isKnown = error instanceof ApiFailure;
    send({ type: "error", message, ...(isKnown && { messageCode: error.coded }) });
    socket.close(1011, isKnown ? error.code : "failed");
    leave();
  };
  const onUnshared = () => fail(new ApiFailure(403, "not-shared", sentence("terminal-unshared")));
  try {
    const { terminal, detach } = await terminals.attach(name, size, { person, onUnshared });
    const sender = paced(terminal.text);
    sender.more();
    stops = [
      detach,
      () => sender.close(),
      terminal.onMore(() => sender.more()),
      onPorts((ports) => send({ type: "ports", ports })),
      terminal.onExit((code) => {
        // After the workspace ended, the page reconnects to its text and a new shell.
        if (code === undefined) return socket.close(1012, "restarting");
        sender.finish(() => {
          send({ type: "exit", code });
          socket.close(1000, "exited");
        });
      }),
    ];
    // The page may have disconnected by now.
    if (left) return leave();
    take = (text) => {
      const message = readMessage(text);
      if (message?.type === "data") terminal.write(message.data);
      else if (message?.type === "resize") terminal.resize(message.size);
      else if (message?.type === "drawn") sender.drawn(message.characters);
      else if (message?.type === "clear") terminal.clear();
    };
    for (const text of early.splice(0)) take(text);
  } catch (error) {
    fail(error);
  }
}

type Message =
  | { type: "data"; data: string }
  | { type: "resize"; size: Size }
  /** The page has drawn this many more characters. */
  | { type: "drawn"; characters: number }
  /** Clears the stored output. */
  | { type: "clear" };

function readMessage(text: string): Message | undefined {
  let parsed: Record<string, unknown>;
  try {
    parsed = JSON.parse(text) as typeof parsed;
  } catch {
    return undefined;
  }
  if (typeof parsed !== "object" || parsed === null) return undefined;
  if (parsed.type === "data" && typeof parsed.data === "string")
    return { type: "data", data: parsed.data };
  if (parsed.type === "drawn" && Number(parsed.characters) > 0)
    return { type: "drawn", characters: Number(parsed.characters) };
  if (parsed.type === "clear") return { type: "clear" };
  if (parsed.type !== "resize") return undefined;
  return { type: "resize", size: readSize(parsed.columns, parsed.rows) };
}

/** A size within the terminal's limits; 80 × 24 by default. */
export function readSize(columns: unknown, rows: unknown): Size {
  const within = (value: unknown, standard: number) => {
    const number = Math.floor(Number(value ?? Number.NaN));
    return Number.isFinite(number) ? Math.min(Math.max(number, SIZE.least), SIZE.most) : standard;
  };
  return { columns: within(columns, 80), rows: within(rows, 24) };
}
