import type { Value } from "../types.ts";

/** Written by `catalogues/write-values.ts` of the page from its English catalogue. */
export const VERDICTS = {
  clauses: ({ parts }: { parts: Value }) => `${parts}`,
  "in-this-turn": ({ faults, more }: { faults: Value; more: number }) =>
    `in this turn ${faults}${more === 0 ? "" : ` and ${more.toLocaleString("en")} more`}`,
  untried: () => "not tried yet",
  "nothing-served": () => "nothing was served",
  blank: ({ path }: { path: Value }) => `the page ${path} is blank`,
  "check-failed-at": ({ name, step }: { name: Value; step: Value }) =>
    `the check “${name}” failed at ${step}`,
  "check-failed": ({ name }: { name: Value }) => `the check “${name}” failed`,
  "check-not-run": ({ name }: { name: Value }) => `the check “${name}” was not run`,
  "check-proves": ({ name, why }: { name: Value; why: Value }) =>
    `the check “${name}” proves nothing: ${why}`,
  "part-untried": ({ part, what }: { part: Value; what: Value }) => `${part}: ${what}`,
};
