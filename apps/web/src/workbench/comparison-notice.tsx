import { Link } from "@tanstack/react-router";
import { useProject } from "../project/use-project.ts";
import { useView } from "../live/live-context.tsx";
import { words } from "../words/words.ts";

/**
 * A notice on a project being compared, on an attempt, or on the copy of a parallel request, with a link. Draws nothing
 * otherwise.
 */
export function ComparisonNotice() {
  const activeComparison = useView((view) => view.comparison);
  const { comparison: attemptOf, parallelOf } = useProject();
  const comparison = attemptOf ?? activeComparison;
  if (parallelOf !== undefined)
    return (
      <p role="status" className="border-b border-line px-4 py-1.5 text-small text-quiet">
        {words.compare.isParallelCopy}{" "}
        <Link
          to="/p/$project"
          params={{ project: parallelOf }}
          className="text-accent underline underline-offset-2"
        >
          {words.compare.toProject}
        </Link>
      </p>
    );
  if (comparison === undefined) return null;
  return (
    <p role="status" className="border-b border-line px-4 py-1.5 text-small text-quiet">
      {attemptOf === undefined ? words.compare.isCompared : words.compare.isAttempt}{" "}
      <Link
        to="/compare/$comparison"
        params={{ comparison }}
        className="text-accent underline underline-offset-2"
      >
        {words.compare.sideBySide}
      </Link>
    </p>
  );
}
