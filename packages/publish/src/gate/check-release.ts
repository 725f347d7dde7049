import type { Gate } from "@treadle/protocol";
import type { Ask } from "./strangers/ask.ts";
import { checkAccess } from "./strangers/check-access.ts";
import { checkPage } from "./strangers/check-page.ts";
import { gateOf } from "./gate-of.ts";
import { findRoutes } from "./routes/find-routes.ts";
import { guessRoutes } from "./routes/guess-routes.ts";
import { handedOutRows } from "./strangers/handed-out.ts";
import { remoteProcedures } from "./routes/remote-procedures.ts";
import type { LookedOver } from "./look-over.ts";

/** Time limit for all requests, in milliseconds; later ones are left out, which is reported. */
const WHOLE_MS = 20_000;

/**
 * Checks a release by requests before anyone else can reach it, together with the findings in its
 * files.
 */
export async function checkRelease(
  ask: Ask,
  {
    gate,
    sources,
    own,
    isApp,
    firstPageMB,
    signal,
  }: LookedOver & { isApp: boolean; firstPageMB: number; signal: AbortSignal },
): Promise<Gate> {
  const until = performance.now() + WHOLE_MS;
  let late = false;
  const inTime: Ask = async (path, headers) => {
    signal.throwIfAborted();
    if (performance.now() < until) return ask(path, headers);
    late = true;
    // The address counts as present, because nothing is known about it.
    return { status: 204, headers: {}, bytes: 0, text: "" };
  };
  const remote = remoteProcedures(isApp ? sources : []);
  const called = remote.routes.filter(
    ({ method, path }) => method === "GET" && !path.endsWith(":id"),
  );
  const routes = isApp ? [...findRoutes(sources), ...called.map(({ path }) => path)] : [];
  const guessed = isApp ? guessRoutes(sources, routes) : [];
  const found = [
    ...(await checkPage(inTime, { isApp, own, firstPageMB })),
    ...(await handedOutRows(inTime, sources)),
    ...(isApp
      ? await checkAccess(remote.overAsk(inTime), {
          routes,
          guessed,
          isInTime: () => performance.now() < until,
          own,
          sources,
        })
      : []),
  ];
  const unchecked = late ? ["It answers slowly: not all of its addresses were asked."] : [];
  return gateOf(
    [...gate.findings, ...found.map((one) => ({ ...one, where: remote.named(one.where) }))],
    [...gate.unchecked, ...unchecked],
  );
}
