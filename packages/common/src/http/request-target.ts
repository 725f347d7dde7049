/**
 * An unambiguous request target (RFC 9112, 3.2). Checks and forwarding use only this form, so that
 * nothing unchecked is forwarded.
 */
export interface RequestTarget {
  /** Begins with `/` and has no dot segments. Percent escapes are unchanged. */
  readonly path: string;
  /** From `?` on; empty if there is none. */
  readonly query: string;
  /** Path and query, as sent to an app. */
  readonly text: string;
}

/**
 * Characters of a path: those of RFC 3986 (3.3), and `|`, `[`, `]` and `^`, which browsers send
 * unescaped. Excludes `\`, which some servers treat as `/`, invalid escapes, and an escaped NUL,
 * which ends a path in C.
 */
const PATH = /^\/(?:[\w\-.~!$&'()*+,;=:@/|[\]^]|%(?!00)[0-9a-f]{2})*$/i;
/**
 * Visible ASCII without `#`: browsers and other programs send most of it unescaped, and no server
 * interprets it as a path.
 */
const QUERY = /^(?:\?[!-"$-~]*)?$/;
/**
 * A target in the form for a proxy. Its host contains no user name; only the Host header determines
 * the recipient.
 */
const ABSOLUTE = /^https?:\/\/(?:[a-z0-9\-._~]+|\[[0-9a-f:.]+\])(?::\d{1,5})?(?=[/?]|$)/i;
/**
 * A path that Node's older parser treats as a user and a host: `//user@host`, or `//user@` before a
 * query.
 */
const NAMES_A_USER = /^\/\/[^@/]+@(?:[^@/]|$)/;
/** A segment `.` or `..`, escaped or not: WHATWG's URL reads both as the same. */
const DOTS = /^(?:\.|%2e){1,2}$/i;
const HAS_DOTS = /\/(?:\.|%2e){1,2}(?:\/|$)/i;

/** The last parsed target, cached because the listener and then the handler read the same one. */
let latest: { target: string; read: RequestTarget } | undefined;

/**
 * Parses a request target strictly. Removes dot segments from paths and the origin from absolute
 * targets.
 * @returns undefined for an ambiguous target, which has to be answered 400. This includes `*`,
 * which asks about a whole server.
 */
export function readRequestTarget(target: string | undefined): RequestTarget | undefined {
  if (target === undefined) return undefined;
  if (latest?.target === target) return latest.read;
  const origin = target.startsWith("/") ? "" : ABSOLUTE.exec(target)?.[0];
  if (origin === undefined) return undefined;
  const rest = target.slice(origin.length);
  const mark = rest.indexOf("?");
  const query = mark === -1 ? "" : rest.slice(mark);
  const given = (mark === -1 ? rest : rest.slice(0, mark)) || "/";
  if (!PATH.test(given) || !QUERY.test(query)) return undefined;
  const path = HAS_DOTS.test(given) ? withoutDots(given) : given;
  if (NAMES_A_USER.test(path)) return undefined;
  const read = { path, query, text: query === "" ? path : path + query };
  latest = { target: read.text, read };
  return read;
}

/** Removes dot segments as RFC 3986 (5.2.4) does. */
function withoutDots(path: string): string {
  const segments = path.split("/").slice(1);
  const segmentsLeft: string[] = [];
  for (const [index, segment] of segments.entries()) {
    const isDots = DOTS.test(segment);
    if (!isDots) segmentsLeft.push(segment);
    // `.` or `%2e` is one dot, anything longer is two.
    else if (!/^(?:\.|%2e)$/i.test(segment)) segmentsLeft.pop();
    if (isDots && index === segments.length - 1) segmentsLeft.push("");
  }
  return `/${segmentsLeft.join("/")}`;
}
