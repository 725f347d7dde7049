import { plain } from "./plain.ts";

/** The shared style of all pages that are opened from a folder, for light and dark mode. */
const STYLE = `
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; }
body { margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; width: 100%; }
th, td { border-bottom: 1px solid light-dark(#ddd, #444); padding: .5rem .75rem .5rem 0; text-align: start; vertical-align: top; }
td.number { font-variant-numeric: tabular-nums; white-space: nowrap; }
img { border: 1px solid light-dark(#ddd, #444); display: block; }
`;

/** Opening the page neither runs nor fetches anything from the project. */
const POLICY = "default-src 'none'; img-src 'self' file:; style-src 'unsafe-inline'";

/**
 * A complete page that needs only the folder it is in, and runs and fetches nothing else.
 * @param body HTML
 * @param style CSS in addition to the shared style
 */
export const htmlPage = (title: string, body: string, style: string): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta http-equiv="content-security-policy" content="${POLICY}">
<title>${escaped(title)}</title><style>${STYLE}${style}</style></head><body>
${body}</body></html>
`;

const MARKS: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Escapes text for HTML, and makes hidden characters visible. */
export const escaped = (text: string): string =>
  plain(text).replace(/[&<>"']/g, (mark) => MARKS[mark]!);
