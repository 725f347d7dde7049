import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { ModelRule, Team } from "@treadle/protocol";
import { SERVER_ROLES } from "@treadle/protocol/accounts";
import { useState } from "react";
import { LabelledSelect } from "../account/labelled-select.tsx";
import { Row, Rows, Section } from "../account/section.tsx";
import { MODEL_RULES_KEY, readModelRules, setModelRule } from "../api/model-rules.ts";
import { Button } from "../ui/button.tsx";
import { Field } from "../ui/field.tsx";
import { useAct } from "../ui/use-act.ts";
import { listed, words } from "../words/words.ts";

/** The rules about which models each role and team may use. */
export function RuleSection({ teams }: { teams: readonly Team[] }) {
  const { data, error } = useQuery({
    queryKey: MODEL_RULES_KEY,
    queryFn: ({ signal }) => readModelRules(signal),
  });
  const client = useQueryClient();
  const { act, busy, problem } = useAct();
  const [group, setGroup] = useState("role member");
  const [models, setModels] = useState("");
  const change = (rule: ModelRule) =>
    act(async () => {
      await setModelRule(rule);
      await client.invalidateQueries({ queryKey: MODEL_RULES_KEY });
    });
  const groups = [
    ...SERVER_ROLES.map((role) => ({ value: `role ${role}`, name: words.account.roles[role] })),
    ...teams.map(({ id, name }) => ({ value: `team ${id}`, name })),
  ];
  const names = models.split(/[\s,]+/).filter((name) => name !== "");
  const save = async () => {
    const [kind, subject = ""] = group.split(" ") as [ModelRule["kind"], string];
    if (!busy && (await change({ kind, subject, models: names }))) setModels("");
  };
  return (
    <Section title={words.limits.rules} about={words.limits.rulesAbout} problem={error ?? problem}>
      <Rows name={words.limits.rules}>
        {data?.rules.map((rule) => {
          const value = `${rule.kind} ${rule.subject}`;
          const name = groups.find((one) => one.value === value)?.name ?? rule.subject;
          return (
            <Row key={value} name={name} about={listed(rule.models)}>
              <Button
                kind="quiet"
                disabled={busy}
                aria-label={words.limits.removeRule({ name })}
                onClick={() => void change({ ...rule, models: [] })}
              >
                {words.account.remove}
              </Button>
            </Row>
          );
        })}
      </Rows>
      <form
        className="flex flex-wrap items-end gap-2"
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <LabelledSelect
          label={words.limits.group}
          value={group}
          options={groups}
          onChoose={setGroup}
        />
        <div className="flex min-w-50 flex-1">
          <Field label={words.limits.models} value={models} onText={setModels} />
        </div>
        <Button type="submit" size="medium" disabled={busy || names.length === 0}>
          {words.account.save}
        </Button>
      </form>
    </Section>
  );
}
