import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { keysPath, readKeyProviders, removeModelKey, setModelKey } from "../api/model-rules.ts";
import { Button } from "../ui/button.tsx";
import { Field } from "../ui/field.tsx";
import { useAct } from "../ui/use-act.ts";
import { words } from "../words/words.ts";
import { LabelledSelect } from "./labelled-select.tsx";
import { Row, Rows, Section } from "./section.tsx";

/** Model keys of a team, or the person's own. Keys can be set and removed, but the server never returns them. */
export function ModelKeysSection({
  title,
  about,
  team,
}: {
  title: string;
  about: string;
  team?: string;
}) {
  const path = keysPath(team);
  const queryKey = ["model-keys", path];
  const { data, error } = useQuery({
    queryKey,
    queryFn: ({ signal }) => readKeyProviders(path, signal),
  });
  const client = useQueryClient();
  const { act, busy, problem } = useAct();
  const [chosen, setChosen] = useState("");
  const [key, setKey] = useState("");
  const change = (work: () => Promise<unknown>) =>
    act(async () => {
      await work();
      setKey("");
      await Promise.all(
        [queryKey, ["models"]].map((changed) => client.invalidateQueries({ queryKey: changed })),
      );
    });
  const providers = data?.providers ?? [];
  const provider = chosen === "" ? providers[0]?.id : chosen;
  if (!data && !error) return null;
  return (
    <Section title={title} about={about} problem={error ?? problem}>
      <Rows name={title}>
        {providers
          .filter(({ isSet }) => isSet)
          .map(({ id, name }) => (
            <Row key={id} name={name} about={words.limits.keySet}>
              <Button
                kind="quiet"
                disabled={busy}
                aria-label={words.limits.removeKey({ name })}
                onClick={() => void change(() => removeModelKey(path, id))}
              >
                {words.account.remove}
              </Button>
            </Row>
          ))}
      </Rows>
      {provider !== undefined && (
        <form
          className="flex flex-wrap items-end gap-2"
          onSubmit={(event) => {
            event.preventDefault();
            if (!busy) void change(() => setModelKey(path, provider, key.trim()));
          }}
        >
          <LabelledSelect
            label={words.limits.provider}
            value={provider}
            options={providers.map(({ id, name }) => ({ value: id, name }))}
            onChoose={setChosen}
          />
          <div className="flex min-w-40 flex-1">
            <Field label={words.limits.key} type="password" value={key} onText={setKey} />
          </div>
          <Button type="submit" size="medium" disabled={busy || key.trim() === ""}>
            {words.account.save}
          </Button>
        </form>
      )}
    </Section>
  );
}
