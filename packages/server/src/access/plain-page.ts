import { createHash } from "node:crypto";
import { COMMON_HEADERS, SIGNED_OUT_STYLE } from "@treadle/common";

const STYLE_DIGEST = `sha256-${createHash("sha256").update(SIGNED_OUT_STYLE).digest("base64")}`;

/**
 * A page that the server makes itself. Its referrer policy is `same-origin`, since without referrers browsers send
 * `Origin: null` with a form, which is refused.
 * @param more.script the path of its only script; without one, the page runs none
 */
export function plainPage(
  status: number,
  title: string,
  body: string,
  { language = "en", script }: { language?: string; script?: string } = {},
): Response {
  const loaded =
    script === undefined ? "" : `<script type="module" src="${escapeHtml(script)}"></script>`;
  const runs = script === undefined ? "" : " script-src 'self'; connect-src 'self';";
  return new Response(
    `<!doctype html><html lang="${language}"><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="referrer" content="same-origin"><title>${title}</title>${body}${loaded}`,
    {
      status,
      headers: {
        "content-type": "text/html; charset=utf-8",
        "content-security-policy": `default-src 'none';${runs} style-src '${STYLE_DIGEST}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
        "cache-control": "no-store",
        vary: "accept-language",
        ...COMMON_HEADERS,
      },
    },
  );
}

/**
 * Markup that makes a page open another address of this server. The request then comes from a page of this server,
 * so the browser sends the cookie.
 */
export const forwardTo = (target: string): string =>
  `<meta http-equiv="refresh" content="0;url=${escapeHtml(target)}">`;

export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
