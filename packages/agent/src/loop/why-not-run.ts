import type { DialectName } from "@treadle/protocol";
import type { FinishReason } from "ai";
import { prose } from "../text/prose.ts";

const CUT_CALL = prose(new URL("./cut-call.md", import.meta.url));
const CUT_ACTION = prose(new URL("./cut-action.md", import.meta.url));
const UNCLOSED = prose(new URL("./unclosed-call.md", import.meta.url));
const BROKEN_OFF = prose(new URL("./broken-off-call.md", import.meta.url));
const ABORTED = "the run was ended before this call was complete. Nothing of it was done.";

/** What the model is told of a call that was not complete when its answer ended. */
export function whyNotRun(
  finish: FinishReason | undefined,
  dialect: DialectName,
  aborted: boolean,
): string {
  if (aborted) return ABORTED;
  if (finish === "length") return dialect === "artifact" ? CUT_ACTION : CUT_CALL;
  return finish === "stop" ? UNCLOSED : BROKEN_OFF;
}
