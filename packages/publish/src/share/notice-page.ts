import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { COMMON_HEADERS } from "@treadle/common";
import { MARK, SIGNED_OUT_STYLE } from "@treadle/common";
import { isDocumentRequest } from "@treadle/gateway";
import { escapeHtml } from "./html.ts";
import { shareWords, type ShareWords } from "./share-words.ts";

const DIGEST = `sha256-${createHash("sha256").update(SIGNED_OUT_STYLE).digest("base64")}`;

/** The notices that replace a link's content. */
export type Notice = "gone" | "waking" | "resting" | "crowded" | "broken" | "hidden";

const STATUS: Record<Notice, number> = {
  gone: 404,
  waking: 503,
  resting: 503,
  crowded: 503,
  broken: 502,
  hidden: 404,
};
/** How often a page checks whether the app is awake, in seconds. */
const AGAIN_S = 2;

/**
 * Answers with a notice page, or with a sentence if no page was requested. Nothing may have been
 * sent yet.
 */
export function answerNotice(
  request: IncomingMessage,
  response: ServerResponse,
  notice: Notice,
): void {
  const { tag, words } = shareWords(request.headers["accept-language"]);
  const title = words[notice];
  if (!isDocumentRequest(request))
    return send(request, response, STATUS[notice], "text/plain", `${title}.\n`);
  const again = notice === "waking" ? `<meta http-equiv="refresh" content="${AGAIN_S}">` : "";
  const about = words[`${notice}About`];
  send(
    request,
    response,
    STATUS[notice],
    "text/html",
    noticePage(tag, title, `${again}<main>${MARK}<h1>${title}</h1><p>${about}</p></main>`),
  );
}

/**
 * Shows the password form.
 * @param problem what was wrong with the last attempt
 */
export function answerLocked(
  request: IncomingMessage,
  response: ServerResponse,
  problem?: keyof Pick<ShareWords, "wrong" | "often">,
): void {
  const { tag, words } = shareWords(request.headers["accept-language"]);
  const alert = problem ? `<p role="alert">${words[problem]}</p>` : "";
  const form = `<form method="post"><label for="password">${words.password}</label>
<div><input id="password" name="password" type="password" autocomplete="off" maxlength="200" required autofocus><button>${words.open}</button></div></form>`;
  send(
    request,
    response,
    problem === "often" ? 429 : 401,
    "text/html",
    noticePage(
      tag,
      words.locked,
      `<main>${MARK}<h1>${words.locked}</h1>${alert}<p>${words.lockedAbout}</p>${form}</main>`,
    ),
  );
}

const noticePage = (tag: string, title: string, body: string) =>
  `<!doctype html><html lang="${tag}"><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex"><title>${escapeHtml(title)}</title><style>${SIGNED_OUT_STYLE}</style>${body}`;

function send(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  type: "text/plain" | "text/html",
  body: string,
): void {
  if (response.headersSent || response.destroyed) return void response.destroy();
  // An unread body would keep the connection busy.
  request.resume();
  response.writeHead(status, {
    ...COMMON_HEADERS,
    // Without any referrer, the form's request would have no origin.
    "referrer-policy": "same-origin",
    "content-type": `${type}; charset=utf-8`,
    "content-security-policy": `default-src 'none'; style-src '${DIGEST}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
    "cache-control": "no-store",
    "x-robots-tag": "noindex, nofollow",
    vary: "accept-language",
  });
  response.end(request.method === "HEAD" ? undefined : body);
}
