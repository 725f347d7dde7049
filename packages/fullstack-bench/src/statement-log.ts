/** Used columns of PostgreSQL's `csvlog`. */
const USER = 1;
const DATABASE = 2;
const MESSAGE = 13;
const APPLICATION = 22;
/** The beginning of a statement's message: in the simple protocol, and for a prepared one. */
const STATEMENT = /^(?:statement|execute [^:]*): /;
/** Words that begin a statement which changes rows, alone or after a `WITH`. */
const WRITES = /^(?:insert|update|delete|merge|copy\b[^;]*\bfrom|truncate)\b/i;
const WITH_WRITES = /\b(?:insert\s+into|update\s+\S+\s+set|delete\s+from|merge\s+into)\b/i;

/** A statement as the server logged it. */
export interface LoggedStatement {
  user: string;
  database: string;
  /** The client's application name; often empty. */
  application: string;
  sql: string;
}

/**
 * Parses PostgreSQL's statement log (`csvlog`). An incomplete last row and other messages are
 * omitted. Never throws; linear in the text.
 */
export function readStatementLog(text: string): LoggedStatement[] {
  const statements: LoggedStatement[] = [];
  for (const row of rowsOf(text)) {
    const message = row[MESSAGE] ?? "";
    const begin = STATEMENT.exec(message)?.[0];
    if (begin === undefined) continue;
    statements.push({
      user: row[USER] ?? "",
      database: row[DATABASE] ?? "",
      application: row[APPLICATION] ?? "",
      sql: message.slice(begin.length),
    });
  }
  return statements;
}

/** Whether a statement changes rows, rather than creating tables or only reading. */
export function writesRows(sql: string): boolean {
  const plain = withoutTexts(sql).trimStart();
  return WRITES.test(plain) || (/^with\b/i.test(plain) && WITH_WRITES.test(plain));
}

/** Removes comments and string literals, which may contain any word. */
const withoutTexts = (sql: string): string =>
  sql.replaceAll(/--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|'(?:[^']|'')*(?:'|$)/g, (found) =>
    found.startsWith("'") ? "''" : " ",
  );

function* rowsOf(text: string): Generator<string[]> {
  let row: string[] = [];
  let at = 0;
  while (at < text.length) {
    let field = "";
    if (text[at] === '"') {
      for (at++; ;) {
        const quote = text.indexOf('"', at);
        if (quote === -1) return;
        field += text.slice(at, quote);
        at = quote + 1;
        if (text[at] !== '"') break;
        field += '"';
        at++;
      }
    }
    let end = at;
    while (end < text.length && text[end] !== "," && text[end] !== "\n") end++;
    if (end === text.length) return;
    row.push(field + text.slice(at, end));
    at = end + 1;
    if (text[end] === "\n") {
      yield row;
      row = [];
    }
  }
}
