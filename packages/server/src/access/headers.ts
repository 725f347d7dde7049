/**
 * The page's content security policy. Inline styles are allowed for the terminal; remote pictures in models'
 * answers are not.
 * @param previews sources of frames with previews
 */
export function pagePolicy(previews: string): string {
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

/** Hosts of the WebContainer runtime and its previews. Only the tab page may contact them. */
const TAB_HOSTS = [
  "https://stackblitz.com",
  "https://*.stackblitz.com",
  "https://*.staticblitz.com",
  "https://*.webcontainer.io",
  "https://*.webcontainer-api.io",
  "https://*.w-credentialless-staticblitz.com",
].join(" ");

/** Whether a path is that of a tab page, in which a project runs in the browser: `/tab/` and an id. */
export const isTabPage = (path: string): boolean => /^\/tab\/[a-z0-9]{1,64}$/.test(path);

/**
 * The policy and isolation headers of a tab page: a WebContainer shares memory between its workers, which requires
 * an isolated page.
 */
export const TAB_HEADERS: Record<string, string> = {
  "cross-origin-embedder-policy": "credentialless",
  "cross-origin-opener-policy": "same-origin",
  "content-security-policy": pagePolicy("")
    .replace(/frame-src [^;]*/, `frame-src ${TAB_HOSTS}`)
    .replace("connect-src 'self'", `connect-src 'self' ${TAB_HOSTS}`),
};

/**
 * Headers for a project's PDF shown inline: the browser's viewer needs more than a sandboxed page allows, and our
 * page may frame it. Only sent with files that are PDFs by name and first bytes.
 */
export const PDF_HEADERS: Record<string, string> = {
  "content-type": "application/pdf",
  "content-disposition": "inline",
  "content-security-policy":
    "script-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'",
  "x-frame-options": "SAMEORIGIN",
};

/** The policy for a project's files (A17): they can be viewed, but run nothing. */
export const PROJECT_FILE_POLICY =
  "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:";
