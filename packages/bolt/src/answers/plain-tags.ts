/** The beginnings of tags that bolt's client would execute, including closing ones. */
const BEGINS = ["<bolt", "</bolt"];

/**
 * Escapes foreign text for clients that execute bolt's tags, so that tags in it are only displayed
 * (A83). Works on chunks; a possible beginning of a tag at the end is held until the next one.
 */
export interface PlainTags {
  write(piece: string): string;
  /** The held text, before our own text follows. */
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

/** Escapes tags in a complete text. */
export const plainTags = (text: string): string => text.replace(/<(?=\/?bolt)/gi, "&lt;");
