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
    `frame-src 'self' ${previews}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}

/**
 * Where the package that runs projects in a tab gets its runtime from, and where that serves their previews. No other page of
 * ours may ask these.
 */
const TAB_HOSTS = [
  "https://stackblitz.com",
  "https://*.stackblitz.com",
  "https://*.staticblitz.com",
  "https://*.webcontainer.io",
  "https://*.webcontainer-api.io",
  "https://*.w-credentialless-staticblitz.com",
].join(" ");

/** The address of the page that a project runs in, as `/tab/id`. */
export const isTabPage = (path: string): boolean => /^\/tab\/[a-z0-9]{1,64}$/.test(path);

/**
 * The policy of that page, and what isolates it from others: a container shares memory between its workers, which browsers
 * allow to such pages alone.
 */
export const TAB_HEADERS: Record<string, string> = {
  "cross-origin-embedder-policy": "credentialless",
  "cross-origin-opener-policy": "same-origin",
  "content-security-policy": pagePolicy(undefined)
    .replace(/frame-src [^;]*/, `frame-src ${TAB_HOSTS}`)
    .replace("connect-src 'self'", `connect-src 'self' ${TAB_HOSTS}`),
};

/**
 * For a PDF of a project that is shown in place: the browser's own viewer needs more than a sandboxed page has, and the page
 * of ours around it may frame it. What is sent with it is a PDF by its name and its first bytes, or is not shown.
 */
export const PDF_HEADERS: Record<string, string> = {
  "content-type": "application/pdf",
  "content-disposition": "inline",
  "content-security-policy":
    "script-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'",
  "x-frame-options": "SAMEORIGIN",
};

/** For what belongs to a project (A17): it may be looked at, and can do nothing. */
export const PROJECT_FILE_POLICY =
  "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:";
