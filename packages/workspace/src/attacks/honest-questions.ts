/** A valid request of each kind from host to guest; fuzzing starts from these. */
import type { Method } from "../wire/requests.ts";

export type Question = readonly [method: Method, params: object];

const size = { columns: 80, rows: 24 };

const QUESTIONS: Readonly<Record<Method, readonly object[]>> = {
  alive: [{}],
  read: [{ path: "a" }],
  write: [{ path: "b/c" }, { path: "a" }],
  link: [{ path: "l", to: "a" }],
  prune: [{ path: "b" }],
  list: [{}, { under: "b", limit: 1, only: "manifests" }],
  search: [{ pattern: "x" }, { pattern: "(a+)+$", regex: true, glob: "**/*", around: 2, limit: 5 }],
  "list-raw": [{ path: "" }],
  "dependency-changes": [{ since: 0, kept: [{ path: "node_modules/a/b", at: 1 }] }],
  "made-changes": [{ spans: [{ from: 0, to: 1 }] }],
  "source-facts": [{ written: ["build/plan.js"], states: [".tool"] }],
  manifest: [{}, { known: "1" }],
  "output-manifest": [{}, { known: "1" }],
  "tell-changes": [{}],
  rename: [{ from: "a", to: "d" }],
  remove: [{ path: "b" }],
  "read-open": [{ path: "a" }],
  "read-next": [{ handle: 1 }],
  "draft-open": [{ path: "e" }],
  "draft-append": [{ handle: 2 }],
  "draft-commit": [{ handle: 2 }],
  "transfer-close": [{ handle: 1 }],
  "root-room": [{ madeInside: false }],
  "root-move-in": [{ path: "b" }],
  "remove-data": [{ paths: ["a"] }],
  "remove-made": [{}],
  "take-data": [{ paths: ["a"] }],
  "data-digest": [{ paths: ["a"] }],
  "set-repositories-aside": [{}],
  start: [{ process: "p1", command: "echo a", env: { A: "b" } }],
  "ended-parts": [{}],
  "ran-code": [{ names: ["server.js"] }],
  activity: [{ process: "p1" }],
  kill: [{ process: "p1" }],
  "end-all": [{}],
  "end-left-behind": [{ but: "p1" }],
  "left-behind": [{}],
  "pipe-start": [{ process: "q1", command: "cat" }],
  "pipe-write": [{ process: "q1" }],
  "pipe-kill": [{ process: "q1" }],
  dial: [{ port: 1, token: "0".repeat(32) }],
  "offer-names": [{ hosts: ["api.example.com", "*.example.com:8443"] }],
  "terminal-start": [{ terminal: "t1", ...size }],
  "terminal-write": [{ terminal: "t1" }],
  "terminal-resize": [{ terminal: "t1", ...size }],
  "terminal-kill": [{ terminal: "t1" }],
  "install-say": [{ ask: 1, text: "x" }],
  "install-answer": [{ ask: 1, answer: { act: "done", code: 0 } }],
};

export const ASKED: readonly Question[] = Object.entries(QUESTIONS).flatMap(([method, each]) =>
  each.map((params): Question => [method as Method, params]),
);

/** Ids of what invalid requests may have started. */
const IDS = ["p1", "q1", "t1", "constructor", "__proto__", "x"];

/** Requests that release everything that invalid requests may have opened. */
export const leftBehind = (handles: readonly number[]): Question[] => [
  ...handles.map((handle): Question => ["transfer-close", { handle }]),
  ...IDS.map((terminal): Question => ["terminal-kill", { terminal }]),
  ...IDS.map((process): Question => ["pipe-kill", { process }]),
  ["end-all", {}],
];
