import { counted } from "./counted.ts";

export const evidence = {
  useAsNow: "Use the checks as they are now",
  useAsNowAbout:
    "From now on the checks count as they are in their file, and the project is looked at again",
  allow: (host: string) => `Allow ${host}`,
  checkNow: "Check now",
  fix: "Fix problems",
  stood: {
    removed: {
      model: "as it was before the model removed it",
      other: "as it was before it was removed outside the page",
    },
    changed: {
      model: "as it was before the model changed it",
      other: "as it was before it was changed outside the page",
    },
    off: {
      model: "as it was before the model switched it off",
      other: "as it was before it was switched off outside the page",
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
  nothingYet: "Nothing observed yet",
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
  toQuestion: "Show the question",
};
