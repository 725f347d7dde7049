import type { AskedItem, Evidence, ProjectPath } from "@treadle/protocol";
import { judge, withoutAgreement } from "@treadle/protocol/evidence";
import type { FileDifference } from "@treadle/workspace";
import { keptPictures, pagePictures } from "@treadle/pictures";
import { projectFolder } from "../project-context/project-folder.ts";
import type { ProjectContext } from "../project-context/project-context.ts";

/** Options of a look outside of a run. */
export interface CheckOptions {
  /** Whether the checks that are started by hand run as well. */
  asked: boolean;
  /** Files that models changed since the last check. Absent if only others changed files. */
  touched?: ReadonlySet<ProjectPath> | undefined;
  /** Differences from an earlier revision: changed code that never ran is reported. */
  since?: readonly FileDifference[] | undefined;
  /** Requests that count beside those of the last turn, because they ran in parallel and were merged. */
  besides?: readonly AskedItem[] | undefined;
  /** The name of the one check that runs; the others keep their results on the same files. */
  only?: string | undefined;
}

/** Checks the current project outside of any run, and stores the evidence. Resolves with it. */
export async function checkNow(
  context: ProjectContext,
  signal: AbortSignal,
  { asked, since, only, touched, besides = [] }: CheckOptions,
): Promise<Evidence> {
  const { parts, id } = context;
  // The check may have been aborted while it waited for its turn.
  signal.throwIfAborted();
  const watch = context.trust.watchCommands();
  context.append({ type: "look-start" });
  try {
    const record = await context.record();
    const [workspace, browser] = await Promise.all([context.workspace(), parts.browserOf(record)]);
    context.trust.checks.takeDue();
    // The files may have changed, but the requests of the last turn still apply. The person's
    // confirmation by eye only applies to one revision.
    const { evidence: last } = context.view;
    const { asked: ofTurn = [], revision } = last ?? {};
    const named = new Set(ofTurn.map(({ what }) => what));
    const askedFor = [...besides.filter(({ what }) => !named.has(what)), ...ofTurn];
    const complete = (seen: Evidence): Evidence =>
      askedFor.length > 0
        ? { ...seen, asked: seen.revision === revision ? askedFor : withoutAgreement(askedFor) }
        : seen;
    const pictures = pagePictures(keptPictures(projectFolder(parts.dataDirectory, id), true));
    const evidence = complete(
      await parts.gatherEvidence({
        workspace,
        browser,
        copies: parts.copiesOf?.(record, workspace),
        clock: parts.clock,
        signal,
        asked,
        ...(since && { since }),
        ...(touched && { touched }),
        ...(only !== undefined && { only: { name: only, last } }),
        checks: context.trust.checks,
        keepPicture: (bytes, undrawn) => pictures.save(bytes, undrawn),
        onEvidence(seen) {
          const event = { type: "evidence" as const, evidence: complete(seen) };
          watch.see(event);
          context.append(event);
        },
      }),
    );
    await parts.store.projects.update(id, { verdict: judge(evidence).verdict });
    return evidence;
  } finally {
    watch.close();
    context.append({ type: "look-end" });
  }
}
