import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { ProjectMember, ProjectRole } from "@treadle/protocol";
import { PROJECT_ROLES } from "@treadle/protocol/accounts";
import { useState } from "react";
import { LabelledSelect } from "../account/labelled-select.tsx";
import { Row, Rows } from "../account/section.tsx";
import { useMe } from "../api/account.ts";
import { membersKey, readMembers, removeMember, setMember } from "../api/people.ts";
import { sentence } from "../api/request.ts";
import { useProjectId } from "../live/live-context.tsx";
import { usePeople, useTeams } from "../people/use-people.ts";
import { Button } from "../ui/button.tsx";
import { DialogBox } from "../ui/dialog-box.tsx";
import { useAct } from "../ui/use-act.ts";
import { words } from "../words/words.ts";

type Who = Pick<ProjectMember, "kind" | "id">;
const keyOf = ({ kind, id }: Who) => `${kind} ${id}`;
const roleOptions = () =>
  PROJECT_ROLES.map((value) => ({ value, name: words.account.projectRoles[value] }));

/** The members of the project with their roles, which its owners can add, change and remove. */
export default function MembersDialog({ onClose }: { onClose: () => void }) {
  const project = useProjectId();
  const me = useMe();
  const client = useQueryClient();
  const { data, error } = useQuery({
    queryKey: membersKey(project),
    queryFn: ({ signal }) => readMembers(project, signal),
  });
  const people = usePeople();
  const teams = useTeams();
  const { act, busy, problem } = useAct();
  const change = (work: () => Promise<unknown>) =>
    act(async () => {
      await work();
      await client.invalidateQueries({ queryKey: membersKey(project) });
      await client.invalidateQueries({ queryKey: ["me", "access", project] });
    });
  const candidates = [
    ...(people.data?.people ?? []).map(({ id, name }) => ({ kind: "person" as const, id, name })),
    ...(teams.data?.teams ?? []).map(({ id, name }) => ({
      kind: "team" as const,
      id,
      name: words.members.team({ name }),
    })),
  ];
  const nameOf = (who: Who) => candidates.find((one) => keyOf(one) === keyOf(who))?.name ?? who.id;
  const members = data?.members ?? [];
  const added = new Set(members.map(keyOf));
  const failure = error ?? people.error ?? teams.error;
  return (
    <DialogBox
      onClose={onClose}
      title={words.members.title}
      ready={data !== undefined}
      className="top-[8vh] max-h-[84vh] w-130 max-w-[calc(100vw-16px)] overflow-y-auto"
    >
      <div className="space-y-3 p-4">
        <p className="text-quiet">{words.members.about}</p>
        <AddMember
          candidates={candidates.filter((one) => !added.has(keyOf(one)))}
          busy={busy}
          onAdd={(member) => change(() => setMember(project, member))}
        />
        <Rows name={words.members.title}>
          {members.map((member) => (
            <Row
              key={keyOf(member)}
              name={nameOf(member)}
              about={member.id === me?.id ? words.people.you : undefined}
            >
              <LabelledSelect<ProjectRole>
                isInRow
                label={words.people.roleOf({ name: nameOf(member) })}
                value={member.role}
                options={roleOptions()}
                disabled={busy}
                onChoose={(role) => void change(() => setMember(project, { ...member, role }))}
              />
              <Button
                kind="quiet"
                disabled={busy}
                aria-label={words.people.removeNamed({ name: nameOf(member) })}
                onClick={() => void change(() => removeMember(project, member))}
              >
                {words.people.takeOut}
              </Button>
            </Row>
          ))}
        </Rows>
        {(failure ?? problem) && (
          <p role="alert" className="text-small text-failed">
            {sentence(failure ?? problem)}
          </p>
        )}
        <p className="text-small text-quiet">{words.members.adminsToo}</p>
      </div>
    </DialogBox>
  );
}

function AddMember({
  candidates,
  busy,
  onAdd,
}: {
  candidates: readonly (Who & { name: string })[];
  busy: boolean;
  onAdd: (member: ProjectMember) => Promise<boolean>;
}) {
  const [chosen, setChosen] = useState("");
  const [role, setRole] = useState<ProjectRole>("viewer");
  const who = candidates.find((one) => keyOf(one) === chosen);
  return (
    <form
      className="flex flex-wrap items-end gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        if (who && !busy) void onAdd({ kind: who.kind, id: who.id, role });
      }}
    >
      <LabelledSelect
        label={words.members.who}
        value={who ? chosen : ""}
        options={[
          { value: "", name: words.people.choose },
          ...candidates.map((one) => ({ value: keyOf(one), name: one.name })),
        ]}
        onChoose={setChosen}
      />
      <LabelledSelect
        label={words.people.role}
        value={role}
        options={roleOptions()}
        onChoose={setRole}
      />
      <Button type="submit" kind="primary" size="medium" disabled={busy || !who}>
        {words.members.add}
      </Button>
    </form>
  );
}
