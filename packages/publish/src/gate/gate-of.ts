import { createHash } from "node:crypto";
import type { Gate, GateFinding } from "@treadle/protocol";
import type { Found } from "./types.ts";

/** Maximum number of findings listed per check. */
const TOLD = 30;

/**
 * Gives findings their ids and removes duplicates. Serious ones come first. Findings over the limit are left out, which
 * `unchecked` says.
 */
export function gateOf(found: readonly Found[], unchecked: readonly string[]): Gate {
  const known = new Map<string, GateFinding>();
  const counts = new Map<string, number>();
  const left = new Set<string>();
  for (const one of found.toSorted((a, b) => rank(a) - rank(b))) {
    const id = createHash("sha256")
      .update(JSON.stringify([one.check, one.title, one.where]))
      .digest("hex")
      .slice(0, 12);
    if (known.has(id)) continue;
    const count = (counts.get(one.check) ?? 0) + 1;
    counts.set(one.check, count);
    if (count > TOLD) left.add(`Only the first ${TOLD} findings about ${one.check} are listed.`);
    else known.set(id, { ...one, id });
  }
  return { findings: [...known.values()], unchecked: [...unchecked, ...left] };
}

/** The gate with later findings added. */
export const withFound = (
  gate: Gate,
  more: { found: readonly Found[]; unchecked: readonly string[] },
): Gate => ({
  ...gate,
  ...gateOf([...gate.findings, ...more.found], [...gate.unchecked, ...more.unchecked]),
});

const rank = ({ severity }: Found) => (severity === "serious" ? 0 : 1);

/** Whether there is a serious finding, about which someone has to decide. */
export const isSerious = ({ findings }: Gate) =>
  findings.some(({ severity }) => severity === "serious");
