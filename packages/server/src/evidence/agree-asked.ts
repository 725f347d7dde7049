import { agreeAsked, judge } from "@treadle/protocol/evidence";
import { sentence } from "@treadle/protocol/sentences";
import { ApiFailure } from "@treadle/common";
import type { ProjectContext } from "../project-context/project-context.ts";

/**
 * Records that the person confirms something that only eyes can judge. Resolves when that is durable.
 * @param revision the one that they have seen
 * @param what the item, in the words of the evidence
 * @throws ApiFailure `changed` if the revision is not the current one, `not-found` if no item of that name has to
 * be judged by eye
 */
export async function agreeToAsked(
  context: Pick<ProjectContext, "id" | "view" | "append" | "parts">,
  revision: string,
  what: string,
): Promise<void> {
  const { store } = context.parts;
  const { evidence, revision: now } = context.view;
  if (!evidence || evidence.revision !== revision || now !== revision)
    throw new ApiFailure(409, "changed", sentence("stale", { what: "files" }));
  const agreed = agreeAsked(evidence, what);
  if (!agreed) throw new ApiFailure(404, "not-found", sentence("nothing-by-eye"));
  context.append({ type: "evidence", evidence: agreed });
  await store.log.settled();
  await store.projects.update(context.id, { verdict: judge(agreed).verdict });
}
