import type { Pipe, Workspace, WorkspaceNotice } from "@treadle/workspace";
import { ApiFailure, createTokenBucket } from "@treadle/common";
import type { Socket } from "../terminals/terminal-socket.ts";
import { readFromPage, readFromServer } from "./check-message.ts";
import { createMessageReader, framed } from "./message-reader.ts";

/** The language servers: TypeScript's own, the one for CSS, HTML and JSON, Svelte's and Vue's. */
export const LANGUAGE_SERVERS = ["typescript", "web", "svelte", "vue"] as const;
export type LanguageServerName = (typeof LANGUAGE_SERVERS)[number];

/** The language servers that are installed in the sandbox on first use. */
const INSTALLED: ReadonlySet<LanguageServerName> = new Set(["svelte", "vue"]);
const PROGRAM = '"$TREADLE_GUEST/bin/treadle-language-server"';

/** Characters of the page's messages buffered until the language server is ready. */
const EARLY = 8 * 1024 * 1024;
/** Characters of the package manager's output that are shown. */
const PROBLEM = 300;
/** Maximum number of pending requests; the page sends only a few at a time. */
const PENDING = 200;
/** Maximum number of bytes queued for a page that does not read. */
const WAITING_BYTES = 16 * 1024 * 1024;
/**
 * Rate limits of a server's notifications, in messages and in bytes: a large project has some
 * hundred diagnostics.
 */
const UNASKED = { burst: 2_000, perSecond: 200 };
const UNASKED_BYTES = { burst: 32 * 1024 * 1024, perSecond: 2 * 1024 * 1024 };
/** Files listed in one notification. A server that received more would read nothing else. */
const TOLD = 1_000;

/** Why a page's connection to a language server was closed, which decides whether the page reconnects. */
export const CLOSED = {
  /** The language server exited. */
  ended: 4001,
  /** Other packages were installed: it restarts. */
  again: 4002,
  /** The project sleeps, or was closed. */
  asleep: 4003,
  /** The server does not start, or sent an invalid message. */
  refused: 4004,
} as const;

/** Files that determine which packages are installed. */
const LOCKS = /(?:^|\/)(?:package-lock\.json|pnpm-lock\.yaml|yarn\.lock|bun\.lock)$/;

/**
 * Connects a page's WebSocket with a language server that runs in the project's sandbox for this page
 * alone. The server's messages are validated, since a program of the project may have replaced it.
 * Resolves when the server runs, or when the socket was closed because it does not.
 */
export async function joinLanguageServer(
  socket: Socket,
  name: LanguageServerName,
  project: { open(): Promise<Workspace>; isOpen(): boolean },
  now: () => number = () => performance.now(),
): Promise<void> {
  const early: string[] = [];
  let held = 0;
  let left = false;
  let stop = () => {};
  let take = (text: string): void => {
    held += text.length;
    if (held > EARLY) socket.close(1009, "too-much");
    else early.push(text);
  };
  const leave = () => {
    left = true;
    stop();
  };
  socket.on("message", (data) => take(String(data)));
  socket.on("close", leave);
  socket.on("error", leave);
  try {
    const workspace = await project.open();
    const root = await rootOf(workspace);
    const place = INSTALLED.has(name) ? await install(workspace, name) : undefined;
    const pipe = await workspace.pipe(`exec ${PROGRAM} ${name}`, { leavesFiles: true });
    const relay = relayBetween(
      socket,
      pipe,
      now,
      name === "vue" && place ? vueOptions(place) : undefined,
    );
    const unlisten = workspace.listen((notice) => {
      if (notice.type !== "files") return;
      if (notice.changes.some(({ path }) => LOCKS.test(path)))
        return socket.close(CLOSED.again, "again");
      pipe.write(framed(changedFiles(root, notice)));
    });
    stop = () => {
      unlisten();
      void pipe.kill();
    };
    void pipe.ended.then(() => {
      unlisten();
      // If the project's sandbox was closed, the page connects again when the file is edited.
      if (project.isOpen()) socket.close(CLOSED.ended, "ended");
      else socket.close(CLOSED.asleep, "asleep");
    });
    if (left) return stop();
    socket.send(JSON.stringify({ root }));
    take = relay;
    for (const text of early.splice(0)) take(text);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    socket.send(JSON.stringify({ problem: message }));
    socket.close(CLOSED.refused, error instanceof ApiFailure ? error.code : "failed");
  }
}

/**
 * Forwards validated messages between a page and its language server.
 * @param now in milliseconds.
 * @param options initialisation options of the server.
 * @returns a function that accepts messages of the page
 */
function relayBetween(
  socket: Socket,
  pipe: Pipe,
  now: () => number,
  options: object | undefined,
): (text: string) => void {
  const pending = new Set<number>();
  const messages = createTokenBucket({ ...UNASKED, now });
  const bytes = createTokenBucket({ ...UNASKED_BYTES, now });
  let refused = false;
  /** Stops reading, even if the page stays connected. */
  const refuse = (why: string) => {
    refused = true;
    socket.close(CLOSED.refused, why);
    void pipe.kill();
  };
  const read = createMessageReader((text) => {
    if (refused) return;
    const { toPage, answers, toServer } = readFromServer(text);
    const isAsked = answers !== undefined && pending.delete(answers);
    // Each message costs time: endless reading would block everyone else (A90).
    if (!isAsked && !(messages.take() && bytes.take(text.length))) return refuse("too-much");
    if (toServer !== undefined) pipe.write(framed(toServer));
    // An answer without a request is ignored.
    if (toPage === undefined || (answers !== undefined && !isAsked)) return;
    if (socket.bufferedAmount > WAITING_BYTES) socket.close(1013, "too-slow");
    else socket.send(toPage);
  });
  pipe.onData((piece) => {
    if (refused) return;
    try {
      read(piece);
    } catch {
      refuse("no-messages");
    }
  });
  pipe.onErrors(() => {});
  return (text) => {
    const message = readFromPage(text, options);
    if (!message) return;
    if (message.id !== undefined) {
      if (pending.size >= PENDING) return socket.close(1008, "too-many");
      pending.add(message.id);
    }
    pipe.write(framed(message.text));
  };
}

/** Initialisation options of Vue's server, which would otherwise expect an editor with its own TypeScript server. */
const vueOptions = (place: string) => ({
  typescript: { tsdk: `${place}/node_modules/typescript/lib` },
  vue: { hybridMode: false },
});

/** Installs a language server and returns its location. @throws Error with the end of the package manager's output */
async function install(workspace: Workspace, name: LanguageServerName): Promise<string> {
  const exit = await workspace.run(`exec ${PROGRAM} ${name} --install`, { isOwn: true });
  if (exit.kind !== "exited" || exit.code !== 0)
    throw new Error(`It could not be installed. ${exit.output.trim().slice(-PROBLEM)}`.trim());
  return exit.output.trim().split("\n").at(-1) ?? "";
}

/** The project's address inside the sandbox. */
async function rootOf(workspace: Workspace): Promise<string> {
  const exit = await workspace.run('printf %s "$PWD"', { isOwn: true });
  const encoded = exit.output.trim().split("/").map(encodeURIComponent).join("/");
  return `file://${encoded}`;
}

function changedFiles(root: string, { changes }: WorkspaceNotice & { type: "files" }): string {
  const files = changes.slice(0, TOLD).map(({ path, kind }) => ({
    uri: `${root}/${path.split("/").map(encodeURIComponent).join("/")}`,
    // Whether the file is new is unknown; a change notification makes the server read it either way.
    type: kind === "removed" ? 3 : 2,
  }));
  // A file that appeared is reported as created, for servers that keep a list of files.
  const made = files.filter(({ type }) => type === 2).map(({ uri }) => ({ uri, type: 1 }));
  return JSON.stringify({
    jsonrpc: "2.0",
    method: "workspace/didChangeWatchedFiles",
    params: { changes: [...made, ...files] },
  });
}
