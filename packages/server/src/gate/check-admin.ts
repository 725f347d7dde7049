import { isHtml, type Answer } from "./ask.ts";
import { ADMIN, NOWHERE, SIGN_IN } from "./check-access.ts";
import { fillFields } from "./fill-fields.ts";
import type { Route } from "./find-methods.ts";
import type { Body, Person } from "./person.ts";
import type { Found } from "./types.ts";

const MOST = 12;
/** Ways in and out, which anybody may take. */
const WAY_IN =
  /log-?(?:in|out)|sign-?(?:in|out|up)|regist|session|auth(?:\/|$)|password|forgot|token|csrf/i;

/** What changes something at an address that is called admin. */
export const adminWrites = (routes: readonly Route[]): Route[] =>
  routes
    .filter(({ method, path }) => method !== "GET" && ADMIN.test(path) && !WAY_IN.test(path))
    .slice(0, MOST);

/**
 * Does as somebody whom the app does not know what only its people should. For a copy whose data is thrown away: what it
 * asks for may be done.
 */
export async function checkAdminWrites(
  stranger: Person,
  routes: readonly Route[],
): Promise<Found[]> {
  const writes = adminWrites(routes);
  // Some answer everything alike.
  if (
    writes.length === 0 ||
    isDone(await stranger.send("POST", `/admin${NOWHERE}`, as("json", {})))
  )
    return [];
  const found: Found[] = [];
  for (const { method, path, fields } of writes) {
    const filled = fillFields(fields, "gate");
    const address = path.replaceAll(/:\w+/g, "1");
    // What is answered to whoever only looks is a page, and nothing was done.
    const page = await stranger.get(address);
    for (const kind of ["json", "form"] as const) {
      const answer = await stranger.send(method, address, as(kind, filled));
      const isPage = answer?.status === page?.status && answer?.text === page?.text;
      if (isDone(answer) && !isPage) {
        found.push({
          check: "access",
          severity: "serious",
          title: "What is called admin is done for anybody, without a sign-in.",
          where: `${method} ${path}`,
          todo: "Do it only for somebody who is signed in and may, with 401 or 403 to all others, on the server and not in the page.",
        });
        break;
      }
    }
  }
  return found;
}

const as = (kind: Body["as"], fields: Body["fields"]): Body => ({ as: kind, fields });

/** Whether it was done; where that is not certain, it was not. */
function isDone(answer: Answer | undefined): boolean {
  if (!answer) return false;
  const { status, text, headers } = answer;
  if (status >= 300 && status < 400) {
    // Who is not let in is led to the way in, or home.
    const to = headers.location ?? "";
    return ADMIN.test(to.replace(/[?#].*$/, "")) && !WAY_IN.test(to) && !/error|denied/i.test(to);
  }
  if (status < 200 || status >= 300) return false;
  return isHtml(answer) ? !SIGN_IN.test(text) : !isRefusal(text);
}

function isRefusal(text: string): boolean {
  try {
    const data = JSON.parse(text) as Record<string, unknown> | null;
    return data === null || "error" in data || data["ok"] === false || data["success"] === false;
  } catch {
    return false;
  }
}
