import { headOf } from "@treadle/protocol/safe-text";
/** Characters of HTML that are turned. */
const HTML = 1_000_000;

/** A fetched text as the model reads it: of HTML what it says, as Markdown. Never throws for what a page holds. */
export async function pageMarkdown(contentType: string, bytes: Uint8Array): Promise<string> {
  const text = new TextDecoder(charsetOf(contentType)).decode(bytes);
  if (!/html/.test(contentType)) return text;
  const { default: TurndownService } = await import("turndown");
  return new TurndownService({ headingStyle: "atx", codeBlockStyle: "fenced" })
    .remove(["script", "style", "noscript", "iframe", "svg", "template", "nav", "footer"])
    .turndown(headOf(text, HTML));
}

function charsetOf(contentType: string): string {
  const named = /charset="?([\w-]+)/i.exec(contentType)?.[1];
  try {
    return new TextDecoder(named).encoding;
  } catch {
    return "utf-8";
  }
}
