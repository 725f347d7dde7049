import type { Person, ProjectRole, Team } from "@treadle/protocol";
import { PROJECT_ROLES } from "@treadle/protocol/accounts";
import { useState } from "react";
import { LabelledSelect } from "../account/labelled-select.tsx";
import { Row, Rows, Section } from "../account/section.tsx";
import { createTeam, removeTeam, removeTeamMember, setTeamMember } from "../api/people.ts";
import { Button } from "../ui/button.tsx";
import { Confirm } from "../ui/confirm.tsx";
import { Field } from "../ui/field.tsx";
import { useAct } from "../ui/use-act.ts";
import { words } from "../words/words.ts";
import { ReviewRules } from "./review-rules.tsx";
import { usePeople, useRefreshPeople, useTeams } from "./use-people.ts";

/** The teams with their members, a form for a new one, and buttons to remove them. */
export function TeamSection() {
  const { data, error } = useTeams();
  const people = usePeople().data?.people ?? [];
  const refresh = useRefreshPeople();
  const [name, setName] = useState("");
  const { act, busy, problem } = useAct();
  const create = () =>
    act(async () => {
      await createTeam(name.trim());
      setName("");
      await refresh();
    });
  return (
    <Section title={words.people.teams} about={words.people.teamsAbout} problem={error ?? problem}>
      {data?.teams.map((team) => (
        <TeamMembers key={team.id} team={team} people={people} />
      ))}
      <form
        className="flex max-w-100 items-end gap-2"
        onSubmit={(event) => {
          event.preventDefault();
          if (!busy) void create();
        }}
      >
        <Field label={words.people.newTeam} maxLength={100} value={name} onText={setName} />
        <Button type="submit" size="medium" disabled={busy || name.trim() === ""}>
          {words.people.createTeam}
        </Button>
      </form>
    </Section>
  );
}

/** One team: its members with their roles, and who can be added. */
export function TeamMembers({ team, people }: { team: Team; people: readonly Person[] }) {
  const refresh = useRefreshPeople();
  const { act, busy, problem } = useAct();
  const [removing, setRemoving] = useState(false);
  const change = (work: () => Promise<unknown>) =>
    void act(async () => {
      await work();
      await refresh();
    });
  const nameOf = (id: string) => people.find((one) => one.id === id)?.name ?? id;
  const others = people.filter(({ id }) => !team.members.some(({ person }) => person === id));
  const rolesOf = PROJECT_ROLES.map((value) => ({
    value,
    name: words.account.projectRoles[value],
  }));
  return (
    <div className="rounded border border-line p-3">
      <div className="flex items-center justify-between gap-2">
        <h3 dir="auto" className="min-w-0 truncate font-medium">
          {team.name}
        </h3>
        <Button
          kind="quiet"
          aria-label={words.people.removeNamed({ name: team.name })}
          onClick={() => setRemoving(true)}
        >
          {words.people.remove}
        </Button>
      </div>
      <div className="mt-1 space-y-2">
        <Rows name={words.people.membersOf({ name: team.name })}>
          {team.members.map(({ person, role }) => (
            <Row key={person} name={nameOf(person)}>
              <LabelledSelect<ProjectRole>
                isInRow
                label={words.people.roleOf({ name: nameOf(person) })}
                value={role}
                options={rolesOf}
                disabled={busy}
                onChoose={(next) => change(() => setTeamMember(team.id, person, next))}
              />
              <Button
                kind="quiet"
                disabled={busy}
                aria-label={words.people.removeNamed({ name: nameOf(person) })}
                onClick={() => change(() => removeTeamMember(team.id, person))}
              >
                {words.people.takeOut}
              </Button>
            </Row>
          ))}
        </Rows>
        {others.length > 0 && (
          <LabelledSelect
            label={words.people.addTo({ name: team.name })}
            value=""
            disabled={busy}
            options={[
              { value: "", name: words.people.choose },
              ...others.map(({ id, name }) => ({ value: id, name })),
            ]}
            onChoose={(id) => id !== "" && change(() => setTeamMember(team.id, id, "editor"))}
          />
        )}
      </div>
      <ReviewRules team={team} />
      {problem && (
        <p role="alert" className="mt-1 text-small text-failed">
          {problem}
        </p>
      )}
      <Confirm
        open={removing}
        onClose={() => setRemoving(false)}
        title={words.people.removeAsk({ name: team.name })}
        action={words.people.remove}
        onConfirm={async () => {
          await removeTeam(team.id);
          await refresh();
        }}
      >
        {words.people.removeTeamAbout}
      </Confirm>
    </div>
  );
}
