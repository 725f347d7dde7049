import { agreeAsked, judge } from "@treadle/protocol/evidence";
import { ApiFailure } from "@treadle/common";
import type { ProjectContext } from "../project-context/project-context.ts";

/**
 * Records that the person has looked and says that something which only eyes can judge is as they asked for.
 * Resolves when that is durable.
 * @param revision that they have seen
 * @throws ApiFailure `changed` where another revision stands by now, `not-found` where nothing of that name is to be judged by eye
 */
export async function agreeToAsked(
  context: Pick<ProjectContext, "id" | "view" | "append" | "parts">,
  revision: string,
  what: string,
): Promise<void> {
  const { store } = context.parts;
  const { evidence, revision: now } = context.view;
  if (!evidence || evidence.revision !== revision || now !== revision)
    throw new ApiFailure(
      409,
      "changed",
      "The files changed again meanwhile. Check again and look at the page once more.",
    );
  const agreed = agreeAsked(evidence, what);
  if (!agreed)
    throw new ApiFailure(404, "not-found", "There is nothing of these words to be judged by eye.");
  context.append({ type: "evidence", evidence: agreed });
  await store.log.settled();
  await store.projects.update(context.id, { verdict: judge(agreed).verdict });
}
