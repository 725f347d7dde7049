import { isEscaped, withoutEntities } from "./entities.ts";
import { withoutCdata, withoutFence } from "./fence.ts";

/** Files whose own text has headings, fences and sentences. */
export const PROSE_FILE = /\.(?:mdx?|markdown|txt|rst)$/i;
/** Markup files: one without any `<` was written with all tags escaped. */
const MARKUP_FILE = /\.(?:html?|xml|svg|vue|svelte|astro|[jt]sx)$/i;
const SCRIPT_FILE = /\.[cm]?[jt]s$/i;

/** Marks that a product puts in front of a file for its own use. */
const NO_CONTENT = /^\s{0,64}\[v0-no-op-[\w-]{1,64}\][ \t]*(?:\r?\n)?/;

/**
 * Removes what models put around a file's content in tags: CDATA, a code fence, or HTML escapes.
 * bolt.diy removes both as well, but not from prose files, in which they are content.
 * @param endImplied whether its closing tag was missing, so that another one at its end is not part
 * of it
 */
export function meantContent(path: string, written: string, endImplied = false): string {
  const marked = written.replace(NO_CONTENT, "");
  const content = withoutCdata(endImplied ? withoutOtherEnd(marked) : marked);
  if (PROSE_FILE.test(path)) return content;
  const bare = withoutFence(withoutTag(path, content));
  return bare.includes("&") && isAllEscaped(path, bare) ? withoutEntities(bare) : bare;
}

/**
 * What must be added after a file's content in tool tags, which drop the line break before the
 * closing tag: the line ending of its last line.
 */
export function lastLineEnd(content: string): string {
  if (content === "") return "";
  return /\r\n?$/.test(content.slice(0, content.lastIndexOf("\n") + 1)) ? "\r\n" : "\n";
}

/**
 * Removes a parameter's tag of another dialect around a complete file, as no code begins with it;
 * for markup, only around a complete page.
 */
function withoutTag(path: string, content: string): string {
  const [, , inside] =
    /^\s*<(content|file_content|file_text)>\r?\n?([^]*)<\/\1>\s*$/.exec(content) ?? [];
  if (inside === undefined) return content;
  const isMarkup = /\.(?:html?|xml|xsl|svg|vue|svelte|astro)$/i.test(path);
  return !isMarkup || /^\s*<(?:!doctype|html|\?xml)\b/i.test(inside) ? inside : content;
}

/** Removes a closing tag on the last line that nothing in the content opens. */
function withoutOtherEnd(content: string): string {
  const [tag, name = ""] =
    /(?<=^|\n)[ \t]{0,200}<\/([\w-]{1,40})>\s*$/.exec(content.slice(-400)) ?? [];
  if (tag === undefined || new RegExp(`<${name}[\\s>]`).test(content)) return content;
  return content.slice(0, content.length - tag.length);
}

function isAllEscaped(path: string, content: string): boolean {
  if (MARKUP_FILE.test(path)) return content.includes("&lt;") && !content.includes("<");
  // An entity in a string is code; an arrow or a condition made of entities is not.
  if (SCRIPT_FILE.test(path)) return isEscaped(content) && /=&gt;|&amp;&amp;/.test(content);
  if (/\.json$/i.test(path)) return content.includes("&quot;") && !content.includes('"');
  return /\.(?:css|scss|less)$/i.test(path) && isEscaped(content) && content.includes("&gt;");
}
