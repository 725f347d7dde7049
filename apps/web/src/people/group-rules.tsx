import { useQueryClient } from "@tanstack/react-query";
import type { GroupRule, IdentityProvider } from "@treadle/protocol";
import { PROJECT_ROLES } from "@treadle/protocol/accounts";
import { useState } from "react";
import { LabelledSelect } from "../account/labelled-select.tsx";
import { Row, Rows, Section } from "../account/section.tsx";
import { PROVIDER_KEY, setRules } from "../api/identity.ts";
import { Button } from "../ui/button.tsx";
import { Field } from "../ui/field.tsx";
import { useAct } from "../ui/use-act.ts";
import { words } from "../words/words.ts";
import { useGivenRoles, useTeams } from "./use-people.ts";

/** The rules by which groups of the identity provider grant a role on the server or in a team. */
export function GroupRules({ provider }: { provider: IdentityProvider }) {
  const client = useQueryClient();
  const teams = useTeams().data?.teams ?? [];
  const { act, busy, problem } = useAct();
  const { fixed, rules } = provider;
  const save = (next: readonly GroupRule[]) =>
    act(async () => {
      await setRules(next);
      await client.invalidateQueries({ queryKey: PROVIDER_KEY });
    });
  const granted = ({ role, team }: GroupRule) =>
    [
      role && words.account.roles[role],
      team &&
        `${teams.find(({ id }) => id === team.id)?.name ?? team.id} (${words.account.projectRoles[team.role]})`,
    ]
      .filter(Boolean)
      .join(" · ");
  return (
    <Section title={words.identity.rules} about={words.identity.rulesAbout} problem={problem}>
      <Rows name={words.identity.rules}>
        {fixed.map((rule) => (
          <Row key={rule.group} name={rule.group} about={granted(rule)}>
            <span className="text-small text-quiet">{words.identity.fixed}</span>
          </Row>
        ))}
        {rules.map((rule, index) => (
          <Row key={`${rule.group} ${granted(rule)}`} name={rule.group} about={granted(rule)}>
            <Button
              kind="quiet"
              disabled={busy}
              aria-label={words.people.removeNamed({ name: rule.group })}
              onClick={() => void save(rules.toSpliced(index, 1))}
            >
              {words.people.remove}
            </Button>
          </Row>
        ))}
      </Rows>
      <NewRule busy={busy} onAdd={(rule) => save([...rules, rule])} />
    </Section>
  );
}

/** The form for a new rule. A rule grants a role on the server or in a team. */
function NewRule({ busy, onAdd }: { busy: boolean; onAdd: (rule: GroupRule) => Promise<unknown> }) {
  const roles = useGivenRoles();
  const teams = useTeams().data?.teams ?? [];
  const [group, setGroup] = useState("");
  const [choice, setChoice] = useState("member");
  const grants = [
    ...roles.map((role) => ({ value: role as string, name: words.account.roles[role], grant: { role } })), // prettier-ignore
    ...teams.flatMap(({ id, name }) =>
      PROJECT_ROLES.map((role) => ({
        value: `${id} ${role}`,
        name: `${name}: ${words.account.projectRoles[role]}`,
        grant: { team: { id, role } },
      })),
    ),
  ];
  const chosen = grants.find(({ value }) => value === choice);
  return (
    <form
      className="flex flex-wrap items-end gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        if (!busy && chosen) void onAdd({ group: group.trim(), ...chosen.grant });
      }}
    >
      <div className="flex max-w-80 min-w-50 flex-1">
        <Field label={words.identity.group} maxLength={200} value={group} onText={setGroup} />
      </div>
      <LabelledSelect
        label={words.identity.grants}
        value={choice}
        options={grants.map(({ value, name }) => ({ value, name }))}
        onChoose={setChoice}
      />
      <Button type="submit" size="medium" disabled={busy || group.trim() === ""}>
        {words.identity.addRule}
      </Button>
    </form>
  );
}
