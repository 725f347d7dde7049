import type { MachineCheck } from "@treadle/protocol";

/** Whether there is a browser that looks at pages, as a line of what the machine can do. */
export function browserCheck({ ok, message }: { ok: boolean; message?: string }): MachineCheck {
  const check = { name: "browser", ok, detail: message ?? "" };
  return ok ? check : { ...check, mend: "apt-get install chromium" };
}
