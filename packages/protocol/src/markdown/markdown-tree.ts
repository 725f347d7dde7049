import type { MarkdownElement, MarkdownNode, MarkdownTag, MarkdownToken } from "./types.ts";

/**
 * Maximum number of nodes in a text. Pages render this many quickly; a larger text is shown as
 * plain text.
 */
const MAX_NODES = 6_000;
/** Maximum nesting of quotes and lists; deeper ones show their content at this depth. */
const MAX_DEPTH = 16;
/**
 * Parsers of this family drop content nested deeper than 100 levels, so a text close to that is not
 * rendered.
 */
const MAX_LEVEL = 90;

const BLOCKS = new Set<string>(
  "p h1 h2 h3 h4 h5 h6 ul ol li blockquote table thead tbody tr th td strong em a".split(" "),
);

/**
 * Builds a tree of known elements from a parser's tokens. Everything else becomes text: HTML is shown as written,
 * pictures become links, and links lead to web addresses only.
 * @returns undefined if the text has too many nodes or is nested too deeply, in which case it is shown as plain text
 */
export function markdownTree(tokens: readonly MarkdownToken[]): MarkdownNode[] | undefined {
  const roots: MarkdownNode[] = [];
  const open: MarkdownElement[] = [];
  let count = 0;

  const childrenOfOpen = () => open.at(-1)?.children ?? roots;

  function add(node: MarkdownNode): void {
    count++;
    childrenOfOpen().push(node);
  }

  function addText(text: string): void {
    const siblings = childrenOfOpen();
    const last = siblings.at(-1);
    if (text === "") return;
    if (typeof last === "string") siblings[siblings.length - 1] = last + text;
    else add(text);
  }

  function read(token: MarkdownToken): void {
    if (token.nesting === 1) {
      const element = { ...attributesOf(token), tag: tagOf(token), children: [] };
      // An element that is too deep is not shown; its content is part of the element around it.
      if (open.length < MAX_DEPTH && !token.hidden) add(element);
      else element.children = childrenOfOpen() as never[];
      open.push(element);
    } else if (token.nesting === -1) open.pop();
    else if (token.type === "inline") token.children?.forEach(read);
    else if (token.type === "text" || token.type === "text_special") addText(token.content);
    else if (token.type === "softbreak") addText("\n");
    else if (token.type === "hardbreak") add({ tag: "br", children: [] });
    else if (token.type === "hr") add({ tag: "hr", children: [] });
    else if (token.type === "code_inline") add({ tag: "code", children: [token.content] });
    else if (token.type === "fence" || token.type === "code_block") add(codeBlock(token));
    else if (token.type === "image") add(picture(token));
    else addText(token.content);
  }

  for (const token of tokens) {
    if (token.level > MAX_LEVEL) return undefined;
    read(token);
    if (count > MAX_NODES) return undefined;
  }
  markTasks(roots);
  return roots;
}

function tagOf({ tag }: MarkdownToken): MarkdownTag {
  if (tag === "s") return "del";
  return (BLOCKS.has(tag) ? tag : "span") as MarkdownTag;
}

function attributesOf(token: MarkdownToken): Pick<MarkdownElement, "href" | "start"> {
  if (token.tag === "a") return linkTo(token.attrGet("href"));
  const start = token.tag === "ol" ? Number(token.attrGet("start") ?? 1) : 1;
  return Number.isSafeInteger(start) && start !== 1 ? { start } : {};
}

function linkTo(address: string | null): Pick<MarkdownElement, "href"> {
  return address !== null && /^https?:\/\//i.test(address) ? { href: address } : {};
}

function codeBlock({ content, info }: MarkdownToken): MarkdownElement {
  const language = /^[\w+#-]{1,40}/.exec(info)?.[0];
  return { tag: "pre", children: [content], language };
}

/**
 * Turns a picture into a link. Pictures are never loaded: the author of the address would learn who reads the text, and
 * when.
 */
function picture(token: MarkdownToken): MarkdownElement {
  const name = token.content === "" ? [] : [token.content];
  return { tag: "picture", children: name, ...linkTo(token.attrGet("src")) };
}

/** Replaces `[ ]` and `[x]` at the start of a list item with boxes. */
function markTasks(nodes: MarkdownNode[]): void {
  for (const node of nodes) {
    if (typeof node === "string") continue;
    if (node.tag === "li") {
      const [first] = node.children;
      const inside =
        typeof first === "object" && first.tag === "p" ? first.children : node.children;
      const [text] = inside;
      const [mark, , done] =
        typeof text === "string" ? (/^\[(?:( )|([xX]))\][ \t]/.exec(text) ?? []) : [];
      if (mark !== undefined)
        inside[0] = `${done === undefined ? "☐" : "☑"} ${(text as string).slice(mark.length)}`;
    }
    markTasks(node.children);
  }
}
