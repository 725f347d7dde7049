import type { LogEntry } from "@treadle/protocol";
import { createLogFold } from "@treadle/protocol/fold";
import { WebSocket } from "ws";

/** Follows a project's log as an open page does, and notes what came when. */
export interface LiveReader {
  /** Number of the last entry. */
  head(): number;
  /** From writing to reading, in milliseconds, one for each entry that was written while this read. */
  delays: number[];
  /** What came twice, or out of order, or that the connection broke. */
  problems: string[];
  /** What a page would show. */
  state(): unknown;
  close(): void;
}

/** @param origin `http://localhost:4173`; @param token of somebody who may see the project */
export async function readLive(
  origin: string,
  token: string,
  project: string,
): Promise<LiveReader> {
  const address = `${origin.replace("http", "ws")}/api/projects/${project}/events?after=0`;
  const socket = new WebSocket(address, { headers: { authorization: `Bearer ${token}` } });
  const openedAt = Date.now();
  const fold = createLogFold();
  const delays: number[] = [];
  const problems: string[] = [];
  let head = 0;
  let isClosed = false;
  socket.on("message", (data) => {
    const now = Date.now();
    for (const { seq, at, event } of JSON.parse(String(data)) as LogEntry[]) {
      if (seq <= head) problems.push(`${seq} came after ${head}`);
      head = seq;
      if (at >= openedAt) delays.push(now - at);
      fold.add(event, at);
    }
  });
  socket.on("close", (code) => {
    if (!isClosed) problems.push(`the connection ended with ${code}`);
  });
  socket.on("error", (error) => problems.push(error.message));
  await new Promise((resolve) => socket.once("open", resolve).once("error", resolve));
  return {
    head: () => head,
    delays,
    problems,
    state: () => fold.state,
    close() {
      isClosed = true;
      socket.close();
    },
  };
}
