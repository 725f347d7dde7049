/**
 * Runs a recorded session on a failing disk: a server with a data folder of its own and a person's
 * actions; then checks that everything acknowledged still exists. As a program (with
 * `faulty-disk.test-support.c` preloaded), it tries the faults in its arguments,
 * `FIRST:COUNT:ERRNO` each, and prints problems as lines of JSON.
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { openStore } from "@treadle/store";
import { startTestServer, type TestServer } from "./server.test-support.ts";

export interface Fault {
  /** The number of the first write that fails, from 1. */
  first: number;
  /** How many writes fail from there on. */
  count: number;
  errno: number;
}

/** Time limit of one response in milliseconds; a longer wait means that it hangs. */
const LATE = 60_000;
const PIXEL =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/** Acknowledged results. */
interface Acknowledged {
  project?: string;
  name?: string;
  messages: Set<string>;
  secret?: string;
  rules?: string;
}

const control = (word: string) => {
  try {
    return readFileSync(`/treadle-faults/${word}`, "utf8");
  } catch {
    return "";
  }
};
const arm = ({ first, count, errno }: Fault) => control(`arm/${first}/${count}/${errno}`);
const disarm = () => arm({ first: 0, count: 0, errno: 0 });

/**
 * Tries one fault.
 * @returns the problems, and the number of the session's writes
 */
export async function trySession(
  under: string,
  fault: Fault,
): Promise<{ problems: string[]; calls: number }> {
  const directory = mkdtempSync(under);
  const problems: string[] = [];
  const acknowledged: Acknowledged = { messages: new Set() };
  try {
    arm(fault);
    let server = await start(directory, problems);
    if (server) await live(server, acknowledged, problems);
    const calls = Number(control("count"));
    disarm();
    // A server that survived continues; one that refused to start is started again.
    server ??= await startTestServer(directory);
    await goesOn(server, acknowledged, problems);
    await server.close();
    await checkComplete(directory, acknowledged, problems);
    return { problems, calls };
  } catch (error) {
    disarm();
    return { problems: [...problems, `threw ${(error as Error).stack}`], calls: 0 };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Undefined if it refused to start, for which it must give people a reason. */
async function start(directory: string, problems: string[]): Promise<TestServer | undefined> {
  try {
    return await inTime("start", startTestServer(directory));
  } catch (error) {
    const { message } = error as Error;
    if (!/disk|cannot be written|failed/i.test(message)) problems.push(`start said: ${message}`);
    return undefined;
  }
}

async function live(
  server: TestServer,
  acknowledged: Acknowledged,
  problems: string[],
): Promise<void> {
  server.turns.push(async (_request, _ports, { emit, workspace }) => {
    workspace.put("src/App.tsx", "one\n".repeat(1_000));
    for (let step = 1; step <= 3; step++)
      emit({ type: "text", run: "r", id: `t${step}`, text: "words ".repeat(200) });
  });
  const ask = (path: string, json: unknown, method = "POST") =>
    answered(server, path, { json, method }, problems);
  const made = await ask("/api/projects", { prompt: "Build it" });
  if (typeof made?.id !== "string") return;
  acknowledged.project = made.id;
  const at = `/api/projects/${made.id}`;
  if (await ask(at, { name: "Renamed" }, "PATCH")) acknowledged.name = "Renamed";
  const answer = await ask(`${at}/messages`, { text: "And then", pictures: [PIXEL] });
  if (typeof answer?.message === "string") acknowledged.messages.add(answer.message);
  const secret = { host: "api.example.com", value: "value-of-it" };
  if (await ask(`${at}/settings/secrets/KEY`, secret, "PUT")) acknowledged.secret = "KEY";
  if (await ask("/api/rules", { text: "Be brief." }, "PUT")) acknowledged.rules = "Be brief.";
  await ask(`${at}/todo`, { items: [{ text: "One", state: "open" }] }, "PUT");
}

/** Undefined if the request failed, for which it must give a reason. */
async function answered(
  server: TestServer,
  path: string,
  init: { json: unknown; method: string },
  problems: string[],
): Promise<Record<string, unknown> | undefined> {
  const what = `${init.method} ${path.replace(/projects\/[^/]+/, "projects/…")}`;
  const response = await inTime(what, server.api(path, init));
  const body = (await response.json()) as Record<string, unknown>;
  if (response.ok) return body;
  const { code, message } = body.error as { code: string; message: string };
  if (response.status >= 500 && !/disk|cannot be written|database/i.test(message))
    problems.push(`${what} was answered ${code}: ${message} ${server.notices.at(-1)}`);
  return undefined;
}

/** Checks that the server works again once the disk does. */
async function goesOn(
  server: TestServer,
  acknowledged: Acknowledged,
  problems: string[],
): Promise<void> {
  const made = await answered(
    server,
    "/api/projects",
    { json: { name: "After" }, method: "POST" },
    problems,
  );
  if (!made) problems.push("no project could be made afterwards");
  if (acknowledged.project === undefined) return;
  const at = `/api/projects/${acknowledged.project}`;
  const answer = await answered(
    server,
    `${at}/messages`,
    { json: { text: "Afterwards" }, method: "POST" },
    problems,
  );
  if (typeof answer?.message !== "string") {
    problems.push("nothing could be said afterwards");
    return;
  }
  acknowledged.messages.add(answer.message);
  const { project } = acknowledged;
  await inTime(
    "the run afterwards",
    server.until(
      project,
      (event) => event.type === "run-start" && event.message === answer.message,
    ),
  );
}

/** Checks the folder's content while no server uses it. */
async function checkComplete(
  directory: string,
  acknowledged: Acknowledged,
  problems: string[],
): Promise<void> {
  const store = await openStore({ directory });
  try {
    if (acknowledged.project === undefined) return;
    const record = await store.projects.get(acknowledged.project);
    if (!record) return void problems.push("the project is gone");
    if (acknowledged.name !== undefined && record.name !== acknowledged.name)
      problems.push(`it is called ${record.name}`);
    const entries = await store.log.read(acknowledged.project, 0);
    const messages = new Set(
      entries.flatMap(({ event }) => (event.type === "message" ? [event.message] : [])),
    );
    for (const message of acknowledged.messages)
      if (!messages.has(message)) problems.push(`the message ${message} is not in the log`);
    const starts = entries.filter(({ event }) => event.type === "run-start").length;
    const ends = entries.filter(({ event }) => event.type === "run-end").length;
    if (starts !== ends) problems.push(`${starts} runs began and ${ends} ended`);
    const numbers = entries.map(({ seq }) => seq);
    if (new Set(numbers).size !== numbers.length) problems.push("a number is there twice");
    const secrets = await store.secrets.reveal(acknowledged.project, "preview");
    if (acknowledged.secret !== undefined && secrets[0]?.value !== "value-of-it")
      problems.push("the secret is gone");
    if (
      acknowledged.rules !== undefined &&
      readFileSync(join(directory, "rules.md"), "utf8") !== acknowledged.rules
    )
      problems.push("the rules are gone");
  } finally {
    await store.close();
  }
}

async function inTime<T>(what: string, promise: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} hangs`)), LATE);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

if (process.argv[1] === import.meta.filename) {
  const under = process.env.FAULTS_UNDER ?? "";
  let current = "";
  process.on("unhandledRejection", (error) => {
    process.stdout.write(`${JSON.stringify({ fault: current, problems: [`unhandled ${String(error)}`], calls: 0 })}\n`); // prettier-ignore
    process.exit(1);
  });
  for (const fault of process.argv.slice(2)) {
    current = fault;
    const [first = 0, count = 0, errno = 0] = fault.split(":").map(Number);
    const tried = await trySession(under, { first, count, errno });
    process.stdout.write(`${JSON.stringify({ fault, ...tried })}\n`);
  }
  process.exit(0);
}
