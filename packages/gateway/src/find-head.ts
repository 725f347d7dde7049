/** Elements whose text contains no markup. */
const RAW = new Set(["script", "style", "title", "noscript", "template"]);
const OF_HEAD = new Set(["html", "head", "meta", "link", "base", ...RAW]);

/** A piece of a document's beginning, in order; `length` in characters. */
export type HeadPiece =
  /** Passed on unchanged. */
  | { type: "plain"; length: number }
  /** Elements that may precede the content of the head; the markup is inserted after them. */
  | { type: "head-content"; length: 0 }
  | { type: "meta"; length: number }
  /** The head has ended: no more pieces. */
  | { type: "end"; length: 0 };

/**
 * Reads an HTML document up to its head, one byte per character. `next` is called with the unread rest, and returns the
 * next piece, or undefined if more is needed to decide.
 */
export function createHeadReader(): { next(text: string): HeadPiece | undefined } {
  let inContent = false;
  /** Name of the element whose text is being skipped. */
  let raw: string | undefined;
  const plain = (length: number): HeadPiece | undefined =>
    length === 0 ? undefined : { type: "plain", length };

  return {
    next(text) {
      if (raw !== undefined) {
        const end = text.toLowerCase().indexOf(`</${raw}`);
        // The text that may be the start of the end tag is held back.
        if (end === -1) return plain(Math.max(0, text.length - raw.length - 2));
        raw = undefined;
        if (end > 0) return plain(end);
      }
      const space = /^\s+/.exec(text)?.[0].length;
      if (space !== undefined) return plain(space);
      if (text === "") return undefined;
      const length = tokenLength(text);
      if (length === undefined) return undefined;
      const token = text.slice(0, length);
      if (/^<[!?]/.test(token)) return plain(length);
      const name = /^<\/?([a-z][^\s/>]*)/i.exec(token)?.[1]?.toLowerCase();
      const closing = token.startsWith("</");
      if (!inContent && (closing || (name !== "html" && name !== "head"))) {
        inContent = true;
        return { type: "head-content", length: 0 };
      }
      if (name === undefined || !OF_HEAD.has(name)) return { type: "end", length: 0 };
      if (closing && (name === "head" || name === "html")) return { type: "end", length: 0 };
      if (name === "meta" && !closing) return { type: "meta", length };
      if (!closing && RAW.has(name)) raw = name;
      return plain(length);
    },
  };
}

/**
 * Length of the tag, comment or declaration at the start, or 1 for text; undefined while it is
 * incomplete.
 */
function tokenLength(text: string): number | undefined {
  if ("<!--".startsWith(text.slice(0, 4)) && text.length < 4) return undefined;
  if (text.startsWith("<!--")) {
    // From 2 on, because `<!-->` is complete.
    const end = text.indexOf("-->", 2);
    return end === -1 ? undefined : end + 3;
  }
  if (text === "</") return undefined;
  if (!/^<(?:[!?]|\/?[a-z])/i.test(text)) return 1;
  let quote = "";
  for (let at = 1; at < text.length; at++) {
    const letter = text.charAt(at);
    if (quote !== "") quote = letter === quote ? "" : quote;
    else if (letter === ">") return at + 1;
    // Quotes only count at the start of a value, or in a document type.
    else if ((letter === '"' || letter === "'") && opensValue(text, at)) quote = letter;
  }
  return undefined;
}

const opensValue = (text: string, at: number) =>
  text.startsWith("<!") || /=\s*$/.test(text.slice(Math.max(0, at - 8), at));
