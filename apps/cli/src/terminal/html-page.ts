import { plain } from "./plain.ts";

/** What all pages have that are written to be opened from a folder, in light and in dark. */
const STYLE = `
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; }
body { margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; width: 100%; }
th, td { border-bottom: 1px solid light-dark(#ddd, #444); padding: .5rem .75rem .5rem 0; text-align: start; vertical-align: top; }
td.number { font-variant-numeric: tabular-nums; white-space: nowrap; }
img { border: 1px solid light-dark(#ddd, #444); display: block; }
`;

/** Nothing of the project's own is run or fetched by who opens the page. */
const POLICY = "default-src 'none'; img-src 'self' file:; style-src 'unsafe-inline'";

/**
 * A whole page that needs nothing but the folder it lies in, and runs and fetches nothing else.
 * @param body HTML
 * @param style CSS beside what all such pages have
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

/** Text as HTML in which nothing is markup, and nothing is hidden. */
export const escaped = (text: string): string =>
  plain(text).replace(/[&<>"']/g, (mark) => MARKS[mark]!);
