import type { UIMessage } from "ai";

/** Up to where a conversation was summed up: `steps` of this message are covered, and all messages before it. */
export interface Covered {
  message: string;
  steps: number;
}

/**
 * What Treadle itself put into a conversation beside the person's words. Nothing that was said is ever changed or taken
 * away: such notes say what of it the model is still shown, so that the same history is shown again at the next step.
 */
export type ContextNote =
  | { from: "treadle"; kind: "summary"; covered: Covered }
  | { from: "treadle"; kind: "dropped"; calls: string[] };

export function contextNote({ metadata }: UIMessage): ContextNote | undefined {
  const { kind } = (metadata ?? {}) as Partial<ContextNote>;
  return kind === "summary" || kind === "dropped" ? (metadata as ContextNote) : undefined;
}
