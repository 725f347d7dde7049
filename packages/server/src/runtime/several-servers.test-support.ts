/** Several servers as child processes on one database and one data folder, and what a person sees of them. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, request as ask } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { LogEntry } from "@treadle/protocol";
import { WebSocket } from "ws";
import { startDatabases } from "../../../store/src/postgres/database.test-support.ts";
import { HOST } from "../access/public.test-support.ts";

const PROGRAM = fileURLToPath(new URL("./server-process.test-support.ts", import.meta.url));

export interface ServerProcess {
  process: ChildProcess;
  port: number;
  token: string;
}

export async function startServers({ leaseMs }: { leaseMs: number }) {
  const directory = mkdtempSync(join(tmpdir(), "treadle-servers-"));
  const databases = await startDatabases();
  const database = await databases.create();
  const running = new Set<ChildProcess>();

  async function start(): Promise<ServerProcess> {
    const address = `http://127.0.0.1:${await freePort()}`;
    const args = [PROGRAM, directory, database, address, String(leaseMs)];
    const child = spawn(process.execPath, ["--conditions=treadle-source", ...args], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    running.add(child);
    child.once("close", () => running.delete(child));
    const ended = once(child, "close").then(([code]) => Promise.reject(new Error(`A server ended with ${code}.`))); // prettier-ignore
    // Later it is ended on purpose.
    ended.catch(() => undefined);
    const [line] = (await Promise.race([once(createInterface(child.stdout), "line"), ended])) as [string]; // prettier-ignore
    return { process: child, ...(JSON.parse(line) as { port: number; token: string }) };
  }

  const headersFor = ({ token }: ServerProcess) => ({
    host: HOST,
    "x-forwarded-proto": "https",
    "x-forwarded-for": "198.51.100.7",
    authorization: `Bearer ${token}`,
  });

  /** Sends a request to one of the servers as the web server in front of them does. */
  function send(
    to: ServerProcess,
    path: string,
    json?: unknown,
  ): Promise<{ status: number; body: unknown }> {
    return new Promise((resolve, reject) => {
      const sent = ask({
        host: "127.0.0.1",
        port: to.port,
        path,
        method: json === undefined ? "GET" : "POST",
        headers: { ...headersFor(to), ...(json !== undefined && { "content-type": "application/json" }) }, // prettier-ignore
      });
      sent.on("error", reject).on("response", (answer) => {
        answer.toArray().then((parts) => {
          const text = Buffer.concat(parts as Buffer[]).toString();
          resolve({
            status: answer.statusCode ?? 0,
            body: text === "" ? undefined : JSON.parse(text),
          });
        }, reject);
      });
      sent.end(json === undefined ? undefined : JSON.stringify(json));
    });
  }

  /** Sends a request until a server answers it: the owner may just have gone. */
  async function sendUntilAnswered(to: ServerProcess, path: string, json?: unknown) {
    for (;;) {
      const answer = await send(to, path, json);
      if (answer.status !== 503) return answer.body;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  /** Follows a project's log as a page does that is connected to this server. */
  function follow(to: ServerProcess, project: string) {
    const entries: LogEntry[] = [];
    const socket = new WebSocket(`ws://127.0.0.1:${to.port}/api/projects/${project}/events?after=0`, { headers: headersFor(to) }); // prettier-ignore
    socket.on("error", () => undefined);
    socket.on("message", (bytes: Buffer) => {
      const message = JSON.parse(bytes.toString()) as LogEntry[];
      entries.push(...message);
    });
    return { entries, close: () => socket.terminate() };
  }

  /** The whole log, read from the database, with what the owners wrote. */
  async function log(project: string): Promise<{ seq: number; event: LogEntry["event"] }[]> {
    const { Client } = await import("pg");
    const client = new Client({ connectionString: database });
    await client.connect();
    try {
      const { rows } = await client.query<{ seq: string; event: string }>(
        "select seq, event from treadle.log where project = $1 order by seq",
        [project],
      );
      return rows.map(({ seq, event }) => ({ seq: Number(seq), event: JSON.parse(event) as LogEntry["event"] })); // prettier-ignore
    } finally {
      await client.end();
    }
  }

  return {
    start,
    send,
    sendUntilAnswered,
    follow,
    log,
    async close() {
      for (const child of running) {
        child.kill("SIGKILL");
        await once(child, "close");
      }
      await databases.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

type Entries = readonly { seq: number; event: LogEntry["event"] }[];

/** The text of each run, in the order of the log; the same before and after a log was compacted. */
export function textsOf(entries: Entries): Map<string, string> {
  const texts = new Map<string, string>();
  for (const { event } of entries)
    if (event.type === "text") texts.set(event.run, (texts.get(event.run) ?? "") + event.text);
  return texts;
}

/** What is wrong with a log: entries of a run after its end, and texts that are missing, doubled or not in order. */
export function problemsOf(entries: Entries): string[] {
  const problems: string[] = [];
  const ended = new Set<string>();
  for (const { event } of entries) {
    if (event.type === "text" && ended.has(event.run))
      problems.push(`text after the end of run ${event.run}`);
    if (event.type !== "run-end") continue;
    if (ended.has(event.run)) problems.push(`run ${event.run} ended twice`);
    ended.add(event.run);
  }
  for (const [run, text] of textsOf(entries)) {
    const numbers = text.trim().split(" ").map((piece) => Number(piece.split(":")[1])); // prettier-ignore
    if (numbers.some((number, index) => number !== index + 1))
      problems.push(`texts of run ${run}: ${numbers.join(" ")}`);
  }
  return problems;
}
