import type { PageProblem } from "@treadle/protocol";
import type { ConsoleMessage } from "playwright-core";

const MESSAGE = 2_000;
/** What stands in a first argument for one that follows. */
const DIRECTIVE = /%([sdifoOc%])/g;

/**
 * What a page printed, as its developer tools show it. `by: "browser"`: the page did not print it, the browser says it
 * of the page.
 */
export function printed(message: ConsoleMessage, shorten: (text: string) => string): PageProblem {
  const { url, lineNumber, columnNumber } = message.location();
  const values = message.args();
  const text = (values.length === 0 ? message.text() : formatted(values.map(String))).slice(
    0,
    MESSAGE,
  );
  return {
    message: shorten(text),
    // The browser counts from 0, people from 1.
    source: url ? shorten(`${url}:${lineNumber + 1}:${columnNumber + 1}`) : undefined,
    by: values.length === 0 ? ("browser" as const) : undefined,
  };
}

/** Arguments of a console call as one text, the directives of the first one taken for what they stand for. */
export function formatted([first = "", ...others]: string[]): string {
  const rest = [...others];
  const text = first.replace(DIRECTIVE, (directive, kind: string) => {
    if (kind === "%") return "%";
    const value = rest.shift();
    if (value === undefined) return directive;
    return kind === "c" ? "" : value;
  });
  return [text, ...rest].join(" ").trim();
}
