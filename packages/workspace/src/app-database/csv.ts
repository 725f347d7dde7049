/** A value of a table as a field of CSV: nothing is NULL, an empty text is quoted. */
export function csvField(value: unknown): string {
  if (value === null || value === undefined) return "";
  const text =
    value instanceof Uint8Array ? `0x${Buffer.from(value).toString("hex")}` : String(value);
  return text === "" || /[",\r\n]/.test(text) || /^\s|\s$/.test(text)
    ? `"${text.replaceAll('"', '""')}"`
    : text;
}

export interface CsvRow {
  /** A field that is empty and was not quoted is null. */
  fields: (string | null)[];
  /** That it begins on, from 1. */
  line: number;
}

/**
 * Reads CSV (RFC 4180), with a comma, a semicolon or a tab between fields, whichever the first line has most of.
 * @throws Error with the line, where a quote is not closed
 */
export function readCsv(text: string): CsvRow[] {
  const source = text.replace(/^\uFEFF/, "");
  const comma = separatorOf(source);
  const rows: CsvRow[] = [];
  let fields: (string | null)[] = [];
  let at = 0;
  let line = 1;
  let began = 1;
  while (at < source.length) {
    let field: string | null;
    if (source[at] === '"') {
      const open = line;
      field = "";
      for (at++; ;) {
        const quote = source.indexOf('"', at);
        if (quote === -1) throw new Error(`Line ${open}: a quote is not closed.`);
        const piece = source.slice(at, quote);
        line += piece.split("\n").length - 1;
        field += piece;
        at = quote + 1;
        if (source[at] !== '"') break;
        field += '"';
        at++;
      }
      // What stands behind the quote is no part of the field.
      while (at < source.length && !isEnd(source[at]!, comma)) at++;
    } else {
      const from = at;
      while (at < source.length && !isEnd(source[at]!, comma)) at++;
      field = from === at ? null : source.slice(from, at);
    }
    fields.push(field);
    if (source[at] === comma) {
      at++;
      // A line that ends with a comma has an empty field behind it.
      if (at < source.length && !/[\r\n]/.test(source[at]!)) continue;
      fields.push(null);
    }
    if (source[at] === "\r") at++;
    if (source[at] === "\n") at++;
    line++;
    if (fields.length > 1 || fields[0] !== null) rows.push({ fields, line: began });
    fields = [];
    began = line;
  }
  return rows;
}

const isEnd = (sign: string, comma: string) => sign === comma || sign === "\n" || sign === "\r";

function separatorOf(text: string): string {
  const [first = ""] = text.split("\n", 1);
  const count = (sign: string) => first.split(sign).length;
  return [",", ";", "\t"].reduce((best, sign) => (count(sign) > count(best) ? sign : best));
}
