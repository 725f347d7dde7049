import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { ApiToken, Scope } from "@treadle/protocol";
import { SCOPES } from "@treadle/protocol/accounts";
import { useState } from "react";
import { createToken, readTokens, revokeToken } from "../api/account.ts";
import { Button } from "../ui/button.tsx";
import { Field } from "../ui/field.tsx";
import { formatAgo, formatDateTime } from "../ui/format.ts";
import { useAct } from "../ui/use-act.ts";
import { useNow } from "../ui/use-now.ts";
import { listed, words } from "../words/words.ts";
import { LabelledSelect } from "./labelled-select.tsx";
import { Row, Rows, Section } from "./section.tsx";
import { ShownOnce } from "./shown-once.tsx";

const TOKENS_KEY = ["me", "tokens"] as const;
/** Lifetimes in days; 0: no expiry. */
const LIFETIMES_DAYS = [30, 90, 365, 0] as const;

/** API tokens, with which programs act for the person. */
export function TokensSection() {
  const client = useQueryClient();
  const { data, error } = useQuery({
    queryKey: TOKENS_KEY,
    queryFn: ({ signal }) => readTokens(signal),
  });
  const [made, setMade] = useState<string>();
  const refresh = () => client.invalidateQueries({ queryKey: TOKENS_KEY });
  return (
    <Section title={words.account.tokens} about={words.account.tokensAbout} problem={error}>
      <TokenList tokens={data?.tokens ?? []} onChanged={refresh} />
      {made !== undefined && (
        <ShownOnce label={words.account.token} value={made} note={words.account.tokenOnce} />
      )}
      <NewToken
        onMade={async (token) => {
          setMade(token);
          await refresh();
        }}
      />
    </Section>
  );
}

export function TokenList({
  tokens,
  onChanged,
}: {
  tokens: readonly ApiToken[];
  onChanged: () => Promise<void>;
}) {
  const now = useNow(30_000);
  const { act, busy, problem } = useAct();
  return (
    <>
      <Rows name={words.account.tokens}>
        {tokens.map(({ id, name, scopes, expiresAt, usedAt }) => (
          <Row
            key={id}
            name={name}
            about={[
              listed(scopes.map((scope) => words.account.scopes[scope])),
              expiresAt === undefined
                ? words.account.noEnd
                : words.account.until({ when: formatDateTime(expiresAt) }),
              usedAt === undefined
                ? words.account.neverUsed
                : words.account.seen({ when: formatAgo(usedAt, now) }),
            ].join(" · ")}
          >
            <Button
              kind="quiet"
              disabled={busy}
              onClick={() =>
                void act(async () => {
                  await revokeToken(id);
                  await onChanged();
                })
              }
            >
              {words.account.revoke}
            </Button>
          </Row>
        ))}
      </Rows>
      {problem && (
        <p role="alert" className="text-small text-failed">
          {problem}
        </p>
      )}
    </>
  );
}

function NewToken({ onMade }: { onMade: (token: string) => Promise<void> }) {
  const [name, setName] = useState("");
  const [scopes, setScopes] = useState<readonly Scope[]>(["read"]);
  const [days, setDays] = useState<number>(LIFETIMES_DAYS[1]);
  const { act, busy, problem } = useAct();
  const make = () =>
    act(async () => {
      const chosen = SCOPES.filter((scope) => scopes.includes(scope));
      const terms = { name: name.trim(), scopes: chosen, days: days === 0 ? undefined : days };
      const { token } = await createToken(terms);
      setName("");
      await onMade(token);
    });
  return (
    <form
      aria-label={words.account.newToken}
      className="space-y-2"
      onSubmit={(event) => {
        event.preventDefault();
        if (!busy) void make();
      }}
    >
      <div className="flex flex-wrap items-end gap-2">
        <div className="flex max-w-70 min-w-40 flex-1">
          <Field label={words.account.tokenFor} maxLength={100} value={name} onText={setName} />
        </div>
        <LabelledSelect
          label={words.account.ends}
          value={days}
          options={LIFETIMES_DAYS.map((value) => ({
            value,
            name: value === 0 ? words.account.noEnd : words.account.afterDays({ amount: value }),
          }))}
          onChoose={setDays}
        />
      </div>
      <fieldset>
        <legend className="text-small text-quiet">{words.account.mayDo}</legend>
        <div className="flex flex-wrap gap-x-4">
          {SCOPES.map((scope) => (
            <label
              key={scope}
              className="inline-flex min-h-7 items-center gap-1.5 pointer-coarse:min-h-11"
            >
              <input
                type="checkbox"
                className="accent-accent"
                checked={scopes.includes(scope)}
                onChange={({ target }) =>
                  setScopes(
                    target.checked ? [...scopes, scope] : scopes.filter((one) => one !== scope),
                  )
                }
              />
              {words.account.scopes[scope]}
            </label>
          ))}
        </div>
      </fieldset>
      <Button
        type="submit"
        size="medium"
        disabled={busy || name.trim() === "" || scopes.length === 0}
      >
        {words.account.makeToken}
      </Button>
      {problem && (
        <p role="alert" className="text-small text-failed">
          {problem}
        </p>
      )}
    </form>
  );
}
