import type { ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Attempt, AttemptResult } from "@treadle/workspace";
import { createBrowser } from "./browser.ts";
import type { BrowserOptions } from "./types.ts";

const ORIGIN = "http://attack.localhost:4173";
const page = (script: string) => `<!doctype html><p>x</p><script>${script}</script>`;
const GOOD = "/good";
/** Milliseconds for each page to do its worst. */
const ATTACK_MS = 6_000;

/** What a page does in the browser that looks, and what it must not come to. `asked`: paths that it asked its server for. */
interface PageAttempt {
  id: string;
  what: string;
  script: string;
  /** Whether it got what it was after. */
  got?(asked: readonly string[]): boolean;
}

const tell = (what: string) => `fetch("/told?" + encodeURIComponent(${what}))`;

const ATTEMPTS: readonly PageAttempt[] = [
  {
    id: "A50",
    what: "threads without end, by workers",
    script: `const u = URL.createObjectURL(new Blob(["for(;;);"])); for (let i = 0; i < 2000; i++) new Worker(u)`,
  },
  {
    id: "A50",
    what: "memory without end, outside of the heap",
    script: `const all = []; setInterval(() => { for (let i = 0; i < 8; i++) all.push(new Uint8Array(1 << 26).fill(1)) })`,
  },
  {
    id: "A50",
    what: "processes without end, by frames of many sites",
    script: `for (let i = 0; i < 300; i++) { const f = document.createElement("iframe"); f.src = "http://s" + i + ".attack.localhost:4173/busy"; document.body.append(f) }`,
  },
  {
    id: "A50",
    what: "other windows",
    script: `for (let i = 0; i < 50; i++) open("/busy?" + i); for (;;);`,
  },
  {
    id: "A16",
    what: "a service of this machine, by its number",
    script: `Promise.allSettled(["http://127.0.0.1:PORT/", "http://[::1]:PORT/", "http://0.0.0.0:PORT/"].map((u) => fetch(u, { mode: "no-cors" }).then(() => ${tell("'reached'")})))`,
    got: (asked) => asked.some((path) => path.includes("reached")),
  },
  {
    id: "A64",
    what: "a service of this machine, by its name, with sockets and pictures",
    script: `const here = "localhost:PORT"; const reached = () => ${tell("'reached'")};
      fetch("http://" + here + "/", { mode: "no-cors" }).then(reached, () => 0);
      new WebSocket("ws://" + here + "/").onopen = reached;
      const picture = new Image(); picture.onload = reached; picture.src = "http://" + here + "/favicon.ico";`,
    got: (asked) => asked.some((path) => path.includes("reached")),
  },
  {
    id: "A88",
    what: "downloads without end, of programs by their names",
    script: `for (let i = 0; i < 300; i++) { const a = document.createElement("a"); a.href = URL.createObjectURL(new Blob(["[Desktop Entry]"])); a.download = "x" + i + (i % 2 ? ".desktop" : ".url"); a.click(); }`,
  },
  {
    id: "A33",
    what: "files of this machine",
    script: `Promise.allSettled(["file:///etc/hostname", "file:///proc/self/environ"].map((u) => fetch(u).then((r) => r.text()).then((t) => ${tell("'file ' + t")}))); location = "file:///etc/passwd"`,
    got: (asked) => asked.some((path) => path.includes("file")),
  },
  {
    id: "A62",
    what: "hosts of the internet, by scripts, workers, sockets, streams and pictures",
    script: `const away = (way) => () => ${tell("'away ' + way")}; const to = "example.com";
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
      peer.onicecandidate = ({ candidate }) => candidate && candidate.candidate && ${tell("'away ' + candidate.candidate")};
      peer.createDataChannel("x"); peer.setLocalDescription();`,
    got: (asked) => asked.some((path) => path.includes("away")),
  },
];

/** Makes each attempt for real, in a browser of its own that is gone afterwards. */
export async function attackFromBrowser(options: {
  env: BrowserOptions["env"];
  cacheDirectory?: string;
  /** A port of this machine that something listens on. */
  servicePort?: number;
  onResult?(attempt: Pick<Attempt, "id" | "area" | "what">, result: AttemptResult): void;
}): Promise<(AttemptResult & { what: string })[]> {
  const asked: string[] = [];
  let script = "";
  const answer = (url: string, response: ServerResponse) => {
    asked.push(url);
    response.writeHead(200, { "content-type": "text/html" });
    response.end(url.startsWith("/busy") ? page("for (;;);") : page(url === GOOD ? "" : script));
  };
  const browser = createBrowser({
    env: options.env,
    cacheDirectory: options.cacheDirectory ?? join(tmpdir(), "treadle-browser-cache"),
    gateway: {
      handle: (request, response) => answer(request.url ?? "/", response),
      upgrade: (_request, socket) => void socket.destroy(),
      connect: async () => undefined,
    },
  });
  const results: (AttemptResult & { what: string })[] = [];
  try {
    for (const attempt of ATTEMPTS) {
      asked.length = 0;
      script = attempt.script.replaceAll("PORT", String(options.servicePort ?? 9));
      // There is a browser before it is used up, and whoever comes next has as long as anybody has.
      await browser.available();
      const look = (path: string, signal?: AbortSignal) =>
        browser.look({ origin: ORIGIN, path, signal });
      const said = await look("/", AbortSignal.timeout(ATTACK_MS)).then(
        (report) => (report.rendered ? "it was looked at" : "nothing was seen of it"),
        (error: Error) => error.message,
      );
      const got = attempt.got?.(asked) ?? false;
      // Whatever it did to its browser, the next page finds one.
      const next = await look(GOOD).then(
        ({ status }) => status === 200,
        () => false,
      );
      const outcome = got || !next ? "through" : "held";
      const output = `${said}; the next page ${next ? "was" : "was not"} looked at\n`;
      results.push({ what: attempt.what, outcome, output });
      options.onResult?.(
        { id: attempt.id, area: "browser", what: attempt.what },
        { outcome, output },
      );
    }
  } finally {
    await browser.close();
  }
  return results;
}
