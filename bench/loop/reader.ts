/**
 * Reads the logs of many projects over HTTP in a separate process, and reports each entry's delay.
 */
import { Agent, get } from "node:http";
import type { LogEntry } from "@treadle/protocol";

export type ReaderTask =
  | { kind: "read"; port: number; token: string; projects: string[] }
  | { kind: "report"; expected: number };

export interface ReaderReport {
  /** Milliseconds from an entry's append to its arrival here. */
  delays: number[];
}

/** Entries that have not arrived by then count as lost. */
const LATE_MS = 10_000;

const delays: number[] = [];

process.on("message", (task: ReaderTask) => {
  if (task.kind === "report") {
    // Entries sent before this request came over other connections.
    const began = Date.now();
    const waiting = setInterval(() => {
      if (delays.length < task.expected && Date.now() - began < LATE_MS) return;
      clearInterval(waiting);
      process.send?.({ delays } satisfies ReaderReport);
    }, 50);
    return;
  }
  void Promise.all(task.projects.map((project) => follow(task, project))).then(() =>
    process.send?.({ delays: [] } satisfies ReaderReport),
  );
});

/** Resolves when the log answers; continues reading forever. */
function follow({ port, token }: ReaderTask & { kind: "read" }, project: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const path = `/api/projects/${project}/events`;
    const headers = { authorization: `Bearer ${token}` };
    get({ host: "127.0.0.1", port, path, headers, agent: new Agent() }, (response) => {
      if (response.statusCode !== 200) return reject(new Error(`status ${response.statusCode}`));
      let held = "";
      response.setEncoding("utf8");
      response.on("data", (piece: string) => {
        const now = Date.now();
        const blocks = (held + piece).split("\n\n");
        held = blocks.pop() ?? "";
        for (const block of blocks) {
          const data = /^data: (\[.*)$/m.exec(block)?.[1];
          if (!data) continue;
          for (const { at } of JSON.parse(data) as LogEntry[]) delays.push(now - at);
        }
        resolve();
      });
    }).on("error", reject);
  });
}
