import { parseChecks } from "@treadle/protocol/checks";

/** An address of an API, with one of its methods. */
export interface ApiAddress {
  method: string;
  path: string;
  /** An example of a request body. */
  body?: string | undefined;
}

const MAX_ADDRESSES = 200;
const METHODS = ["get", "post", "put", "patch", "delete", "head", "options"];

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The addresses in an OpenAPI description; empty if the answer is not one. */
export function describedAddresses(answer: string | undefined): ApiAddress[] {
  const description = parsed(answer);
  if (!isRecord(description) || !isRecord(description["paths"])) return [];
  const base = basePath(description["servers"]);
  return Object.entries(description["paths"])
    .flatMap(([path, operations]) =>
      isRecord(operations) && path.startsWith("/")
        ? METHODS.filter((method) => isRecord(operations[method])).map((method) => ({
            method: method.toUpperCase(),
            path: base + path,
          }))
        : [],
    )
    .slice(0, MAX_ADDRESSES);
}

/** The addresses that the checks of an API ask or open, with the body of the first request to each. */
export const checkedAddresses = (checks: string): ApiAddress[] =>
  parseChecks(checks).checks.flatMap(({ steps }) =>
    steps.flatMap(({ do: act, method = "GET", text, body }) =>
      (act === "request" || act === "open") && text?.startsWith("/")
        ? [{ method, path: text, body }]
        : [],
    ),
  );

/** Merges lists of addresses; each appears once. */
export function allAddresses(...lists: readonly (readonly ApiAddress[])[]): ApiAddress[] {
  const all = new Map<string, ApiAddress>();
  for (const one of lists.flat()) {
    const key = `${one.method} ${one.path}`;
    if (!all.has(key)) all.set(key, one);
  }
  return [...all.values()].slice(0, MAX_ADDRESSES);
}

/** A typed address without surrounding spaces, and with a slash at its beginning. */
export function typedAddress(typed: string): string {
  const path = typed.trim();
  return path.startsWith("/") ? path : `/${path}`;
}

/** The answer with line breaks and indentation if it is JSON, otherwise unchanged. */
export function prettyAnswer(text: string): string {
  const value = parsed(text);
  return value === undefined ? text : JSON.stringify(value, undefined, 2);
}

/** Parses `Name: value` lines as headers; undefined if a line is not a header. Empty lines are ignored. */
export function readHeaders(text: string): [string, string][] | undefined {
  const headers: [string, string][] = [];
  for (const line of text.split("\n")) {
    if (line.trim() === "") continue;
    const colon = line.indexOf(":");
    if (colon < 1) return undefined;
    headers.push([line.slice(0, colon).trim(), line.slice(colon + 1).trim()]);
  }
  return headers;
}

/** The path of the description's first server; "" if it has none, or if that server is a complete URL. */
function basePath(servers: unknown): string {
  const [first]: unknown[] = Array.isArray(servers) ? servers : [];
  const url = isRecord(first) ? first["url"] : undefined;
  return typeof url === "string" && /^\/[\w/-]*$/.test(url) ? url.replace(/\/+$/, "") : "";
}

function parsed(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : (JSON.parse(text) as unknown);
  } catch {
    return undefined;
  }
}
