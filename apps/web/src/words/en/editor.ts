import { counted } from "./counted.ts";

export const editor = {
  openFiles: "Open files",
  notSaved: "(not saved)",
  close: (name: string) => `Close ${name}`,
  split: "Show beside",
  closeBeside: "Close the file beside",
  find: "Find",
  replaceWith: "Replace with",
  matchCase: "Match case",
  wholeWord: "Whole words",
  expression: "Regular expression",
  noExpression: "Not a regular expression",
  before: "Match before",
  next: "Next match",
  endSearch: "Close the search",
  replace: "Replace",
  replaceAll: "Replace all",
  noMatch: "No match",
  matchOf: (at: number, all: number, more: boolean) =>
    at === 0
      ? counted(all, { one: "# match", other: "# matches" }) + (more ? "+" : "")
      : `${at} of ${all}${more ? "+" : ""}`,
  hiddenValue: "hidden value",
  showValues: "Show the values",
  hideValues: "Hide the values",
  badFont: "The font could not be read.",
  fontSample: "The quick brown fox jumps over the lazy dog 0123456789",
};
