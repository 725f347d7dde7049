/**
 * This module parses the messages of the previewed page about its console and network. All of them come from generated
 * code, so their size is limited.
 */

export type Level = "debug" | "log" | "info" | "warn" | "error";
export const LEVELS: readonly Level[] = ["error", "warn", "info", "log", "debug"];

export interface PrintedEntry {
  level: Level;
  text: string;
  /** The browser's stack trace; the position in the project's files is looked up separately. */
  stack: string;
  at: number;
}

export interface AskedEntry {
  url: string;
  method: string;
  /** The initiator: `fetch`, `script`, `css`, `img`, … */
  kind: string;
  /** 0: no answer; -1: this browser does not report it. */
  status: number;
  ms: number;
  size: number;
  at: number;
}

export type PageMessage =
  | { type: "begin" }
  /** The page used browser storage, which the browser denies it in a frame. */
  | { type: "denied" }
  /** The dev server applied a hot update. */
  | { type: "updated" }
  | { type: "console"; entries: PrintedEntry[]; dropped: number }
  | { type: "requests"; requests: AskedEntry[] }
  | { type: "placed"; id: number; at: string | undefined };

/** Maximum number of entries accepted per message. */
const MAX_ENTRIES = 300;

type Sent = Record<string, unknown>;
const isSent = (value: unknown): value is Sent => typeof value === "object" && value !== null;
const text = (value: unknown, limit: number) =>
  typeof value === "string" ? value.slice(0, limit) : "";
const number = (value: unknown) =>
  typeof value === "number" && Number.isFinite(value) ? value : 0;
const list = (value: unknown): Sent[] =>
  Array.isArray(value) ? value.slice(0, MAX_ENTRIES).filter(isSent) : [];

/** Parses a message of the console probe; undefined for anything else. The caller has checked the sender. */
export function readPageMessage(data: unknown): PageMessage | undefined {
  if (!isSent(data)) return undefined;
  switch (data["type"]) {
    case "treadle:begin":
      return { type: "begin" };
    case "treadle:denied":
      return { type: "denied" };
    case "treadle:updated":
      return { type: "updated" };
    case "treadle:console":
      return {
        type: "console",
        dropped: Math.max(0, number(data["dropped"])),
        entries: list(data["entries"]).map((one) => ({
          level: LEVELS.find((level) => level === one["level"]) ?? "log",
          text: text(one["text"], 2000),
          stack: text(one["stack"], 1500),
          at: number(one["at"]),
        })),
      };
    case "treadle:requests":
      return {
        type: "requests",
        requests: list(data["requests"]).map((one) => ({
          url: text(one["url"], 1000),
          method: text(one["method"], 10),
          kind: text(one["kind"], 20),
          status: number(one["status"]),
          ms: number(one["ms"]),
          size: number(one["size"]),
          at: number(one["at"]),
        })),
      };
    case "treadle:placed":
      return {
        type: "placed",
        id: number(data["id"]),
        at: text(data["at"], 500) || undefined,
      };
    default:
      return undefined;
  }
}
