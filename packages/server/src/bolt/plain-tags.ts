/** What bolt's client would begin to obey; also one that is closed. */
const BEGINS = ["<bolt", "</bolt"];

/**
 * Words of a model, a page or a program for a text in which a client obeys bolt's tags: theirs are shown there and do
 * nothing (A83). Given in pieces; the end of one that may be the beginning of a tag is held back until the next.
 */
export interface PlainTags {
  write(piece: string): string;
  /** What is held back. Something of ours comes after it. */
  rest(): string;
}

export function createPlainTags(): PlainTags {
  let held = "";
  return {
    write(piece) {
      const text = held + piece;
      const from = text.lastIndexOf("<");
      const last = from === -1 ? "" : text.slice(from).toLowerCase();
      const isOpen =
        last !== "" && BEGINS.some((begin) => begin !== last && begin.startsWith(last));
      held = isOpen ? text.slice(from) : "";
      return plainTags(isOpen ? text.slice(0, from) : text);
    },
    rest() {
      const rest = held;
      held = "";
      return rest;
    },
  };
}

/** The same of a whole text. */
export const plainTags = (text: string): string => text.replace(/<(?=\/?bolt)/gi, "&lt;");
