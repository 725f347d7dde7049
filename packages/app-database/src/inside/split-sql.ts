/** A statement within a longer text, and the line on which it begins, from 1. */
export interface Statement {
  sql: string;
  line: number;
}

/** A statement with its end. */
export interface Piece extends Statement {
  /** Its end in the text, after its semicolon. */
  end: number;
}

/**
 * Parts in which a semicolon ends nothing: strings, names, comments, brackets. PostgreSQL's strings
 * with the prefix `E` may contain a quote after a `\`.
 */
const PIECE =
  /[Ee]'(?:[^'\\]|''|\\[^])*'?|'(?:[^']|'')*'?|"(?:[^"]|"")*"?|`[^`]*`?|--[^\n]*|\/\*|\$(?:[A-Za-z_]\w*)?\$|[A-Za-z_]\w*|[;()]/g;
/** The start of a trigger, whose body contains statements up to an END that belongs to no CASE. */
const TRIGGER = /^(?:\s|--[^\n]*|\/\*[^]*?\*\/)*CREATE\s+(?:TEMP\s+|TEMPORARY\s+)?TRIGGER\b/i;
const SPACE = /(?:\s+|--[^\n]*(?:\n|$))*/y;

/**
 * Splits SQL into statements, without the comments before each.
 * @param kind PostgreSQL has dollar-quoted strings, nested comments, and statements in brackets and
 * functions (`BEGIN ATOMIC`); SQLite's triggers contain statements
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

/** Position of the first word after comments. */
function afterRemarks(text: string, start: number, isNested: boolean): number {
  for (let at = start; ;) {
    SPACE.lastIndex = at;
    at += SPACE.exec(text)?.[0].length ?? 0;
    if (!text.startsWith("/*", at)) return at;
    at = remarkEnd(text, at, isNested);
  }
}

/**
 * End of the comment that begins at `at`.
 * @param isNested whether comments may be nested
 */
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

/** Returns the line numbers of increasing positions. */
function createLineCount(text: string): (at: number) => number {
  let counted = 0;
  let line = 1;
  return (at) => {
    for (; counted < at; counted++) if (text[counted] === "\n") line++;
    return line;
  };
}
