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

/**
 * What may hold a semicolon that ends nothing: texts, names, remarks, brackets. A text of PostgreSQL's that begins with `E'` may
 * hold a quote behind a `\`.
 */
const PIECE =
  /[Ee]'(?:[^'\\]|''|\\[^])*'?|'(?:[^']|'')*'?|"(?:[^"]|"")*"?|`[^`]*`?|--[^\n]*|\/\*|\$(?:[A-Za-z_]\w*)?\$|[A-Za-z_]\w*|[;()]/g;
/** A trigger's body holds statements of its own, up to an END that belongs to no CASE. */
const TRIGGER = /^(?:\s|--[^\n]*|\/\*[^]*?\*\/)*CREATE\s+(?:TEMP\s+|TEMPORARY\s+)?TRIGGER\b/i;
const SPACE = /(?:\s+|--[^\n]*(?:\n|$))*/y;

/**
 * Cuts a text of SQL into its statements, without the remarks before each.
 * @param kind PostgreSQL's texts between dollars hold anything, its remarks hold others, its brackets and functions (`BEGIN
 * ATOMIC`) hold statements; SQLite's triggers hold statements
 */
export function splitSql(text: string, kind: "sqlite" | "postgres"): Piece[] {
  const isPostgres = kind === "postgres";
  const found: Piece[] = [];
  let start = 0;
  let depth = 0;
  let brackets = 0;
  let word = "";
  const line = createLineCount(text);
  const add = (end: number) => {
    const from = afterRemarks(text, start, isPostgres);
    const sql = text.slice(from, end).trim();
    if (sql !== "") found.push({ sql, line: line(from), end: Math.min(end + 1, text.length) });
    start = end + 1;
    depth = 0;
    brackets = 0;
  };
  PIECE.lastIndex = 0;
  for (let match = PIECE.exec(text); match; match = PIECE.exec(text)) {
    const [piece] = match;
    if (piece.startsWith("--")) continue;
    if (piece === "/*") PIECE.lastIndex = remarkEnd(text, match.index, isPostgres);
    else if (piece.startsWith("$")) {
      if (!isPostgres) continue;
      const end = text.indexOf(piece, PIECE.lastIndex);
      PIECE.lastIndex = end === -1 ? text.length : end + piece.length;
    } else if (piece === ";") {
      if (depth === 0 && brackets === 0) add(match.index);
    } else if (isPostgres) {
      if (piece === "(") brackets++;
      else if (piece === ")") brackets = Math.max(0, brackets - 1);
      const before = word;
      word = piece.toLowerCase();
      if (word === "atomic" && before === "begin") depth = 1;
      else if (depth > 0 && (word === "case" || word === "end")) depth += word === "end" ? -1 : 1;
    } else if (/^(?:begin|case|end)$/i.test(piece)) {
      const inTrigger = depth > 0 || TRIGGER.test(text.slice(start, match.index));
      if (inTrigger) depth += piece.toLowerCase() === "end" ? -1 : 1;
    }
  }
  add(text.length);
  return found;
}

/** Where the first word stands that is no remark. */
function afterRemarks(text: string, start: number, isNested: boolean): number {
  for (let at = start; ;) {
    SPACE.lastIndex = at;
    at += SPACE.exec(text)?.[0].length ?? 0;
    if (!text.startsWith("/*", at)) return at;
    at = remarkEnd(text, at, isNested);
  }
}

/** Where a remark ends that begins here. @param isNested it may hold others */
function remarkEnd(text: string, at: number, isNested: boolean): number {
  const sign = /\/\*|\*\//g;
  sign.lastIndex = at + 2;
  let depth = 1;
  for (let match = sign.exec(text); match; match = sign.exec(text)) {
    if (match[0] === "*/") depth--;
    else if (isNested) depth++;
    if (depth === 0) return sign.lastIndex;
  }
  return text.length;
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
