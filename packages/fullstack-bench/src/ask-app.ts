import { setTimeout as sleep } from "node:timers/promises";
import type { Workspace } from "@treadle/workspace";
import { type Answer, type Ask, askOver, findMethods, isHtml } from "@treadle/publish";
import type { GateFile } from "@treadle/publish";
import type { RuleResult } from "./types.ts";

/** The judges give an app half a minute after it printed its address, in milliseconds. */
const SETTLE_MS = 30_000;
const AGAIN_MS = 250;
/** Maximum number of routes that are requested. */
const MOST_ROUTES = 40;

/** Requests the first page until it answers with a page, for as long as the judges wait. */
export async function askPage(
  workspace: Workspace,
  port: number,
  signal: AbortSignal,
): Promise<RuleResult & { code: "page" }> {
  const ask = askOver(() => workspace.connect(port));
  let answer: Answer | undefined;
  for (const until = Date.now() + SETTLE_MS; Date.now() < until; await sleep(AGAIN_MS)) {
    signal.throwIfAborted();
    answer = await ask("/");
    // A good answer is final; an error may come from an unfinished start.
    if (answer && answer.status < 400) break;
  }
  const isPage = answer !== undefined && answer.status < 400 && isHtml(answer);
  return {
    code: "page",
    state: isPage ? "held" : "failed",
    status: answer?.status ?? null,
    isHtml: answer !== undefined && isHtml(answer),
    isShown: null,
  };
}

/**
 * Requests the GET routes without parameters named in the app's sources, on every answering port. A
 * route that requires a sign-in or more input counts as answered; no answer, or a server error,
 * does not.
 * @param ports the app's ports, the page's first
 */
export async function askRoutes(
  workspace: Workspace,
  ports: readonly number[],
  sources: readonly GateFile[],
  signal: AbortSignal,
): Promise<RuleResult & { code: "api" }> {
  const paths = [
    ...new Set(
      findMethods(sources)
        .filter(({ method, path }) => method === "GET" && !path.includes(":") && path !== "/")
        .map(({ path }) => path),
    ),
  ].slice(0, MOST_ROUTES);
  const asks = ports.map((port): Ask => askOver(() => workspace.connect(port)));
  const broken: { path: string; status: number | null }[] = [];
  let answered = 0;
  for (const path of paths) {
    signal.throwIfAborted();
    let worst: number | null | undefined;
    let isAnswered = false;
    for (const ask of asks) {
      const answer = await ask(path);
      // A page's own server answers unknown paths with the page.
      if (!answer || isHtml(answer) || answer.status === 404) continue;
      if (answer.status < 500) isAnswered = true;
      else worst = answer.status;
    }
    if (isAnswered) answered++;
    else if (worst !== undefined) broken.push({ path, status: worst });
  }
  // The sources may also name page addresses, or addresses of other programs: an app with a back
  // end answers some of them.
  const isHeld = broken.length === 0 && answered > 0;
  // If no address is found in the sources, nothing is known: frameworks define them in many ways.
  const state = paths.length === 0 ? "untried" : isHeld ? "held" : "failed";
  return { code: "api", state, asked: paths, broken };
}
