import { PROSE_FILE } from "./go-on/opening.ts";

/** Files that are mostly tags: one without any was written with all of them escaped. */
const MARKUP_FILE = /\.(?:html?|xml|svg|vue|svelte|astro|[jt]sx)$/i;
const OPENING_FENCE = /^\s*(`{3,})[^\n`]*\n/;
const ESCAPED: Record<string, string> = { "&lt;": "<", "&gt;": ">", "&amp;": "&" };

/**
 * A file's content without what models put around it between tags: a code fence, or tags that are escaped as for a page.
 * bolt.diy takes both off as well, and leaves files of prose alone, in which they are content.
 */
export function plainContent(path: string, content: string): string {
  if (PROSE_FILE.test(path)) return content;
  const bare = withoutFence(content);
  return MARKUP_FILE.test(path) && bare.includes("&lt;") && !bare.includes("<")
    ? bare.replaceAll(/&(?:lt|gt|amp);/g, (name) => ESCAPED[name] ?? name)
    : bare;
}

/** No code begins with a fence; where it ends, another one may begin. */
function withoutFence(content: string): string {
  const [opening, ticks] = OPENING_FENCE.exec(content) ?? [];
  if (opening === undefined || ticks === undefined) return content;
  const inside = content.slice(opening.length);
  const end = inside.trimEnd();
  return end === ticks || end.endsWith(`\n${ticks}`) ? end.slice(0, -ticks.length) : inside;
}
