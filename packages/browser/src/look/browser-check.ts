import type { MachineCheck } from "@treadle/protocol";

/** How a browser's problem says that the person named one that is not there: to install another one does not help. */
export const NAMED = "which TREADLE_CHROMIUM names.";

/** Whether there is a browser that looks at pages, as a line of what the machine can do. */
export function browserCheck({ ok, message }: { ok: boolean; message?: string }): MachineCheck {
  const check = { name: "browser", ok, detail: message ?? "" };
  if (ok) return check;
  const mend = message?.includes(NAMED) ? "unset TREADLE_CHROMIUM" : "apt-get install chromium";
  return { ...check, mend };
}
