import type { ToolTrust } from "@treadle/protocol";
import { doOrAsk } from "../api/reviews.ts";
import { notice } from "../ui/notice.ts";
import { words } from "../words/words.ts";

/** Trusts a tool server in a project. If that needs a second person, requests it and shows a notice instead. */
export async function trustOrAsk(
  work: () => Promise<unknown>,
  project: string | undefined,
  trust: ToolTrust,
): Promise<void> {
  const isDone = await doOrAsk(
    async () => {
      await work();
      return true;
    },
    project,
    { kind: "tool-server", trust },
  );
  if (!isDone) notice(words.reviews.sent);
}
