import type { MachineCheck } from "@treadle/protocol";

/**
 * The part of an error message that shows that the browser named in TREADLE_CHROMIUM is missing, in which case
 * installing another one does not help.
 */
export const NAMED = "which TREADLE_CHROMIUM names.";

/** Whether there is a browser for looking at pages, as a line of the machine check. */
export function browserCheck({ ok, message }: { ok: boolean; message?: string }): MachineCheck {
  const check = { name: "browser", ok, detail: message ?? "" };
  if (ok) return check;
  const mend = message?.includes(NAMED) ? "unset TREADLE_CHROMIUM" : "apt-get install chromium";
  return { ...check, mend };
}
