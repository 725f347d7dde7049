/**
 * The lifecycle of a file that several people edit: its text is written to the disk after a pause,
 * and what others write to the disk is merged into it.
 *
 * | state   | edited  | paused          | written, current | written, not | disk changed | read         | refused | failed  | missing |
 * |---------|---------|-----------------|------------------|--------------|--------------|--------------|---------|---------|---------|
 * | synced  | edited¹ | –               | –                | –            | reading²     | –            | –       | –       | –       |
 * | edited  | edited  | writing³        | –                | –            | reading²     | –            | –       | –       | –       |
 * | writing | –       | –               | synced           | edited¹      | again        | –            | reading²| failed¹ | gone    |
 * | reading | –       | –               | –                | –            | again        | synced/edited| –       | failed¹ | gone    |
 * | failed  | failed  | writing³        | –                | –            | reading²     | –            | –       | –       | –       |
 * | gone    | –       | –               | –                | –            | –            | –            | –       | –       | –       |
 *
 * ¹ starts the timer whose end is `paused` · ² reads the file · ³ writes it with the version last seen.
 * `again`: the file is read once the write or read in progress has ended.
 */
import type { Step } from "@treadle/protocol/lifecycle";

export type SharedFileState = {
  readonly kind: "synced" | "edited" | "writing" | "reading" | "failed" | "gone";
  readonly again: boolean;
};

export type SharedFileEvent =
  | { readonly type: "edited" | "paused" | "changed" | "refused" | "failed" | "missing" }
  /** `isCurrent`: nobody has typed since the write began, or since the read text was merged. */
  | { readonly type: "written" | "read"; readonly isCurrent: boolean };

export type SharedFileEffect = "start-timer" | "write" | "read" | "close";

export const SYNCED: SharedFileState = { kind: "synced", again: false };

type SharedFileStep = Step<SharedFileState, SharedFileEffect>;

const enter = (
  kind: SharedFileState["kind"],
  ...effects: readonly SharedFileEffect[]
): SharedFileStep => ({ state: { kind, again: false }, effects });

/** Accepts every event in every state; one that does not apply changes nothing. */
export function transition(state: SharedFileState, event: SharedFileEvent): SharedFileStep {
  const { kind, again } = state;
  const isBusy = kind === "writing" || kind === "reading";
  const rest = (isCurrent: boolean) => {
    if (again) return enter("reading", "read");
    return isCurrent ? enter("synced") : enter("edited", "start-timer");
  };
  if (kind === "gone") return { state, effects: [] };
  switch (event.type) {
    case "edited":
      return kind === "synced" ? enter("edited", "start-timer") : { state, effects: [] };
    case "paused":
      if (kind === "edited" || kind === "failed") return enter("writing", "write");
      return { state, effects: [] };
    case "changed":
      if (isBusy) return { state: { kind, again: true }, effects: [] };
      return enter("reading", "read");
    case "written":
      return kind === "writing" ? rest(event.isCurrent) : { state, effects: [] };
    case "read":
      return kind === "reading" ? rest(event.isCurrent) : { state, effects: [] };
    case "refused":
      return kind === "writing" ? enter("reading", "read") : { state, effects: [] };
    case "failed":
      return isBusy ? enter("failed", "start-timer") : { state, effects: [] };
    case "missing":
      return enter("gone", "close");
  }
}
