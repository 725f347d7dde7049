import type { ServerState } from "@treadle/protocol";
import { serverText } from "../tools/describe-server.ts";
import { findRoutes } from "./find-routes.ts";
import { getPage, type Answer } from "./get-page.ts";
import type { Observation } from "./parts.ts";
import type { ProjectFacts } from "./project-facts.ts";
import { takesChanges } from "./takes-changes.ts";

const REDIRECTS = 3;
/** A server that has just been started, or restarts itself, is asked again. */
const ASK_TRIES = 4;
const ASK_AGAIN_MS = 500;

/** Where one of the server's processes answered. */
export interface View {
  port: number;
  /** Path and query, from `/` on. */
  path: string;
}

export type Served =
  /** HTML answered there; the first is the app's own page, the others are looked at as well. */
  | { kind: "page"; views: [View, ...View[]] }
  /** Something else answered: an API. */
  | { kind: "api"; view: View }
  | { kind: "none" };

/**
 * Proves that the app's server answers a real request, starting it where nobody did.
 * @param fresh whether the running server is known to have started from the files as they are.
 */
export async function observeServe(
  facts: ProjectFacts,
  fresh: boolean,
  look: Observation,
): Promise<Served> {
  const { workspace, clock, settle } = look;
  const since = clock.now();
  const command = serverCommand(facts, workspace.server);
  if (command === undefined) {
    settle("serve", "untried", "there is nothing to serve: no dev or start script, no index.html");
    return { kind: "none" };
  }
  settle("serve", "going", "waiting for the server");
  const server = await ensureServer(command, facts, fresh, look);
  const port = server.ports[0];
  if (server.state === "crashed" || server.state === "stopped" || port === undefined) {
    const summary =
      server.state === "crashed"
        ? `${command} crashed${server.exitCode === undefined ? "" : ` with ${server.exitCode}`}`
        : `${command} opened no port`;
    settle("serve", "failed", summary, { since, detail: serverText(server) });
    return { kind: "none" };
  }
  try {
    return await judgeAnswers(port, since, look);
  } catch (error) {
    look.signal.throwIfAborted();
    const reason = error instanceof Error ? error.message : String(error);
    const now = workspace.server ?? server;
    settle("serve", "failed", `${command} answered no request: ${reason}`, {
      since,
      detail: serverText(now),
    });
    return { kind: "none" };
  }
}

/** What is started where nobody said: the running command, `dev`, `start`, or the files as they are. */
function serverCommand(facts: ProjectFacts, running: ServerState | undefined): string | undefined {
  const scripts = facts.manifest?.scripts ?? {};
  if (running && scriptExists(running.command, scripts)) return running.command;
  if (scripts["dev"] !== undefined) return "npm run dev";
  if (scripts["start"] !== undefined) return "npm start";
  return facts.indexHtml ? "treadle-serve" : undefined;
}

function scriptOf(command: string): string | undefined {
  const match = /^\s*(?:npm|pnpm|yarn|bun)\s+(?:run\s+)?([\w:.-]+)/.exec(command);
  return match?.[1];
}

function scriptExists(command: string, scripts: Record<string, string>): boolean {
  const name = scriptOf(command);
  return name === undefined || scripts[name] !== undefined;
}

async function ensureServer(
  command: string,
  facts: ProjectFacts,
  fresh: boolean,
  { workspace, signal }: Observation,
): Promise<ServerState> {
  const running = workspace.server;
  const script = scriptOf(command);
  const text = `${command} ${script === undefined ? "" : (facts.manifest?.scripts[script] ?? "")}`;
  const current = running?.state === "up" && running.command === command;
  if (running && current && (fresh || takesChanges(text))) return running;
  return workspace.start(command, { signal });
}

async function judgeAnswers(port: number, since: number, look: Observation): Promise<Served> {
  const { workspace, signal, settle } = look;
  let path = "/";
  let answer = await ask(port, path, look);
  for (let hop = 0; hop < REDIRECTS && answer.status >= 300 && answer.status < 400; hop++) {
    const next = localPath(answer.location, port);
    if (next === undefined) break;
    path = next;
    answer = await ask(port, path, look);
  }
  if (answer.status === 404)
    for (const route of await findRoutes(workspace)) {
      const other = await getPage(workspace, port, route, signal);
      if (other.status === 404) continue;
      [path, answer] = [route, other];
      if (other.status >= 500) break;
      if (other.status < 400) break;
    }
  const summary = `GET ${path} answered ${answer.status}`;
  if (answer.status >= 500) {
    settle("serve", "failed", summary, {
      since,
      detail: `${summary}\n${answer.body}\n${tailOf(look)}`,
    });
    return { kind: "none" };
  }
  if (answer.status === 404) {
    settle(
      "serve",
      "untried",
      "the server answered 404 on / and on every address found in the sources",
      { since },
    );
    return { kind: "none" };
  }
  settle("serve", "held", summary, {
    since,
    detail: `${summary}\n${answer.contentType}\n${answer.body.slice(0, 1_000)}`,
  });
  const view = { port, path };
  return isHtml(answer) ? { kind: "page", views: [view] } : { kind: "api", view };
}

/** The first request after a start or a change may meet a server that is not there yet. */
async function ask(
  port: number,
  path: string,
  { workspace, signal, clock }: Observation,
): Promise<Answer> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await getPage(workspace, port, path, signal);
    } catch (error) {
      signal.throwIfAborted();
      if (attempt >= ASK_TRIES || workspace.server?.state === "crashed") throw error;
      await clock.sleep(ASK_AGAIN_MS * attempt, signal);
    }
  }
}

function isHtml({ contentType }: Answer): boolean {
  return /^\s*(?:text\/html|application\/xhtml\+xml)\b/i.test(contentType);
}

/** A redirect that stays on the app: its path and query. */
function localPath(location: string | undefined, port: number): string | undefined {
  if (location === undefined) return undefined;
  try {
    const base = `http://localhost:${port}`;
    const url = new URL(location, base);
    return url.origin === base || url.hostname === "127.0.0.1"
      ? url.pathname + url.search
      : undefined;
  } catch {
    return undefined;
  }
}

function tailOf({ workspace }: Observation): string {
  return workspace.server?.tail ?? "";
}
