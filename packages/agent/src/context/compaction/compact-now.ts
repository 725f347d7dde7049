import { settleHistory } from "../conversation/settle-history.ts";
import { summarise, type Summary, type SummaryRequest } from "./compact.ts";

/** Tokens of the newest steps that stay, when somebody asks for a short conversation. */
const KEPT_TOKENS = 4_000;

/**
 * Sums up a conversation that no run works on, because the person asked for it. The note has to be saved behind the
 * history. Undefined where it is short already. Rejects only when it is aborted.
 */
export async function compactNow(
  request: Omit<SummaryRequest, "room" | "messages"> & { history: SummaryRequest["messages"] },
): Promise<Summary | undefined> {
  const { history, ...rest } = request;
  return summarise({ ...rest, messages: settleHistory([...history]), room: KEPT_TOKENS });
}
