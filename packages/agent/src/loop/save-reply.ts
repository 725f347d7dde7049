import type { Run } from "./state.ts";
import type { Part } from "../answer/step-record.ts";

/** Keeps the notes that are not kept yet and the reply, with what is being said, as far as it is. Rejects as the store does. */
export async function saveReply(run: Run, parts: readonly Part[] = []): Promise<void> {
  const { reply, unsaved, ports } = run;
  for (const note of unsaved.splice(0)) await ports.save(note);
  const whole = { ...reply, parts: [...reply.parts, ...parts] };
  if (whole.parts.length > 0) await ports.save(structuredClone(whole));
}
