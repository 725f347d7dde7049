import type { Person, ServerRole } from "@treadle/protocol";
import { useState } from "react";
import { LabelledSelect } from "../account/labelled-select.tsx";
import { Row, Rows, Section } from "../account/section.tsx";
import { ShownOnce } from "../account/shown-once.tsx";
import { useMe } from "../api/account.ts";
import {
  changeRole,
  createSignInLink,
  endSessionsOf,
  resetSignIns,
  suspend,
} from "../api/people.ts";
import { Button } from "../ui/button.tsx";
import { Confirm } from "../ui/confirm.tsx";
import { notice } from "../ui/notice.ts";
import { useAct } from "../ui/use-act.ts";
import { words } from "../words/words.ts";
import { RemovePerson } from "./remove-person.tsx";
import { useGivenRoles, usePeople, useRefreshPeople } from "./use-people.ts";

/** Everybody with an account. */
export function PersonList() {
  const { data, error } = usePeople();
  const people = data?.people ?? [];
  return (
    <Section title={words.people.accounts} problem={error}>
      <Rows name={words.people.accounts}>
        {people.map((person) => (
          <PersonRow key={person.id} person={person} people={people} />
        ))}
      </Rows>
    </Section>
  );
}

/**
 * One person with the actions that change their account. There are none for people with a higher role, nor for the
 * reader's own account, so that nobody locks themselves out.
 */
function PersonRow({ person, people }: { person: Person; people: readonly Person[] }) {
  const me = useMe();
  const roles = useGivenRoles();
  const refresh = useRefreshPeople();
  const { act, busy, problem } = useAct();
  const [link, setLink] = useState<string>();
  const [removing, setRemoving] = useState(false);
  const [resetting, setResetting] = useState(false);
  const { id, name, email, role } = person;
  const isSelf = me?.id === id;
  const isChangeable = roles.includes(role) && !isSelf;
  const facts = [
    email,
    isSelf ? words.people.you : undefined,
    person.suspended && words.people.suspended[person.suspended],
  ]
    .filter(Boolean)
    .join(" · ");
  return (
    <>
      <Row name={name} about={facts}>
        {isChangeable ? (
          <>
            <LabelledSelect<ServerRole>
              isInRow
              label={words.people.roleOf({ name })}
              value={role}
              disabled={busy}
              options={roles.map((value) => ({ value, name: words.account.roles[value] }))}
              onChoose={(next) =>
                void act(async () => {
                  await changeRole(id, next);
                  await refresh();
                })
              }
            />
            <Button
              kind="quiet"
              disabled={busy}
              aria-label={words.people.linkFor({ name })}
              onClick={() => void act(async () => setLink((await createSignInLink(id)).link))}
            >
              {words.people.link}
            </Button>
            <Button
              kind="quiet"
              disabled={busy}
              aria-label={words.people.endSessionsOf({ name })}
              onClick={() =>
                void act(async () => {
                  await endSessionsOf(id);
                  notice(words.people.sessionsEnded({ name }));
                })
              }
            >
              {words.people.endSessions}
            </Button>
            <Button
              kind="quiet"
              disabled={busy}
              aria-label={words.people.resetSignInsOf({ name })}
              onClick={() => setResetting(true)}
            >
              {words.people.resetSignIns}
            </Button>
            <Button
              kind="quiet"
              disabled={busy}
              aria-label={
                person.suspended ? words.people.restoreNamed({ name }) : words.people.suspendNamed({ name }) // prettier-ignore
              }
              onClick={() =>
                void act(async () => {
                  await suspend(id, person.suspended === undefined);
                  await refresh();
                })
              }
            >
              {person.suspended ? words.people.restore : words.people.suspend}
            </Button>
            <Button
              kind="quiet"
              disabled={busy}
              aria-label={words.people.removeNamed({ name })}
              onClick={() => setRemoving(true)}
            >
              {words.people.remove}
            </Button>
          </>
        ) : (
          <span className="text-quiet">{words.account.roles[role]}</span>
        )}
      </Row>
      {link !== undefined && (
        <li className="border-b border-line p-2 last:border-0">
          <ShownOnce
            label={words.people.linkFor({ name })}
            value={link}
            note={words.people.linkOnce}
          />
        </li>
      )}
      {problem && (
        <li role="alert" className="border-b border-line px-3 py-1.5 text-small text-failed">
          {problem}
        </li>
      )}
      {resetting && (
        <Confirm
          open
          onClose={() => setResetting(false)}
          title={words.people.resetAsk({ name })}
          action={words.people.resetSignIns}
          onConfirm={async () => {
            await resetSignIns(id);
            notice(words.people.resetDone({ name }));
          }}
        >
          {words.people.resetAbout}
        </Confirm>
      )}
      {removing && (
        <RemovePerson person={person} people={people} onClose={() => setRemoving(false)} />
      )}
    </>
  );
}
