/** On every answer of the app. No CORS header is ever sent. */
export const COMMON_HEADERS: Record<string, string> = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "x-frame-options": "DENY",
};

/** What the page may load. Styles may be inline: the terminal writes them. Pictures of models' answers may not be remote. */
export function pagePolicy(port: number | undefined): string {
  const previews = port === undefined ? "http://*.localhost" : `http://*.localhost:${port}`;
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self' data:",
    "media-src 'self'",
    "connect-src 'self'",
    "worker-src 'self' blob:",
    "manifest-src 'self'",
    `frame-src ${previews}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}

/** For what belongs to a project (A17): it may be looked at, and can do nothing. */
export const PROJECT_FILE_POLICY =
  "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:";
