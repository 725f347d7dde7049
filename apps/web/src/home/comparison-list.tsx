import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { visible } from "@treadle/protocol/safe-text";
import { listComparisons } from "../api/comparisons.ts";
import { words } from "../words/words.ts";

const POLL_MS = 5_000;

/**
 * Comparisons that are still open, because the person has not kept one of the attempts. Draws nothing if there are
 * none.
 */
export default function ComparisonList() {
  const { data } = useQuery({
    queryKey: ["comparisons"],
    queryFn: ({ signal }) => listComparisons(signal),
    refetchInterval: POLL_MS,
  });
  if (!data?.length) return null;
  return (
    <ul aria-label={words.compare.going} className="mt-2 space-y-1">
      {data.map(({ id, text, attempts }) => {
        const finished = attempts.filter(
          ({ state }) => state !== "waiting" && state !== "making" && state !== "going",
        ).length;
        return (
          <li key={id}>
            <Link
              to="/compare/$comparison"
              params={{ comparison: id }}
              className="flex items-center gap-3 rounded border border-line bg-raised px-3 py-2 hover:border-edge pointer-coarse:min-h-11"
            >
              <span className="shrink-0 font-medium">{words.compare.title}</span>
              <span dir="auto" className="min-w-0 flex-1 truncate">
                {visible(text)}
              </span>
              <span className="numbers shrink-0 text-small text-quiet">
                {words.compare.progress({ done: finished, all: attempts.length })}
              </span>
            </Link>
          </li>
        );
      })}
    </ul>
  );
}
