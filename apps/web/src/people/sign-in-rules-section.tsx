import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Section } from "../account/section.tsx";
import { readSignInRules, setSignInRules, SIGN_IN_RULES_KEY } from "../api/account.ts";
import { useAct } from "../ui/use-act.ts";
import { words } from "../words/words.ts";

/** The server's requirements for signing in, such as a second factor. */
export function SignInRulesSection() {
  const client = useQueryClient();
  const { data, error } = useQuery({
    queryKey: SIGN_IN_RULES_KEY,
    queryFn: ({ signal }) => readSignInRules(signal),
  });
  const { act, busy, problem } = useAct();
  return (
    <Section
      title={words.people.signInRules}
      about={words.people.needCodeAbout}
      problem={error ?? problem}
    >
      <label className="inline-flex min-h-7 items-center gap-1.5 pointer-coarse:min-h-11">
        <input
          type="checkbox"
          className="accent-accent"
          checked={data?.secondFactor ?? false}
          disabled={busy || data === undefined}
          onChange={({ target: { checked } }) =>
            void act(async () => {
              await setSignInRules({ secondFactor: checked });
              await client.invalidateQueries({ queryKey: SIGN_IN_RULES_KEY });
            })
          }
        />
        {words.people.needCode}
      </label>
    </Section>
  );
}
