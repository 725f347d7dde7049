import { pictureOf, verdictOf, type ProjectState } from "@treadle/protocol/fold";
import type { ProjectRecord, ProjectStore } from "@treadle/store";

/**
 * Keeps with the project's record how it stands and what it looks like: the list of projects asks for both without
 * reading logs.
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
  /** Resolves when what was kept is in the store. */
  settled(): Promise<void>;
} {
  let { standing, picture } = record;
  let keeping = Promise.resolve();
  const follow = () => {
    // What a look has seen so far is no verdict.
    const verdict = view.look ? standing : verdictOf(view)?.verdict;
    // Files that nobody has looked at are still known by what was seen last.
    const seen = pictureOf(view.evidence) ?? picture;
    if (verdict === standing && seen === picture) return;
    standing = verdict;
    picture = seen;
    keeping = Promise.all([
      keeping,
      projects.update(record.id, { standing: verdict, picture: seen }),
    ]).then(
      () => {},
      (error: Error) => onNotice(error.message),
    );
  };
  return { follow, settled: () => keeping };
}
