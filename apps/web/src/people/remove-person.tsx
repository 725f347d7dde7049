import type { Person } from "@treadle/protocol";
import { useState } from "react";
import { LabelledSelect } from "../account/labelled-select.tsx";
import { useMe } from "../api/account.ts";
import { removePerson } from "../api/people.ts";
import { Confirm } from "../ui/confirm.tsx";
import { words } from "../words/words.ts";
import { useRefreshPeople } from "./use-people.ts";

/** Asks who gets the projects of a person whose account is removed. */
export function RemovePerson({
  person: { id, name },
  people,
  onClose,
}: {
  person: Person;
  people: readonly Person[];
  onClose: () => void;
}) {
  const me = useMe();
  const refresh = useRefreshPeople();
  const [heir, setHeir] = useState(me?.id ?? "");
  return (
    <Confirm
      open
      onClose={onClose}
      title={words.people.removeAsk({ name })}
      action={words.people.remove}
      onConfirm={async () => {
        await removePerson(id, heir);
        await refresh();
      }}
    >
      <p className="mb-2">{words.people.removeAbout}</p>
      <LabelledSelect
        label={words.people.heir}
        value={heir}
        options={people
          .filter((one) => one.id !== id)
          .map((one) => ({ value: one.id, name: one.name }))}
        onChoose={setHeir}
      />
    </Confirm>
  );
}
