import { counted } from "./counted.ts";

export const evidence = {
  useAsNow: "Use the checks as they are now",
  useAsNowAbout:
    "The checks count as they stand in their file from now on, and the project is looked at again",
  allow: (host: string) => `Allow ${host}`,
  checkNow: "Check now",
  fix: "Fix problems",
  stood: {
    removed: {
      model: "as it stood before it was removed by the model",
      other: "as it stood before it was removed outside of the page",
    },
    changed: {
      model: "as it stood before it was changed by the model",
      other: "as it stood before it was changed outside of the page",
    },
    off: {
      model: "as it stood before it was switched off by the model",
      other: "as it stood before it was switched off outside of the page",
    },
  },
  rewritten: "changed by the model in this turn",
  askRepair: "Fix the problems found.",
  evidence: "Evidence",
  parts: { install: "Install", build: "Build", serve: "Serve", page: "Page", console: "Console" },
  states: {
    untried: "not tried",
    going: "going on",
    held: "held",
    failed: "failed",
    inapplicable: "does not apply",
  },
  partIs: (part: string, state: string) => `${part}: ${state}`,
  checks: "Checks",
  editChecks: "Edit checks",
  thePage: "the page",
  printed: "The server printed meanwhile",
  nothingYet: "Nothing was observed yet",
  observed: (time: string) => `Observed ${time}`,
  took: (duration: string) => ` · took ${duration}`,
  revision: "revision",
  address: "Address",
  answer: "Answer",
  noAnswer: "none",
  title: "Title",
  overlay: "Overlay",
  problems: { uncaught: "uncaught", console: "console", request: "request" },
  andMore: (amount: number) => counted(amount, { other: "and # more" }),
  openAt: (path: string, line: number) => `Open ${path} at line ${line}`,
  toQuestion: "Show what it asks",
};
