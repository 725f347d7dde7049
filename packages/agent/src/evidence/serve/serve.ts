import { headOf, tailOf } from "@treadle/protocol/safe-text";
import type { ServerState } from "@treadle/protocol";
import { clauses, sentence, type Sentence } from "@treadle/protocol/sentences";
import { serverText } from "../../text/server-text.ts";
import { askPort, brokenRoute, type AskingPort, type PortAnswer } from "./ask-port.ts";
import type { Observation } from "../observation.ts";
import type { ProjectFacts } from "../../project/project-facts.ts";
import { migrate } from "../../project/migrations.ts";
import { expectsPage, readParts } from "../../project/project-parts.ts";
import { runsSeveral, serverCommand, type ServerCommand } from "../../project/server-command.ts";
import { takesChanges } from "../../project/takes-changes.ts";
import { crashedPart } from "./watcher-crash.ts";

/** Milliseconds to wait for further ports after the first: the processes of one command open their ports one after another. */
export const SEVERAL_MS = 4_000;
/** Milliseconds to wait for a late port that may serve the page which the project is known to have. */
const PAGE_MS = 15_000;
const LOOK_MS = 100;

/** An address at which one of the server's processes answered. */
export interface View {
  port: number;
  /** Path and query, beginning with `/`. */
  path: string;
  /** Milliseconds until the answer. */
  answerMs?: number;
}

export type Served = (
  | { kind: "page"; views: [View, ...View[]] }
  /** The answer was not a page. `missing` states why a page was expected nevertheless. */
  | { kind: "api"; view: View; missing?: string }
  | { kind: "none" }
) & {
  /** The ports that were asked and the script of the server, so that a later change is noticed. */
  ports?: readonly number[];
  script?: string;
};

/**
 * Starts the person's server if it is not running or was started from other files.
 * @param fresh whether the running server is known to have started from the current files
 * @returns the running server, or undefined if none runs; the part then states why
 */
export async function observeStart(
  facts: ProjectFacts,
  fresh: boolean,
  look: Observation,
): Promise<ServerCommand | undefined> {
  const { workspace, clock, settle } = look;
  const since = clock.now();
  const requested = serverCommand(facts, workspace.server);
  if (requested === undefined) {
    settle("serve", "untried", sentence("nothing-to-serve"));
    return undefined;
  }
  settle("serve", "going", sentence("waiting-server"));
  const migration = await migrate(workspace, { seed: true, signal: look.signal });
  if (migration.kind === "failed") {
    const [first = ""] = migration.output.split("\n");
    settle("serve", "failed", sentence("migration-failed", { what: first }), {
      since,
      detail: migration.output,
    });
    return undefined;
  }
  const server = await ensureServer(requested, fresh, look);
  if (typeof server === "string") {
    settle("serve", "failed", sentence("built-fails", { command: String(requested.build) }), {
      since,
      detail: server,
    });
    return undefined;
  }
  const { command } = requested;
  if (server.state === "crashed" || server.state === "stopped" || server.ports.length === 0) {
    // A restarting server has crashed before.
    const summary =
      server.state === "crashed" || server.restarts > 0
        ? server.exitCode === undefined
          ? sentence("crashed", { command })
          : sentence("crashed-with", { command, code: String(server.exitCode) })
        : sentence("no-port", { command });
    settle("serve", "failed", summary, { since, detail: serverText(server) });
    return undefined;
  }
  return requested;
}

/**
 * Proves that every port of the app's server answers real requests.
 * @param options.look the observation of the workspace in which that server runs
 * @param options.since the time at which its start began
 * @param options.showPort called with the port that serves the page
 */
export async function observeAnswers(
  facts: ProjectFacts,
  { command, script }: ServerCommand,
  options: {
    look: Observation;
    since: number;
    showPort(port: number): void;
  },
): Promise<Served> {
  const { look, since } = options;
  const { workspace, settle } = look;
  const answers = await askPorts(script, look);
  const ports = answers.map(({ port }) => port);
  const crashed = crashedPart(workspace.serverLog());
  if (crashed !== undefined) {
    settle("serve", "failed", sentence("part-of-crashed", { command, what: crashed }), {
      since,
      detail: tailOf(workspace.serverLog(), 4_000),
    });
    return { kind: "none", ports, script };
  }
  return { ...(await judgeAnswers(facts, command, answers, options)), ports, script };
}

/** @returns the server, or the result of the build that it would have served */
async function ensureServer(
  { command, script, build }: ServerCommand,
  fresh: boolean,
  { workspace, signal }: Observation,
): Promise<ServerState | string> {
  const running = workspace.server;
  if (running?.state === "up" && running.command === command) {
    if (fresh) return running;
    if (takesChanges(script) && (await workspace.isServerSetUp())) return running;
  }
  if (build !== undefined) {
    const exit = await workspace.run(build, { signal, isOwn: true });
    signal.throwIfAborted();
    if (exit.kind !== "exited" || exit.code !== 0) return exit.output;
  }
  return workspace.start(command, { signal, alone: true });
}

/** Requests every port, including those that open meanwhile. */
async function askPorts(script: string, look: Observation): Promise<PortAnswer[]> {
  const { workspace, signal, clock } = look;
  const parts = asking(look);
  const asked = new Map<number, PortAnswer>();
  const ports = () => (workspace.server?.state === "up" ? workspace.server.ports : []);
  const until = async (end: number, done: () => boolean) => {
    while (!done() && clock.now() < end && workspace.server?.state === "up")
      await clock.sleep(LOOK_MS, signal);
  };
  const askNew = async () => {
    const open = ports().filter((port) => !asked.has(port));
    for (const answer of await Promise.all(open.map((port) => askPort(port, parts))))
      asked.set(answer.port, answer);
  };
  const up = workspace.server?.since ?? clock.now();
  if (runsSeveral(script)) await until(up + SEVERAL_MS, () => ports().length > 1);
  await askNew();
  const hasPage = () =>
    [...asked.values()].some(({ kind }) => kind === "page" || kind === "broken");
  if (!hasPage() && (await readParts(workspace)).some(expectsPage)) {
    const late = clock.now() + PAGE_MS;
    while (!hasPage() && clock.now() < late && workspace.server?.state === "up") {
      await until(late, () => ports().some((port) => !asked.has(port)));
      await askNew();
    }
  }
  return [...asked.values()].filter(({ port }) => ports().includes(port));
}

async function judgeAnswers(
  facts: ProjectFacts,
  command: string,
  answers: PortAnswer[],
  { since, look, showPort }: Parameters<typeof observeAnswers>[2],
): Promise<Served> {
  const { workspace, settle } = look;
  const broken = answers.find((answer) => answer.kind === "broken");
  const pages = answers.filter((answer) => answer.kind === "page").toSorted(byDocument);
  const data = answers.filter((answer) => answer.kind === "data");
  const [main] = pages;
  if (main) showPort(main.port);
  const where = (port: number) => (answers.length > 1 ? ` on port ${port}` : "");
  if (broken) {
    const { answered, said: message, port } = broken;
    const words = answered && answeredWords({ ...answered, port }, answers.length > 1);
    settle("serve", "failed", words ?? `${message}${where(port)}`, {
      since,
      detail: broken.detail,
    });
    return { kind: "none" };
  }
  const proof = main ?? data[0];
  if (!proof) {
    const sentence = clauses(...answers.map((answer) => saidBy(answer, where(answer.port))));
    const none = silence(command, workspace.server);
    if (workspace.server?.state === "up")
      settle("serve", "untried", answers.length > 0 ? sentence : none, { since });
    else settle("serve", "failed", none, { since, detail: serverTail(look) });
    return { kind: "none" };
  }
  if (!main) {
    const bad = await brokenRoute(proof.port, proof.path, asking(look));
    if (bad) {
      settle("serve", "failed", sentence("answered", { path: bad.path, status: 500 }), {
        since,
        detail: bad.detail,
      });
      return { kind: "none" };
    }
  }
  const { body, contentType } = proof.answer;
  const others = [...pages, ...data].filter((answer) => answer !== proof);
  settle(
    "serve",
    "held",
    clauses(
      answeredWords(
        { path: proof.path, port: proof.port, status: proof.answer.status },
        answers.length > 1,
      ),
      ...others.map(inShort),
    ),
    {
      since,
      detail: `${proof.said}\n${contentType}\n${headOf(body, 1_000)}`,
    },
  );
  const viewOf = ({ port, path, answer }: typeof proof): View => ({
    port,
    path,
    answerMs: answer.ms,
  });
  const view = viewOf(proof);
  if (!main) {
    const missing = facts.indexHtml
      ? "index.html stands in the project, and no port of its server shows it"
      : undefined;
    return { kind: "api", view, missing };
  }
  return {
    kind: "page",
    views: [view, ...pages.slice(1).map(viewOf)],
  };
}

function answeredWords(
  { path, port, status }: { path: string; port: number; status: number },
  isOneOfSeveral: boolean,
): Sentence {
  return isOneOfSeveral
    ? sentence("answered-on-port", { path, status, port })
    : sentence("answered", { path, status });
}

function silence(command: string, server: ServerState | undefined): Sentence {
  if (server?.state === "up") return sentence("answered-nothing");
  if (server?.state !== "starting" || server.restarts > 0 || server.ports.length === 0)
    return sentence("crashed", { command });
  return sentence("silent", { command, port: server.ports.join(", ") });
}

/**
 * Describes a port that proved nothing. @param where words that name the port among several; empty if there is only one
 */
const saidBy = (answer: PortAnswer, where: string): Sentence =>
  where === "" && answer.kind === "open"
    ? { text: answer.said, coded: answer.saidCode }
    : { text: `${answer.said}${where}` };

type Heard = Extract<PortAnswer, { kind: "page" | "data" }>;

const inShort = ({ port, path, answer }: Heard) => `${path} on port ${port} ${answer.status}`;

/** Prefers an app to mere text: Express sends "API is running" as HTML. */
export function byDocument(
  a: { answer: { body: string } },
  b: { answer: { body: string } },
): number {
  const weight = ({ answer: { body } }: typeof a) =>
    Number(/<!doctype|<html|<body/i.test(body)) + Number(/<script|<link/i.test(body));
  return weight(b) - weight(a);
}

const asking = ({ workspace, signal, clock }: Observation): AskingPort => ({
  workspace,
  signal,
  sleep: (ms) => clock.sleep(ms, signal),
  printed: () => workspace.serverLog(),
});

function serverTail({ workspace }: Observation): string {
  return workspace.server?.tail ?? tailOf(workspace.serverLog(), 4_000);
}
