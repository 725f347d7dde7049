/** A compromised guest against the host's end of its connection. */
import { duplexPair } from "node:stream";
import { toProjectPath } from "@treadle/protocol/project-path";
import type { GuestMessage } from "../wire/messages.ts";
import { encodeFrame } from "../wire/frames.ts";
import { isMethod, type Method, type Params } from "../wire/requests.ts";
import { WIRE_VERSION } from "../wire/version.ts";
import { oddBytes, pick, seeded, twist } from "./odd-frames.ts";
import { createGuestEnds } from "../guest-workspace/guest-link.ts";

const HASH = "0123456789abcdef0123456789abcdef01234567";

/** A valid example of every message that a guest sends by itself. */
export const SAID: readonly GuestMessage[] = [
  { kind: "ready", pid: 2, version: WIRE_VERSION },
  { kind: "output", process: "a1" },
  { kind: "piped", process: "a1", from: "out" },
  { kind: "exit", process: "a1", code: 0, signal: "SIGKILL" },
  { kind: "ports", ports: [{ port: 80, process: "a1" }, { port: 5173 }] },
  {
    kind: "files",
    changes: [
      { path: toProjectPath("src/a.ts"), kind: "written", size: 3, version: HASH },
      { path: toProjectPath("b"), kind: "removed", size: 0 },
    ],
  },
  { kind: "terminal-data", terminal: "t1" },
  { kind: "terminal-exit", terminal: "t1", code: 0 },
  { kind: "limit", limit: "memory" },
  { kind: "refused", host: "evil.com", reason: "not-allowed", owner: "a1" },
  {
    kind: "install",
    ask: 1,
    asked: { manager: "npm", args: ["install"], folder: "", tool: "1.0.0" },
  },
  { kind: "repository", atRoot: true },
  { kind: "install-gone", ask: 1 },
];

/** A valid response to each request. */
export const ANSWERED: Readonly<Record<Method, unknown>> = {
  alive: null,
  read: { version: HASH },
  write: { version: HASH, size: 1, created: true },
  "read-open": { handle: 1, size: 5 },
  "read-next": null,
  "draft-open": { handle: 1 },
  "draft-append": null,
  "draft-commit": { version: HASH, size: 1, created: false },
  "transfer-close": null,
  link: null,
  prune: null,
  rename: null,
  list: {
    files: [{ path: "src/a.ts", kind: "file", size: 3 }],
    more: false,
    leftOut: [{ path: "deep", why: "depth" }],
  },
  search: { matches: [{ path: "a", line: 1, text: "x" }], more: false },
  "list-raw": ["node_modules"],
  "dependency-changes": { now: 1, changed: [{ path: "node_modules/a/b", at: 1 }] },
  "made-changes": { made: ["dist"], isFetchedChanged: false },
  "source-facts": null,
  manifest: {
    state: "a",
    whole: true,
    changed: [{ path: ".env", mode: "100644", hash: HASH, secret: true }],
    gone: [],
    leftOut: [],
  },
  "output-manifest": {
    state: "a",
    whole: true,
    changed: [{ path: "dist/server.js", mode: "100644", hash: HASH }],
    gone: [],
    leftOut: [],
  },
  "remove-data": null,
  "remove-made": null,
  "take-data": null,
  "data-digest": HASH,
  "set-repositories-aside": ["sub/.git-made-in-sandbox"],
  "ended-parts": [{ name: "api.js", code: 1, text: "x" }],
  "ran-code": {
    isWhole: true,
    scripts: [{ path: "a.js", isMapped: false, text: "", places: [0, 1, 1] }],
  },
  activity: { cpuMs: 10, bytes: 1 },
  "root-room": "x",
  "root-move-in": null,
  "end-all": true,
  "end-left-behind": null,
  "left-behind": { now: 1, isAny: false },
  "tell-changes": null,
  remove: null,
  start: null,
  kill: null,
  "pipe-start": null,
  "pipe-write": null,
  "pipe-kill": null,
  dial: null,
  "offer-names": null,
  "terminal-start": null,
  "terminal-write": null,
  "terminal-resize": null,
  "terminal-kill": null,
  "install-say": null,
  "install-answer": null,
};

/** How many frames were sent, and the first problem, if there was one. */
export interface Fuzzed {
  frames: number;
  problem: string | undefined;
}

/**
 * Sends up to `frames` frames, valid and malformed ones, to the host's end, until one of them breaks the connection.
 */
export async function fuzzHost(seed: number, frames: number): Promise<Fuzzed> {
  const random = seeded(seed);
  /**
   * Probability of a malformed frame: low in some runs, so that they get far, and high in others.
   */
  const oddity = random() * 0.6;
  const [near, far] = duplexPair();
  let broken = false;
  let problem: string | undefined;
  const check = (value: unknown) => {
    for (const path of pathsIn(value))
      if (
        !/^[^/\0]+(?:\/[^/\0]+)*$/.test(path) ||
        path.split("/").some((part) => /^\.\.?$/.test(part))
      )
        problem ??= `the path ${JSON.stringify(path)} came through`;
  };
  const ends = createGuestEnds({
    onMessage(message) {
      if (broken) problem ??= "something was taken after the stream was broken";
      check(message);
    },
    onBroken: () => (broken = true),
  });
  ends.takeControl(near);
  const asked: { id: number; method: Method }[] = [];
  const waiting: Promise<unknown>[] = [];
  let id = 0;
  let sent = 0;
  for (let frame = 0; frame < frames && !broken; frame++) {
    const method = pick(random, Object.keys(ANSWERED).filter(isMethod));
    waiting.push(
      ends.request(method, {} as Params<Method>).then(
        ({ result }) => check(result),
        () => undefined,
      ),
    );
    asked.push({ id: ++id, method });
    const question = pick(random, asked);
    const honest =
      random() < 0.5
        ? pick(random, SAID)
        : { kind: "reply", id: question.id, ok: true, result: ANSWERED[question.method] };
    if (random() < 0.7) {
      const odd = random() < oddity;
      far.write(odd ? oddBytes(random, twist(random, honest)) : wholeFrame(honest));
      sent++;
      if (random() < 0.8) asked.splice(asked.indexOf(question), 1);
      await new Promise(setImmediate);
    }
  }
  ends.gone();
  await Promise.all(waiting);
  far.destroy();
  return { frames: sent, problem };
}

const wholeFrame = (header: object) => Buffer.concat(encodeFrame(header));

/** All path fields at any depth. */
function pathsIn(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, field]) =>
    name === "path" ? [String(field)] : pathsIn(field),
  );
}

/**
 * Lets 200 guests send up to 30 frames each. Returns "held" and a line break, or the first problem
 * with its seed.
 */
export async function fuzzGuestFrames(): Promise<string> {
  for (let seed = 1; seed <= 200; seed++) {
    const { problem } = await fuzzHost(seed, 30);
    if (problem !== undefined) return `${problem} (seed ${seed})\n`;
  }
  return "held\n";
}
