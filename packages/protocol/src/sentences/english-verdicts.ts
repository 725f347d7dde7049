/** What a verdict says by itself: all that readers of evidence need to judge it, the page among them. */
export const VERDICTS = {
  clauses: ({ parts }: { parts: readonly string[] }) => parts.join("; "),
  "in-this-turn": ({ faults, more }: { faults: readonly string[]; more: number }) =>
    `in this turn ${faults.join(", ")}${more > 0 ? ` and ${more} more` : ""}`,
  untried: () => "not tried yet",
  "nothing-served": () => "nothing was served",
  blank: ({ path }: { path: string }) => `the page ${path} is blank`,
  "check-failed-at": ({ name, step }: { name: string; step: string }) =>
    `the check “${name}” failed at ${step}`,
  "check-failed": ({ name }: { name: string }) => `the check “${name}” failed`,
  "check-not-run": ({ name }: { name: string }) => `the check “${name}” was not run`,
  "check-proves": ({ name, why }: { name: string; why: string }) =>
    `the check “${name}” proves nothing: ${why}`,
  "part-untried": ({ part, what }: { part: string; what: string }) => `${part}: ${what}`,
};
