import type { Evidence } from "@treadle/protocol";
import type { VerdictCase } from "./case-types.ts";

/** Which expected findings of a case are missing, and which unwanted ones are there, in words. */
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
