import type { PageProblem } from "@treadle/protocol";
import type { ConsoleMessage } from "playwright-core";

const MESSAGE = 2_000;
/** Format directives in the first argument. */
const DIRECTIVE = /%([sdifoOc%])/g;

/**
 * A console message as developer tools show it. `by: "browser"`: it comes from the browser and not
 * from the page.
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

/** Formats the arguments of a console call as one text, with its directives applied. */
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
