import type { Evidence } from "@treadle/protocol";
import type { VerdictCase } from "./case-types.ts";

/** What a case wants to be found, or not to be found, and is not so, in words. */
export function amissIn(
  { finds = [], lacks = [] }: Pick<VerdictCase, "finds" | "lacks">,
  evidence: Evidence | null | undefined,
): string[] {
  const codes = new Set<string>([
    ...(evidence?.findings ?? []).map(({ code }) => code),
    ...(evidence?.checks ?? []).flatMap(({ provesNothing }) => provesNothing ?? []),
  ]);
  return [
    ...finds.filter((code) => !codes.has(code)).map((code) => `${code} was not found`),
    ...lacks.filter((code) => codes.has(code)).map((code) => `${code} was found`),
  ];
}
