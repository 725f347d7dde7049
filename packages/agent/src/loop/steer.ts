import { abortable } from "../async/abortable.ts";
import { emptyReply, goOnWith } from "../context/conversation/conversation.ts";
import { withMentions } from "../context/mentions/with-mentions.ts";
import { asksForRepair, withProblems } from "../context/parts/with-problems.ts";
import type { Run } from "./run.ts";

/**
 * What the person said meanwhile goes into the conversation, after the step that has ended and before the next. It is
 * kept before it is told of. Rejects as the store does.
 * @returns whether there was any
 */
export async function steer(run: Run): Promise<boolean> {
  const { request, conversation, mentioned, looks, model, budget, scope } = run;
  const said = (await request.takeSteering?.()) ?? [];
  for (const plain of said) {
    const spoken = await withProblems(
      await withMentions(plain, mentioned, scope),
      mentioned,
      scope,
    );
    looks.repairAsked ||= asksForRepair(spoken);
    await abortable(run.save(spoken), scope.signal);
    conversation.messages.push(spoken);
    scope.emit({ type: "message-taken", run: scope.run, message: plain.id });
  }
  if (said.length === 0) return false;
  goOnWith(conversation, emptyReply(`${scope.run}.reply-${budget.steps}`, model.model.id));
  return true;
}
