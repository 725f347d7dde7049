import { escapeHtml } from "./html.ts";

/** A plain text as HTML, with its line breaks and spaces. */
export const plainHtml = (text: string): string => `<p class="as-is">${escapeHtml(text)}</p>`;

/** Code as HTML without highlighting. */
export const plainCode = (code: string): string =>
  `<pre tabindex="0" dir="ltr"><code>${escapeHtml(code)}</code></pre>`;
