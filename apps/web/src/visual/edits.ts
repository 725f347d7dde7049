import {
  collapse,
  encode,
  type Classes,
  type Edit,
  type Literal,
  type Reason,
  type Slice,
  type Style,
} from "./source-element.ts";

export type Planned = { edit: Edit } | { refused: Reason };

/** Replaces the text of a literal. */
export const editWords = ({ from, to, writing }: Literal, words: string): Edit => ({
  from,
  to,
  insert: encode(writing === "jsx" || writing === "html" ? collapse(words) : words, writing),
});

/**
 * Removes and adds class names. The others, and the white space between them, stay. A single edit covers all changes.
 */
export function editClasses(
  text: string,
  classes: Classes,
  { remove = [], add = [] }: { remove?: readonly string[]; add?: readonly string[] },
): Planned {
  if ("refused" in classes) return classes;
  if ("absent" in classes) {
    const { absent, name } = classes;
    return {
      edit: {
        from: absent,
        to: absent,
        insert: ` ${name}="${encode(add.join(" "), "attribute")}"`,
      },
    };
  }
  const { pieces, writing } = classes;
  const present = pieces.flatMap(({ from, to }) => text.slice(from, to).split(/\s+/));
  const missing = remove.find((one) => !present.includes(one));
  if (missing !== undefined) return { refused: { why: "expression", code: missing } };
  const fresh = add.filter((one) => !present.includes(one) || remove.includes(one));
  const [first, last] = [pieces[0]!, pieces.at(-1)!];
  // Replacing one name with another keeps its position.
  const replaced = fresh.length > 0 ? remove[0] : undefined;
  const removed = replaced === undefined ? remove : remove.slice(1);
  let put = false;
  const written = pieces.map(({ from, to }) => {
    let piece = text.slice(from, to);
    for (const one of removed) piece = withoutName(piece, one);
    if (replaced !== undefined && !put) {
      const swapped = piece.replace(
        nameIn(replaced),
        (_, before: string) => before + encode(fresh.join(" "), writing),
      );
      put = swapped !== piece;
      piece = swapped;
    }
    return piece;
  });
  if (fresh.length > 0 && !put) {
    const head = written[0]!;
    const names = encode(fresh.join(" "), writing);
    const body = head.trimEnd();
    const glued = pieces.length > 1 && body === head && head !== "";
    // Text directly before `${…}` may be the beginning of a name.
    written[0] = glued
      ? `${names} ${head}`
      : body === ""
        ? names + (pieces.length > 1 ? " " : head)
        : `${body} ${names}${head.slice(body.length)}`;
  }
  let insert = "";
  pieces.forEach((piece, index) => {
    insert += written[index]! + text.slice(piece.to, pieces[index + 1]?.from ?? piece.to);
  });
  return { edit: { from: first.from, to: last.to, insert } };
}

const nameIn = (name: string) => new RegExp(`(^|\\s)${escaped(name)}(?=\\s|$)`);

const escaped = (name: string) => name.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");

/** The piece without a name, and without the white space before it, or after it if it is the first. */
const withoutName = (piece: string, name: string): string =>
  piece
    .replace(nameIn(name), "")
    .replace(/^\s+(?=\S)/, (blank) => (/^\s/.test(piece) ? blank : ""));

/** Sets a property in the element's own `style`. */
export function editStyle(text: string, style: Style, property: string, value: string): Planned {
  if ("refused" in style) return style;
  const key = property.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
  if ("absent" in style) {
    const { absent, writing } = style;
    const insert =
      writing === "jsx"
        ? ` style={{ ${key}: "${encode(value, '"')}" }}`
        : ` style="${encode(`${property}: ${value}`, "attribute")}"`;
    return { edit: { from: absent, to: absent, insert } };
  }
  if ("properties" in style) {
    const existing = style.properties.find(({ name }) => name === key);
    const insert = `"${encode(value, '"')}"`;
    if (existing && !existing.isLiteral)
      return {
        refused: { why: "expression", code: text.slice(existing.value.from, existing.value.to) },
      };
    if (existing) return { edit: { ...existing.value, insert } };
    const { end, isEmpty } = style;
    return {
      edit: {
        from: end,
        to: end,
        insert: `${isEmpty ? " " : ", "}${key}: ${insert}${style.properties.length === 0 ? " " : ""}`,
      },
    };
  }
  const { from, to } = style.declarations;
  const declarationText = text.slice(from, to);
  const found = valueIn(declarationText, property);
  const written = encode(value, "attribute");
  if (found) return { edit: { from: from + found.from, to: from + found.to, insert: written } };
  const body = declarationText.trimEnd().replace(/;$/, "");
  return { edit: { from, to, insert: `${body}${body === "" ? "" : "; "}${property}: ${written}` } };
}

/**
 * The range of a property's value in declarations; undefined if they do not set it. Not a regular expression, because
 * that takes quadratic time on long runs of white space (A78).
 */
function valueIn(declarations: string, property: string): Slice | undefined {
  let from = 0;
  for (const one of declarations.split(";")) {
    const colon = one.indexOf(":");
    if (colon !== -1 && one.slice(0, colon).trim().toLowerCase() === property) {
      const value = one.slice(colon + 1);
      const start = from + colon + 1 + (value.length - value.trimStart().length);
      return { from: start, to: Math.max(start, start + value.trim().length) };
    }
    from += one.length + 1;
  }
  return undefined;
}
