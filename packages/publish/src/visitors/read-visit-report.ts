import { withoutControls } from "@treadle/protocol/safe-text";

/** A report from a visitor's browser, without personal data. Anyone may have sent it. */
export interface VisitReport {
  /** The release that it claims to be about. */
  release: number;
  /** The path of the page. */
  page: string;
  message: string;
  /** Where it was thrown: addresses of the app, with lines. */
  source: string;
  stack: string;
}

/** Maximum number of stack lines kept. */
const LINES = 12;
const LENGTHS = { page: 200, message: 400, source: 300, line: 300 };

/**
 * Parses a posted report; undefined if it is invalid.
 * @param host its addresses are reduced to their paths
 */
export function readVisitReport(body: string, host: string): VisitReport | undefined {
  let report: unknown;
  try {
    report = JSON.parse(body);
  } catch {
    return undefined;
  }
  if (typeof report !== "object" || report === null) return undefined;
  const { release, page, message, source, stack } = report as Record<string, unknown>;
  if (typeof message !== "string" || typeof page !== "string" || message.trim() === "")
    return undefined;
  const own = (text: unknown) =>
    withoutPersons(
      (typeof text === "string" ? text : "")
        .slice(0, 8_000)
        .replaceAll(`http://${host}/`, "/")
        .replaceAll(`https://${host}/`, "/"),
    );
  const line = (text: unknown, most: number) => own(text).replaceAll(/\s+/g, " ").slice(0, most);
  const prose = (text: unknown, most: number) => withoutKeys(line(text, most));
  return {
    release: typeof release === "number" ? release : 0,
    page: prose(page.split(/[?#]/, 1)[0], LENGTHS.page),
    message: prose(message, LENGTHS.message),
    source: line(source, LENGTHS.source),
    stack: own(stack)
      .split("\n")
      .slice(0, LINES)
      .map((one) => one.slice(0, LENGTHS.line))
      // Names of built files are as long as keys, so lines with a position are left unchanged.
      .map((one) => (/:\d+:\d+/.test(one) ? one : withoutKeys(one)))
      .join("\n"),
  };
}

const withoutKeys = (text: string) => text.replaceAll(/\b(?=[\w-]*\d)[\w-]{24,}\b/g, "[…]");

/** Removes queries and hashes of addresses, e-mail addresses and long numbers. */
function withoutPersons(text: string): string {
  return withoutControls(text)
    .replaceAll(/([\w./-])[?#][^\s:)'"]+/g, "$1")
    .replaceAll(/[^\s@<>()"'/]{1,64}@[^\s@<>()"']{1,190}\.[^\s@<>()"'.:]{2,24}/g, "[e-mail]")
    .replaceAll(/\+?\d[\d ()-]{7,}\d/g, "[number]");
}
