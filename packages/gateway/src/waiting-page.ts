import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { ServerState } from "@treadle/protocol";
import { ANSWER_HEAD_BYTES } from "@treadle/common";
import { STATE_PATH } from "@treadle/probe";
import { isDocumentRequest } from "./request-headers.ts";

export type Waiting =
  | Exclude<ServerState["state"], "up">
  | "waking"
  | "broke-off"
  | "long-head"
  | "crowded"
  | "unknown"
  | "no-port";

const WORDS: Record<Waiting, { title: string; text: string }> = {
  starting: { title: "The app is starting", text: "This page shows it as soon as it answers." },
  waking: {
    title: "Waking the app…",
    text: "It was put to sleep because nobody used it. This page shows it as soon as it answers.",
  },
  stopped: {
    title: "The app is not running",
    text: "This page shows it as soon as it is started.",
  },
  crashed: {
    title: "The app has crashed",
    text: "Its last lines are under Server in Treadle. This page shows it as soon as it runs again.",
  },
  "broke-off": {
    title: "The app broke off its answer",
    text: "Its server closed the connection. What it printed is under Server in Treadle. Reload to try again.",
  },
  "long-head": {
    title: "The app's answer has too many headers",
    text: `They are longer than ${ANSWER_HEAD_BYTES / 1024} KB, the limit. Reload to try again.`,
  },
  crowded: {
    title: "Too many pages of this app are open",
    text: "They wait for more answers at once than a browser has connections. Close some of them, and reload.",
  },
  unknown: {
    title: "There is no such preview",
    text: "The project was removed, or the address is incomplete.",
  },
  "no-port": {
    title: "The app does not listen here",
    text: "None of this project's programs uses this port. Choose another one in Treadle.",
  },
};

/** Interval at which the page asks whether the app is up, in milliseconds. */
const POLL_MS = 400;

const SCRIPT = `const ask=async()=>{try{const{up}=await(await fetch(${JSON.stringify(STATE_PATH)},{cache:"no-store"})).json();if(up)return location.reload()}catch{}setTimeout(ask,${POLL_MS})};setTimeout(ask,${POLL_MS})`;

// The design tokens of Treadle's page; it shares no style sheet with a preview.
const STYLE = `:root{color-scheme:light dark;--paper:#fbfaf7;--ink:#1f1d1a;--quiet:#6e685e;--line:#e5e1d8}@media(prefers-color-scheme:dark){:root{--paper:#171614;--ink:#ece8df;--quiet:#9d968a;--line:#34312c}}body{margin:0;min-height:100vh;display:grid;place-items:center;background:var(--paper);color:var(--ink);font:14px/1.45 system-ui,sans-serif}main{max-width:40ch;padding:24px;border:1px solid var(--line);border-radius:6px;margin:16px}h1{font-size:16px;font-weight:600;margin:0 0 4px}p{margin:0;color:var(--quiet)}`;

const hash = createHash("sha256").update(SCRIPT).digest("base64");

/** A page in place of an app that cannot answer. If the app may recover, the page reloads when it has. */
function waitingPage(waiting: Waiting): { body: string; policy: string } {
  const { title, text } = WORDS[waiting];
  const reloads = !["unknown", "broke-off", "long-head", "crowded"].includes(waiting);
  return {
    body: `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>${title}</title><style>${STYLE}</style></head><body><main role="status"><h1>${title}</h1><p>${text}</p></main>${reloads ? `<script>${SCRIPT}</script>` : ""}</body></html>`,
    policy: `default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-${hash}'; connect-src 'self'; base-uri 'none'; form-action 'none'`,
  };
}

/** The notice as plain text, for requests that are not for a page. */
const waitingText = (waiting: Waiting) => `${WORDS[waiting].title}.\n`;

/** Answers in place of the app, if the response has not begun. */
export function answerWaiting(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  waiting: Waiting,
): void {
  if (response.headersSent || response.destroyed) return void response.destroy();
  // An unread body would block the connection.
  request.resume();
  const common = { "cache-control": "no-store", "x-content-type-options": "nosniff" };
  if (!isDocumentRequest(request)) {
    response.writeHead(status, { ...common, "content-type": "text/plain; charset=utf-8" });
    response.end(waitingText(waiting));
    return;
  }
  const { body, policy } = waitingPage(waiting);
  response.writeHead(status, {
    ...common,
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": policy,
  });
  response.end(body);
}
