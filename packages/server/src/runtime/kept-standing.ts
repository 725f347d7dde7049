import { pictureOf, verdictOf, type ProjectState } from "@treadle/protocol/fold";
import type { ProjectRecord, ProjectStore } from "@treadle/store";

/**
 * Saves what the list of projects shows (verdict, picture, turns and cost) with the project's
 * record, so that the list reads no logs.
 * @param view the current view of the log
 */
export function createKeptStanding(
  record: ProjectRecord,
  view: ProjectState,
  projects: Pick<ProjectStore, "update">,
  onNotice: (message: string) => void,
): {
  /** Call after each event. */
  follow(): void;
  /** Resolves when the last change is stored. */
  settled(): Promise<void>;
} {
  let { standing, picture, turns = 0, costUsd } = record;
  let saving = Promise.resolve();
  const follow = () => {
    // Preliminary findings of an active look are no verdict.
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
