import {
  ACTIONS,
  actionOf,
  type Action,
  type Authority,
  type Holder,
  type Principal,
} from "@treadle/accounts";
import { ApiFailure, notFound } from "@treadle/common";
import { sentence } from "@treadle/protocol/sentences";
import type { LiveAccess } from "./live-access.ts";
import type { Context, MiddlewareHandler } from "hono";

declare module "hono" {
  interface ContextVariableMap {
    /** Undefined only in routes that need no sign-in. */
    principal: Principal | undefined;
    authority: Authority;
    /** Ends streams of people whose access has ended; undefined without accounts. */
    live: LiveAccess | undefined;
    /** Records a request in the audit log; undefined without accounts. */
    audit: ((c: Context, action: Action) => Promise<void>) | undefined;
    /** Whether a project exists and is not deleted. */
    hasProject(id: string): boolean | Promise<boolean>;
    /** The project or person to whom a comparison belongs; undefined if there is none of that id. */
    holderOfComparison(id: string): Holder | undefined;
  }
}

const declared = new WeakMap<MiddlewareHandler, readonly Action[]>();

/**
 * Middleware that lets a request pass if its principal may do all of the actions. Every route has it, before
 * anything of the request is read. Afterwards it records the request in the audit log, and ends a streamed response
 * with its reader's access.
 * @param holder which parameter of the path names the project; default `id`
 * @throws ApiFailure 401, 403 or, if the project is deleted or the person may not even know of it, 404
 */
export function requires(
  actions: Action | readonly Action[],
  holder: "id" | "comparison" = "id",
): MiddlewareHandler {
  const all = [actions].flat();
  const middleware: MiddlewareHandler = async (c, next) => {
    const what = holder === "id" ? "project" : holder;
    for (const action of all) await permit(c, action, holderIn(c, action, holder), what);
    await next();
    await c.get("audit")?.(c, all[0]!);
    const live = c.get("live");
    if (live) endWithAccess(c, live, all[0]!, holderIn(c, all[0]!, holder));
  };
  declared.set(middleware, all);
  return middleware;
}

/** Ends a streamed response as soon as its reader loses access. */
function endWithAccess(
  c: Context,
  live: LiveAccess,
  action: Action,
  holder: Holder | undefined,
): void {
  const principal = c.get("principal");
  const { body, headers } = c.res;
  const isStream = /^(?:text\/event-stream|application\/x-ndjson)/.test(
    headers.get("content-type") ?? "",
  );
  if (!body || !isStream || principal === undefined) return;
  const ended = new AbortController();
  const unwatch = live.watch({ principal, action, holder, end: () => ended.abort() });
  const passed = new TransformStream<Uint8Array, Uint8Array>({ flush: unwatch });
  body.pipeTo(passed.writable, { signal: ended.signal }).catch(() => undefined).finally(unwatch); // prettier-ignore
  c.res = new Response(passed.readable, c.res);
}

function holderIn(c: Context, action: Action, by: "id" | "comparison"): Holder | undefined {
  if (ACTIONS[action].on !== "project") return undefined;
  const named = c.req.param(by) ?? "";
  if (by === "id") return { project: named };
  const holder = c.get("holderOfComparison")(named);
  if (!holder) throw notFound(by);
  return holder;
}

/** The actions that a middleware requires; undefined if it is another one. */
export const requiredActions = (handler: unknown): readonly Action[] | undefined =>
  declared.get(handler as MiddlewareHandler);

/**
 * Checks an action that depends on the content of the request, such as a project in its body.
 * @param what the thing that the 404 reports missing, if the person may not know of it
 * @throws ApiFailure 401, 403 or 404, as `requires`
 */
export async function permit(
  c: Context,
  action: Action,
  holder?: Holder,
  what: "project" | "comparison" = "project",
): Promise<void> {
  const decision = await c.get("authority").decide(c.get("principal"), action, holder);
  if (decision === "allowed") {
    if (!(await mayExist(c, action, holder))) throw notFound(what);
    return;
  }
  if (decision === "hidden") throw notFound(what);
  throw decision === "signed-out"
    ? new ApiFailure(401, "signed-out", sentence("not-signed-in"))
    : new ApiFailure(403, "not-permitted", sentence("not-permitted"));
}

/** Whether the project of an action exists; also true for an action on something else, or on deleted projects. */
function mayExist(
  c: Context,
  action: Action,
  holder: Holder | undefined,
): boolean | Promise<boolean> {
  const entry = actionOf(action);
  if (entry.on !== "project" || entry.ofDeleted || !holder || !("project" in holder)) return true;
  return c.get("hasProject")(holder.project);
}

/** Resolves with a function that tells whether the request's principal may see a project. For lists. */
export async function visibleProjects(c: Context): Promise<(project: string) => boolean> {
  const principal = c.get("principal");
  return principal === undefined ? () => false : c.get("authority").visibleTo(principal);
}
