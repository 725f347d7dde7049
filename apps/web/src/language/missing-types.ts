import type { Diagnostic } from "vscode-languageserver-protocol";

/** A package has no types of its own, and the project declares none for it. */
const NO_TYPES = new Set([7016, 2875]);
/** JSX, parameters and bindings of which nothing is known for want of such types. */
const UNKNOWN_FOR_WANT = new Set([7026, 7006, 7031]);
/** What the protocol calls information. */
const INFORMATION = 3;

/**
 * TypeScript's problems without those that only say that a package comes without types, as React does where
 * `@types/react` is not installed: the app runs as well. Where the package is named, that stays as information.
 * The codes are those of TypeScript's `diagnosticMessages.json`.
 */
export function withoutMissingTypes(problems: readonly Diagnostic[]): Diagnostic[] {
  const isMissing = problems.some(({ code }) => NO_TYPES.has(Number(code)));
  if (!isMissing) return [...problems];
  return problems.flatMap((problem) => {
    if (UNKNOWN_FOR_WANT.has(Number(problem.code))) return [];
    return NO_TYPES.has(Number(problem.code)) ? [{ ...problem, severity: INFORMATION }] : [problem];
  });
}
