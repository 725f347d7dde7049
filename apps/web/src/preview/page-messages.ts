/** What the preview's page says of its console and network; all of it comes from generated code, and is cut to size. */

export type Level = "debug" | "log" | "info" | "warn" | "error";
export const LEVELS: readonly Level[] = ["error", "warn", "info", "log", "debug"];

export interface PrintedEntry {
  level: Level;
  text: string;
  /** As the browser has it; where that is in the project's files is asked for. */
  stack: string;
  at: number;
}

export interface AskedEntry {
  url: string;
  method: string;
  /** What asked: `fetch`, `script`, `css`, `img`, … */
  kind: string;
  /** 0: no answer; -1: this browser does not say. */
  status: number;
  ms: number;
  size: number;
  at: number;
}

export type PageMessage =
  | { type: "begin" }
  /** It asked for its browser's storage, which it does not get in a frame. */
  | { type: "denied" }
  /** Its dev server has brought a change into it. */
  | { type: "updated" }
  | { type: "console"; entries: PrintedEntry[]; dropped: number }
  | { type: "requests"; requests: AskedEntry[] }
  | { type: "placed"; id: number; at: string | undefined };

/** Entries of one message that are believed. */
const ENTRIES = 300;

type Sent = Record<string, unknown>;
const isSent = (value: unknown): value is Sent => typeof value === "object" && value !== null;
const text = (value: unknown, limit: number) =>
  typeof value === "string" ? value.slice(0, limit) : "";
const number = (value: unknown) =>
  typeof value === "number" && Number.isFinite(value) ? value : 0;
const list = (value: unknown): Sent[] =>
  Array.isArray(value) ? value.slice(0, ENTRIES).filter(isSent) : [];

/** A message of the watching script; undefined for anything else. The caller has checked who sent it. */
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
