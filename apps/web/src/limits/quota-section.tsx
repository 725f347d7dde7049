import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { Quotas } from "@treadle/protocol";
import { useState } from "react";
import { Section } from "../account/section.tsx";
import { QUOTAS_KEY, readQuotas, setQuotas } from "../api/quotas.ts";
import { Button } from "../ui/button.tsx";
import { Field } from "../ui/field.tsx";
import { useAct } from "../ui/use-act.ts";
import { words } from "../words/words.ts";

const FIELDS = [
  "runs",
  "runsPerPerson",
  "projectsPerPerson",
  "projectsPerTeam",
  "publishedPerPerson",
  "publishedPerTeam",
  "awakePerPerson",
  "awakePerTeam",
  "diskGibPerPerson",
  "diskGibPerTeam",
] as const;

/** The limits of each person and team, such as awake projects, published apps and disk space. */
export function QuotaSection() {
  const { data, error } = useQuery({
    queryKey: QUOTAS_KEY,
    queryFn: ({ signal }) => readQuotas(signal),
  });
  const client = useQueryClient();
  const { act, busy, problem } = useAct();
  const [typed, setTyped] = useState<Partial<Record<keyof Quotas, string>>>({});
  const textOf = (field: keyof Quotas) => typed[field] ?? data?.[field]?.toString() ?? "";
  return (
    <Section
      title={words.limits.quotas}
      about={words.limits.quotasAbout}
      problem={error ?? problem}
    >
      <form
        className="flex flex-wrap items-end gap-2"
        onSubmit={(event) => {
          event.preventDefault();
          const entries = FIELDS.flatMap((field) =>
            textOf(field) === "" ? [] : [[field, Number(textOf(field))]],
          );
          void act(async () => {
            await setQuotas(Object.fromEntries(entries) as Quotas);
            await client.invalidateQueries({ queryKey: QUOTAS_KEY });
            setTyped({});
          });
        }}
      >
        {FIELDS.map((field) => (
          <div key={field} className="flex w-44">
            <Field
              label={words.limits[field]}
              type="number"
              min={1}
              step={1}
              value={textOf(field)}
              onText={(text) => setTyped({ ...typed, [field]: text })}
            />
          </div>
        ))}
        <Button type="submit" size="medium" disabled={busy || data === undefined}>
          {words.account.save}
        </Button>
      </form>
    </Section>
  );
}
