import { pictureOf, verdictOf, type ProjectState } from "@treadle/protocol/fold";
import type { ProjectRecord, ProjectStore } from "@treadle/store";

/**
 * Saves with the project's record what the list of projects shows (verdict, picture, turns and cost), so that the list
 * reads no logs.
 * @param view what the log says now
 */
export function createKeptStanding(
  record: ProjectRecord,
  view: ProjectState,
  projects: Pick<ProjectStore, "update">,
  onNotice: (message: string) => void,
): {
  /** Called after each event. */
  follow(): void;
  /** Resolves when the last change is in the store. */
  settled(): Promise<void>;
} {
  let { standing, picture, turns = 0, costUsd } = record;
  let saving = Promise.resolve();
  const follow = () => {
    // What a look has seen so far is no verdict.
    const verdict = view.look ? standing : verdictOf(view)?.verdict;
    // Unchecked files keep the state of the last check.
    const seen = pictureOf(view.evidence) ?? picture;
    const begun = view.said.size;
    const cost = view.usage.costUsd;
    if (verdict === standing && seen === picture && begun === turns && cost === costUsd) return;
    standing = verdict;
    picture = seen;
    turns = begun;
    costUsd = cost;
    const change = { standing: verdict, picture: seen, turns, costUsd };
    saving = Promise.all([saving, projects.update(record.id, change)]).then(
      () => {},
      (error: Error) => onNotice(error.message),
    );
  };
  return { follow, settled: () => saving };
}
