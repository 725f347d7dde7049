import { settleHistory } from "../conversation/settle-history.ts";
import { summarise, type Summary, type SummaryRequest } from "./compact.ts";

/**
 * Size of the newest steps that are kept when the person asks for a short conversation, in tokens.
 */
const KEPT_TOKENS = 4_000;

/**
 * Summarises a conversation outside of a run, at the person's request. The caller appends the
 * returned note to the history. Undefined if the conversation is already short. Rejects only when
 * it is aborted.
 */
export async function compactNow(
  request: Omit<SummaryRequest, "room" | "messages"> & { history: SummaryRequest["messages"] },
): Promise<Summary | undefined> {
  const { history, ...rest } = request;
  return summarise({ ...rest, messages: settleHistory([...history]), room: KEPT_TOKENS });
}
