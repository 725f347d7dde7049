import { quoteText } from "./cursor.ts";
import { parseTarget, writeTarget } from "./target.ts";
import type { PageStep } from "./types.ts";

/** Prints a step so that `parseStep` returns the same step. */
export function stepWords({ as, ...step }: PageStep): string {
  return as === undefined ? words(step) : `as ${quoteText(as)}: ${words(step)}`;
}

function words(step: PageStep): string {
  const { do: act, on, text = "", file = "" } = step;
  const where = on === undefined ? "" : named(on);
  switch (act) {
    case "open":
      return `open ${path(text)}`;
    case "click":
    case "check":
    case "uncheck":
    case "hover":
      return `${act} ${where}`;
    case "type":
    case "select":
      return `${act} ${quoteText(text)} in ${where}`;
    case "press":
      return `press ${/^[\w+]+$/.test(text) ? text : quoteText(text)}${on === undefined ? "" : ` in ${where}`}`;
    case "drag":
      return `drag ${where} to ${named(step.to ?? "")}`;
    case "upload":
      return `upload ${quoteText(file)} with ${quoteText(text)} into ${where}`;
    case "wait":
      return `wait for ${where}`;
    case "pause":
      return `wait ${text} seconds`;
    case "request":
      return `request ${step.method ?? "GET"} ${path(text)}${step.body === undefined ? "" : ` ${bodyWords(step.body)}`}`;
    case "size":
      return `at ${text}`;
    case "date":
      return `on ${text.replace("T", " at ")}`;
    case "offline":
      return "without network";
    case "online":
      return "with network";
    case "reload":
      return "reload";
    case "expect_address":
      return `expect address ${path(text)}`;
    case "expect_status":
      return `expect status ${text}`;
    case "expect_body":
      return `expect body ${step.body ?? quoteText(text)}`;
    case "expect_no_body":
      return `expect no body ${quoteText(text)}`;
    case "expect_console":
      return "expect no console error";
    case "expect_file":
      return `expect a file ${quoteText(file)}${text === "" ? "" : ` with ${quoteText(text)}`}`;
    case "expect":
    case "expect_gone":
      return `expect ${act === "expect" ? "" : "no "}${expectation(step)}`;
  }
}

function expectation({ on, text, is = [], count, style, compare }: PageStep): string {
  if (on === undefined) return quoteText(text ?? "");
  if (count !== undefined) return `${count} ${named(on)}`;
  if (style !== undefined)
    return `${named(on)} to have style ${style}${compare ? ` ${compare}` : ""} ${quoteText(text ?? "")}`;
  const content = text === undefined ? "" : ` to say ${quoteText(text)}`;
  const [state, ...others] = is;
  if (state === undefined) return `${named(on)}${content}`;
  if (others.length === 0 && content === "") return `${named(on)} to be ${state}`;
  return `${named(writeTarget({ ...parseTarget(on), states: is }))}${content}`;
}

/** The name of an element, in quotes unless it is a role or selector. */
function named(on: string): string {
  const { words, within, ...target } = parseTarget(on);
  if (words === undefined) return writeTarget({ ...target, within });
  const scope = within ? ` in ${named(writeTarget(within))}` : "";
  // A text has no other marks than states, which come after it.
  const marks = writeTarget({ ...target, words: "" }).slice(2);
  return `${quoteText(words)}${marks}${scope}`;
}

const path = (text: string) => (/^[^\s"`'“„«]+[^\s.:`]$|^\/$/.test(text) ? text : quoteText(text));

/** The body of a request, quoted only if it would otherwise be parsed differently. */
const bodyWords = (body: string) => (/^[[{].*[\]}]$/s.test(body) && !body.includes("\n") ? body : quoteText(body)); // prettier-ignore
