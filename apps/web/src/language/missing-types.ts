import type { Diagnostic } from "vscode-languageserver-protocol";

/** Codes for a package that has no types and for which the project declares none. */
const NO_TYPES = new Set([7016, 2875]);
/** Codes for JSX, parameters and bindings of unknown type, which follow from such a package. */
const UNKNOWN_FOR_WANT = new Set([7026, 7006, 7031]);
/** The protocol's severity "information". */
const SEVERITY_INFORMATION = 3;

/**
 * TypeScript's problems without those caused only by packages without types, such as React without `@types/react`: the
 * app works all the same. The problem at the package's name is kept as information. The codes are those of TypeScript's
 * `diagnosticMessages.json`.
 */
export function withoutMissingTypes(problems: readonly Diagnostic[]): Diagnostic[] {
  const isMissing = problems.some(({ code }) => NO_TYPES.has(Number(code)));
  if (!isMissing) return [...problems];
  return problems.flatMap((problem) => {
    if (UNKNOWN_FOR_WANT.has(Number(problem.code))) return [];
    return NO_TYPES.has(Number(problem.code))
      ? [{ ...problem, severity: SEVERITY_INFORMATION }]
      : [problem];
  });
}
