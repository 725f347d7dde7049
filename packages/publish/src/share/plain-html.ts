import { escapeHtml } from "./html.ts";

/** A text as it is written, for a page: line breaks and spaces are kept. */
export const plainHtml = (text: string): string => `<p class="as-is">${escapeHtml(text)}</p>`;

/** Code as it is written. */
export const plainCode = (code: string): string =>
  `<pre tabindex="0" dir="ltr"><code>${escapeHtml(code)}</code></pre>`;
