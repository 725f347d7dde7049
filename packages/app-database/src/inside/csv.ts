import { textOf } from "./text-of.ts";

/** Formats a value as a CSV field: NULL is empty, an empty text is quoted. */
export function csvField(value: unknown): string {
  if (value === null || value === undefined) return "";
  const text =
    value instanceof Uint8Array ? `0x${Buffer.from(value).toString("hex")}` : String(value);
  return text === "" || /[",\r\n]/.test(text) || /^\s|\s$/.test(text) ? quotedField(text) : text;
}

export const quotedField = (text: string): string => `"${text.replaceAll('"', '""')}"`;

export interface CsvRow {
  /** Null for a field that is empty and unquoted. */
  fields: (string | null)[];
  /** Which fields were quoted. */
  quoted: boolean[];
  /** The line on which it begins, from 1. */
  line: number;
}

/**
 * Parses CSV (RFC 4180), separated by commas, semicolons or tabs, whichever is most frequent in the
 * first line. An empty line is a row with one field, which is null.
 * @throws Error with the line of an unclosed quote or of text after a quote; with a message if it
 * is not UTF-8
 */
export function readCsv(bytes: Uint8Array): CsvRow[] {
  const source = textOf(bytes);
  if (source === undefined)
    throw new Error("The CSV is not written in UTF-8: save it so. Nothing was added.");
  const comma = separatorOf(source);
  const rows: CsvRow[] = [];
  let fields: (string | null)[] = [];
  let quoted: boolean[] = [];
  let at = 0;
  let line = 1;
  let began = 1;
  while (at < source.length) {
    let field: string | null;
    quoted.push(source[at] === '"');
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
      for (; at < source.length && !isEnd(source[at]!, comma); at++)
        if (/\S/.test(source[at]!))
          throw new Error(`Line ${line}: text stands behind a quote that ends a field.`);
    } else {
      const from = at;
      while (at < source.length && !isEnd(source[at]!, comma)) at++;
      field = from === at ? null : source.slice(from, at);
    }
    fields.push(field);
    if (source[at] === comma) {
      at++;
      // A line that ends with a comma has an empty last field.
      if (at < source.length && !/[\r\n]/.test(source[at]!)) continue;
      fields.push(null);
      quoted.push(false);
    }
    if (source[at] === "\r") at++;
    if (source[at] === "\n") at++;
    line++;
    rows.push({ fields, quoted, line: began });
    fields = [];
    quoted = [];
    began = line;
  }
  return rows;
}

/**
 * The column names of the first line, and the rows below it.
 * @throws Error with a message for people
 */
export function withHead(all: readonly CsvRow[]): { names: string[]; rows: CsvRow[] } {
  const at = all.findIndex((row) => !isBlank(row));
  if (at === -1) throw new Error("The CSV is empty: its first line names the columns.");
  const names = all[at]!.fields.map((name) => (name ?? "").trim());
  return { names, rows: all.slice(at + 1) };
}

/**
 * Finds the table's columns of these names, ignoring case if necessary.
 * @throws Error with a message for people
 */
export function columnsNamed(names: string[], table: string, known: string[]): string[] {
  const columns = names.map((name) => {
    const found =
      known.find((one) => one === name) ??
      known.find((one) => one.toLowerCase() === name.toLowerCase());
    if (found !== undefined) return found;
    const has = known.join(", ");
    throw new Error(
      `The table “${table}” has no column “${name}”; it has ${has}. Nothing was added.`,
    );
  });
  const twice = columns.find((name, at) => columns.indexOf(name) !== at);
  if (twice !== undefined)
    throw new Error(`The first line of the CSV names “${twice}” twice. Nothing was added.`);
  return columns;
}

/** Whether a row is an empty line. */
export const isBlank = ({ fields }: CsvRow): boolean => fields.length === 1 && fields[0] === null;

const isEnd = (sign: string, comma: string) => sign === comma || sign === "\n" || sign === "\r";

function separatorOf(text: string): string {
  const [line = ""] = text.split("\n", 1);
  const first = line.replaceAll(/"[^"]*"/g, "");
  const count = (sign: string) => first.split(sign).length;
  return [",", ";", "\t"].reduce((best, sign) => (count(sign) > count(best) ? sign : best));
}
