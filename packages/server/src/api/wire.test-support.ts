/**
 * Follows a session over an unreliable connection: with server-sent events or a WebSocket, cut
 * after a number of events or bytes.
 */
import { request } from "node:http";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import { inspect } from "node:util";
import type { LogEntry, LogEvent } from "@treadle/protocol";
import { createLogFold } from "@treadle/protocol/fold";
import { WebSocket } from "ws";
import type { TestServer } from "../server.test-support.ts";

export type Transport = "events" | "socket";

/** The log events of a turn: text in deltas, a call with its argument in deltas, output. */
export const SESSION: readonly LogEvent[] = [
  { type: "step-start", run: "", step: 1 },
  ...["I ", "build ", "it. 🙂"].map((text) => ({ type: "text" as const, run: "", id: "t", text })),
  { type: "call-open", run: "", call: "c", tool: "write_file" },
  ...["export ", "const a", " = 1;\n"].map((text) => ({
    type: "call-delta" as const,
    call: "c",
    field: "content",
    text,
    path: "src/a.ts",
  })),
  { type: "call-input", call: "c", input: { path: "src/a.ts", content: "export const a = 1;\n" } },
  { type: "call-start", call: "c" },
  ...["one\n", "two\n"].map((text) => ({ type: "output" as const, call: "c", text })),
  { type: "call-end", call: "c", status: "ok", title: "Wrote src/a.ts", result: "ok", ms: 1 },
  { type: "step-end", run: "", step: 1, finish: "stop", usage: { inputTokens: 1, cachedInputTokens: 0, outputTokens: 1 } }, // prettier-ignore
];

/** A reader of a project's log that reconnects from its last position. */
export function createReader(server: TestServer, project: string) {
  const known = new Map<number, LogEntry>();
  const texts = new Map<string, string>();
  const problems: string[] = [];
  let last = 0;
  const take = (entries: LogEntry[]) => {
    for (const entry of entries) {
      if (entry.seq <= last) {
        problems.push(`${entry.seq} came again after ${last}`);
        continue;
      }
      last = entry.seq;
      known.set(entry.seq, entry);
      const { event } = entry;
      if (event.type !== "text" && event.type !== "call-delta" && event.type !== "output") continue;
      const stream = event.type === "text" ? event.id : `${event.type} ${event.call}`;
      texts.set(stream, event.whole ? event.text : (texts.get(stream) ?? "") + event.text);
    }
  };
  return {
    problems,
    last: () => last,
    /** The state that this reader shows: each text, and the other events. */
    state() {
      const fold = createLogFold();
      for (const { event, at } of known.values()) fold.add(event, at);
      return { texts: [...texts].toSorted(), state: fold.state };
    },
    /**
     * Follows until `upTo` is reached or the connection ends.
     * @param options `port`: where it connects, default the server's own; `events`: disconnect
     * after this number
     */
    async follow(
      transport: Transport,
      options: { port: number; server: number; upTo(): number; events?: number },
    ): Promise<void> {
      let left = options.events ?? Infinity;
      const path = `/api/projects/${project}/events?after=${last}`;
      const headers = {
        authorization: `Bearer ${server.treadle.token}`,
        host: `localhost:${options.server}`,
      };
      const heard = (entries: LogEntry[]) => {
        for (const entry of entries) if (left-- > 0) take([entry]);
        return left > 0 && last < options.upTo();
      };
      await (transport === "events" ? readStream : readSocket)({
        ...options,
        path,
        headers,
        heard,
      });
    },
  };
}

interface Reading {
  port: number;
  path: string;
  headers: Record<string, string>;
  /** @returns whether to continue reading */
  heard(entries: LogEntry[]): boolean;
}

function readStream({ port, path, headers, heard }: Reading): Promise<void> {
  return new Promise((resolve) => {
    const asked = request({ host: "127.0.0.1", port, path, headers }, (response) => {
      let buffer = "";
      response.setEncoding("utf8").on("data", (text: string) => {
        buffer += text;
        const blocks = buffer.split("\n\n");
        buffer = blocks.pop() ?? "";
        for (const block of blocks) {
          const data = /^data: (\[.*)$/m.exec(block)?.[1];
          if (data !== undefined && !heard(JSON.parse(data) as LogEntry[])) asked.destroy();
        }
      });
      response.on("error", () => undefined).on("close", resolve);
    });
    asked.on("error", () => resolve()).end();
  });
}

function readSocket({ port, path, headers, heard }: Reading): Promise<void> {
  return new Promise((resolve) => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`, { headers });
    socket.on("message", (data: Buffer) => {
      const entries = JSON.parse(data.toString()) as LogEntry[];
      if (!heard(entries) && entries.length > 0) socket.terminate();
    });
    socket.on("error", () => undefined).on("close", resolve);
  });
}

/**
 * Records the session while it is followed, cuts the connection once, and continues after the log
 * was compacted.
 * @returns differences from a reader that reads everything at the end
 */
export async function tryCut(
  server: TestServer,
  port: number,
  cut: { transport: Transport; events?: number; bytes?: number },
): Promise<string[]> {
  const play = Promise.withResolvers<void>();
  server.turns.push(async ({ run }, _ports, { emit }) => {
    await play.promise;
    for (const event of SESSION) {
      emit("run" in event ? { ...event, run } : event);
      await server.store.log.settled();
    }
  });
  const made = await server.api("/api/projects", { json: { prompt: "Build it" } });
  const { id } = (await made.json()) as { id: string };
  const way = cut.bytes === undefined ? undefined : await openCut(port, cut.bytes);
  const reader = createReader(server, id);
  const forever = () => Infinity;
  const first = reader.follow(cut.transport, {
    ...cut,
    port: way?.port ?? port,
    server: port,
    upTo: forever,
  });
  play.resolve();
  await server.until(id, ({ type }) => type === "run-end");
  await server.store.log.compact(id);
  await way?.close();
  if (cut.events !== undefined && cut.events <= SESSION.length) await first;
  const head = await server.store.log.head(id);
  if (reader.last() < head)
    await reader.follow(cut.transport, { port, server: port, upTo: () => head });
  const fullReader = createReader(server, id);
  await fullReader.follow("events", { port, server: port, upTo: () => head });
  const [seen, expected] = [reader.state(), fullReader.state()].map((state) =>
    inspect(state, { depth: 9 }),
  );
  return seen === expected ? reader.problems : [...reader.problems, `saw ${seen}\nnot ${expected}`];
}

/** Forwards a connection to the server, and cuts it after this many bytes of the response. */
export async function openCut(
  to: number,
  bytes: number,
): Promise<{ port: number; close(): Promise<void> }> {
  const sockets = new Set<Socket>();
  const proxy = createServer((client) => {
    const upstream = connect(to, "127.0.0.1");
    let left = bytes;
    const end = () => {
      client.destroy();
      upstream.destroy();
    };
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on("error", end).on("close", end);
    }
    client.pipe(upstream);
    upstream.on("data", (piece: Buffer) => {
      client.write(piece.subarray(0, left), () => {
        if (left <= 0) end();
      });
      left -= piece.length;
    });
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  return {
    port: (proxy.address() as AddressInfo).port,
    close: () => {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => proxy.close(() => resolve()));
    },
  };
}
