/** A statement of a longer text, and the line that it begins on, from 1. */
export interface Statement {
  sql: string;
  line: number;
}

/** One that was cut out. */
export interface Piece extends Statement {
  /** Where it ends in the text, behind its semicolon. */
  end: number;
}

/** What may hold a semicolon that ends nothing: texts, names, remarks. */
const PIECE =
  /'(?:[^']|'')*'?|"(?:[^"]|"")*"?|`[^`]*`?|--[^\n]*|\/\*[^]*?(?:\*\/|$)|\$(?:[A-Za-z_]\w*)?\$|[A-Za-z_]\w*|;/g;
/** A trigger's body holds statements of its own, up to an END that belongs to no CASE. */
const TRIGGER = /^(?:\s|--[^\n]*|\/\*[^]*?\*\/)*CREATE\s+(?:TEMP\s+|TEMPORARY\s+)?TRIGGER\b/i;
const REMARK = /^(?:--|\/\*)/;
const LEADING = /^(?:\s+|--[^\n]*(?:\n|$)|\/\*[^]*?\*\/)+/;

/**
 * Cuts a text of SQL into its statements, without the remarks before each.
 * @param kind PostgreSQL's texts between dollars hold anything; SQLite's triggers hold statements
 */
export function splitSql(text: string, kind: "sqlite" | "postgres"): Piece[] {
  const found: Piece[] = [];
  let start = 0;
  let depth = 0;
  const line = createLineCount(text);
  const add = (end: number) => {
    const whole = text.slice(start, end);
    const remarks = LEADING.exec(whole)?.[0].length ?? 0;
    const sql = whole.slice(remarks).trim();
    if (sql !== "")
      found.push({ sql, line: line(start + remarks), end: Math.min(end + 1, text.length) });
    start = end + 1;
    depth = 0;
  };
  PIECE.lastIndex = 0;
  for (let match = PIECE.exec(text); match; match = PIECE.exec(text)) {
    const [piece] = match;
    if (REMARK.test(piece)) continue;
    if (piece.startsWith("$")) {
      if (kind !== "postgres") continue;
      const end = text.indexOf(piece, PIECE.lastIndex);
      PIECE.lastIndex = end === -1 ? text.length : end + piece.length;
    } else if (piece === ";") {
      if (depth === 0) add(match.index);
    } else if (kind === "sqlite" && /^(?:begin|case|end)$/i.test(piece)) {
      const inTrigger = depth > 0 || TRIGGER.test(text.slice(start, match.index));
      if (inTrigger) depth += piece.toLowerCase() === "end" ? -1 : 1;
    }
  }
  add(text.length);
  return found;
}

/** Says the line of places that only ever grow. */
function createLineCount(text: string): (at: number) => number {
  let counted = 0;
  let line = 1;
  return (at) => {
    for (; counted < at; counted++) if (text[counted] === "\n") line++;
    return line;
  };
}
