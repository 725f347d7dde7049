import { headOf } from "@treadle/protocol/safe-text";
import { isRecord } from "../../text/is-record.ts";
import { retryAfter } from "./retry-after.ts";
import { withoutKeys } from "./without-keys.ts";

/** A provider's description of a failure, parsed from any of the usual forms. */
export interface ProviderReport {
  /** The HTTP status; for an error within a stream, the status in its body. */
  status?: number;
  /** Codes, types, statuses and reasons in the provider's spelling, the outermost first. */
  codes: string[];
  /** The provider's message, without keys; empty if there is none. At most `WORDS_LIMIT` characters. */
  words: string;
  /** Milliseconds that the provider asks to wait. */
  waitMs?: number;
  /** The usage limits that were reached, if the provider names them. */
  limits: string[];
}

/** Maximum length of the parsed message, in characters: the time of the patterns grows faster than its length. */
const WORDS_LIMIT = 2_000;
/** Limits of a parsed error body. Bodies are small; deeper nesting is something else. */
const MAX_DEPTH = 8;
const MAX_VALUES = 500;

const CODE_KEYS = new Set(["code", "type", "status", "reason", "error_type", "__type"]);
const WORD_KEYS = new Set(["message", "Message", "error", "detail", "msg", "raw", "errorMessage"]);

/**
 * Parses the report in an error body: nested or flat, a list with one item, JSON in a string, validation errors,
 * Google's `details`, or an error that a router passes on.
 * @param body parsed JSON, an error of a stream, or text
 * @param response status and headers, if the body is that of an HTTP response
 */
export function readReport(
  body: unknown,
  response: { status?: number | undefined; headers?: Record<string, string> | undefined } = {},
): ProviderReport {
  const gathered: Gathered = { codes: [], words: [], limits: [], waits: [], values: 0 };
  gather(body, gathered, 0);
  const { headers = {} } = response;
  // AWS gives the kind of an error only in this header.
  const kind = headers["x-amzn-errortype"]?.split(":")[0];
  if (kind) gathered.codes.unshift(kind);
  const words = withoutKeys(headOf(distinct(gathered.words).join(" "), WORDS_LIMIT));
  const status = response.status ?? gathered.status;
  const wait = longest([retryAfter(headers), ...gathered.waits, waitInWords(words)]);
  return { codes: gathered.codes, words, limits: gathered.limits, status, waitMs: wait };
}

interface Gathered {
  status?: number;
  codes: string[];
  words: string[];
  limits: string[];
  waits: number[];
  values: number;
}

function gather(value: unknown, to: Gathered, depth: number): void {
  if (depth > MAX_DEPTH || ++to.values > MAX_VALUES) return;
  if (typeof value === "string") {
    const inner = /^\s*[[{]/.test(value) ? parseJson(value) : undefined;
    if (inner === undefined) to.words.push(value.trim());
    else gather(inner, to, depth + 1);
  } else if (Array.isArray(value)) for (const entry of value) gather(entry, to, depth + 1);
  else if (isRecord(value) || value instanceof Error) gatherFields(value, to, depth);
}

function gatherFields(record: object, to: Gathered, depth: number): void {
  // The message of an error object is not enumerable.
  const own = Object.entries(record);
  const fields = record instanceof Error ? [["message", record.message] as const, ...own] : own;
  for (const [key, value] of fields) {
    if (CODE_KEYS.has(key) && (typeof value === "string" || typeof value === "number")) {
      to.codes.push(String(value));
      if (typeof value === "number" && value >= 400 && value < 600) to.status ??= value;
    } else if (key === "statusCode" && typeof value === "number") to.status ??= value;
    else if (key === "retryDelay") to.waits.push(...durationOf(value));
    else if (/^retry_?after(?:_seconds)?$/i.test(key)) to.waits.push(...durationOf(value));
    else if (key === "quotaId" && typeof value === "string") to.limits.push(value);
    else if (key === "reasons" && Array.isArray(value))
      to.words.push(`(${value.filter((one) => typeof one === "string").join(", ")})`);
    else if (WORD_KEYS.has(key) || typeof value === "object") gather(value, to, depth + 1);
  }
}

/**
 * A provider's duration (`34s`, `34.07s`, `{ seconds: 34, nanos: 0 }`, or a number of seconds) in milliseconds, as a list of
 * one; an empty list if the value is no duration.
 */
function durationOf(value: unknown): number[] {
  if (isRecord(value)) {
    const ms = Number(value["seconds"] ?? 0) * 1000 + Number(value["nanos"] ?? 0) / 1_000_000;
    return Number.isFinite(ms) && ms > 0 ? [ms] : [];
  }
  const seconds = Number(String(value).replace(/s$/, ""));
  return Number.isFinite(seconds) && seconds >= 0 && String(value) !== "" ? [seconds * 1000] : [];
}

const UNIT_MS: Record<string, number> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

/** Milliseconds in a message such as "Please try again in 7m12.5s" or "Please retry after 26 seconds". */
function waitInWords(words: string): number | undefined {
  const found =
    /\b(?:again|retry)\b[^.\d]{0,30}\b(?:in|after)\s+((?:\d+(?:\.\d+)?\s*(?:ms|milliseconds?|h(?:ours?)?|m(?:in(?:ute)?s?)?|s(?:ec(?:ond)?s?)?)\b\s*|\d+(?:\.\d+)?(?:ms|[hms]))+)/i.exec(
      words,
    );
  if (!found) return undefined;
  let ms = 0;
  for (const [, amount, unit = ""] of found[1]!.matchAll(/(\d+(?:\.\d+)?)\s*([a-z]+)/gi)) {
    const short = /^(?:ms|milli)/i.test(unit) ? "ms" : unit.charAt(0).toLowerCase();
    ms += Number(amount) * (UNIT_MS[short] ?? 0);
  }
  return ms > 0 ? ms : undefined;
}

const longest = (waits: (number | undefined)[]) => {
  const known = waits.filter((wait) => wait !== undefined);
  return known.length === 0 ? undefined : Math.max(...known);
};

/** Drops repeated texts: routers repeat the message of the provider behind them. */
function distinct(words: string[]): string[] {
  const retained: string[] = [];
  for (const one of words)
    if (one !== "" && !retained.some((other) => other.includes(one))) retained.push(one);
  return retained;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
