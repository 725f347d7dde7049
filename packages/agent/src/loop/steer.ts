import { answeredBy } from "../context/conversation/foreign-parts.ts";
import { withMentions } from "../context/mentions/with-mentions.ts";
import { abortable } from "../async/abortable.ts";
import type { Run } from "./state.ts";
import { asksForRepair, withProblems } from "../context/parts/with-problems.ts";

/**
 * What the person said meanwhile goes into the conversation, after the step that has ended and before the next. It is
 * kept before it is told of. Rejects as the store does.
 * @returns whether there was any
 */
export async function steer(run: Run): Promise<boolean> {
  const { request, ports } = run;
  const said = (await request.takeSteering?.()) ?? [];
  for (const plain of said) {
    const spoken = await withProblems(run, await withMentions(run, plain));
    run.repairAsked ||= asksForRepair(spoken);
    await abortable(ports.save(spoken), run.signal);
    run.messages.push(spoken);
    run.emit({ type: "message-taken", run: request.run, message: plain.id });
  }
  if (said.length === 0) return false;
  run.reply = {
    id: `${request.run}.reply-${run.steps}`,
    role: "assistant",
    metadata: answeredBy(ports.model.id),
    parts: [],
  };
  run.messages.push(run.reply);
  return true;
}
