import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { ReviewKind, Team } from "@treadle/protocol";
import { REVIEW_KINDS } from "@treadle/protocol/accounts";
import { readReviewRules, REVIEW_RULES_KEY, setReviewRule } from "../api/reviews.ts";
import { useAct } from "../ui/use-act.ts";
import { words } from "../words/words.ts";

/** The setting of which actions need a second person in the projects of a team, once it is loaded. */
export function ReviewRules({ team: { id, name } }: { team: Pick<Team, "id" | "name"> }) {
  const client = useQueryClient();
  const { data } = useQuery({
    queryKey: REVIEW_RULES_KEY,
    queryFn: ({ signal }) => readReviewRules(signal),
  });
  const { act, busy, problem } = useAct();
  if (!data) return null;
  const kinds = data.rules.find(({ team }) => team === id)?.kinds ?? [];
  const toggle = (kind: ReviewKind) =>
    void act(async () => {
      const others = kinds.filter((one) => one !== kind);
      await setReviewRule({ team: id, kinds: kinds.includes(kind) ? others : [...kinds, kind] });
      await client.invalidateQueries({ queryKey: REVIEW_RULES_KEY });
    });
  return (
    <fieldset aria-label={words.reviews.rulesOf({ name })} className="mt-2 min-w-0 text-small">
      <legend className="text-quiet">{words.reviews.rules}</legend>
      {REVIEW_KINDS.map((kind) => (
        <label
          key={kind}
          className="mr-4 inline-flex min-h-7 items-center gap-1.5 pointer-coarse:min-h-11"
        >
          <input
            type="checkbox"
            className="accent-accent"
            checked={kinds.includes(kind)}
            disabled={busy}
            onChange={() => toggle(kind)}
          />
          {words.reviews.kinds[kind]}
        </label>
      ))}
      {problem && (
        <p role="alert" className="text-failed">
          {problem}
        </p>
      )}
    </fieldset>
  );
}
