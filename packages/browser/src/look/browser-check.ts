import type { MachineCheck } from "@treadle/protocol";

/**
 * The part of a browser's error message that says that a person named a missing one, for which
 * installing another does not help.
 */
export const NAMED = "which TREADLE_CHROMIUM names.";

/** Whether there is a browser for looking at pages, as a line of the machine check. */
export function browserCheck({ ok, message }: { ok: boolean; message?: string }): MachineCheck {
  const check = { name: "browser", ok, detail: message ?? "" };
  if (ok) return check;
  const mend = message?.includes(NAMED) ? "unset TREADLE_CHROMIUM" : "apt-get install chromium";
  return { ...check, mend };
}
