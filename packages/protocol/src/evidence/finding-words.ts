import type { Finding, FindingCode } from "./types.ts";

/** Describes a finding in English, without a full stop. */
export function findingWords({ code, subject, path, place, check, detail }: Finding): string {
  const on = path === undefined ? "" : ` (on ${path})`;
  const by = check === undefined ? "" : ` (check “${check}”)`;
  const answer = code === "dead-link" && detail !== undefined ? `: ${detail}` : "";
  const at = place === undefined ? "" : ` (${place})`;
  return FINDING_WORDS[code](subject) + answer + at + (by || on);
}

const FINDING_WORDS: Record<FindingCode, (subject: string) => string> = {
  "dead-control": (control) => `${control} does nothing`,
  "dead-link": (link) => `${link} leads nowhere`,
  "never-ran": (name) => `${name} never ran`,
  "gone-after-reload": (text) => `“${text}” is gone after a reload`,
  "gone-after-restart": (text) => `“${text}” is gone after the server was started again`,
  "never-written": (text) => `“${text}” was added on the page and never written`,
  unclean: (what) => `from a fresh copy it does not come up: ${what}`,
  "unclean-untried": (why) => `a fresh copy was not tried: ${why}`,
  "made-by-command": (paths) =>
    `it was seen with what a command had written beside the sources: ${paths}`,
  "tests-failed": (command) => `${command} fails`,
  "tests-endless": (command) => `${command} does not end by itself`,
  "postgres-refused": (address) =>
    `the app did not reach PostgreSQL at ${address}, which cannot be had where this project runs: keep its data in SQLite, or say that \`treadle doctor\` tells why`,
  "no-postgres-in-tab": () =>
    "the app means PostgreSQL, which nothing reaches from the person's browser, where this project runs: keep its data in a file, or say that the project has to run on Treadle's machine",
};

/** Findings that people would notice, which the model receives once even if all requirements are proven. */
export const isWorthTelling = ({ code }: Finding): boolean => !ONLY_FOR_THE_PERSON.has(code);

const ONLY_FOR_THE_PERSON: ReadonlySet<FindingCode> = new Set([
  "never-ran",
  "unclean-untried",
  "made-by-command",
  "tests-endless",
]);
