import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { ServerRole } from "@treadle/protocol";
import { useState } from "react";
import { LabelledSelect } from "../account/labelled-select.tsx";
import { Row, Rows, Section } from "../account/section.tsx";
import { ShownOnce } from "../account/shown-once.tsx";
import { INVITATIONS_KEY, invite, readInvitations, withdrawInvitation } from "../api/people.ts";
import { Button } from "../ui/button.tsx";
import { copyText } from "../ui/copy-text.ts";
import { Field } from "../ui/field.tsx";
import { formatDateTime } from "../ui/format.ts";
import { notice } from "../ui/notice.ts";
import { useAct } from "../ui/use-act.ts";
import { words } from "../words/words.ts";
import { useGivenRoles } from "./use-people.ts";

/** Invitation links, with which people create an account: a form for a new one, and those that are still unused. */
export function InvitationSection() {
  const client = useQueryClient();
  const roles = useGivenRoles();
  const { data, error } = useQuery({
    queryKey: INVITATIONS_KEY,
    queryFn: ({ signal }) => readInvitations(signal),
  });
  const refresh = () => client.invalidateQueries({ queryKey: INVITATIONS_KEY });
  const [role, setRole] = useState<ServerRole>("member");
  const [email, setEmail] = useState("");
  const [link, setLink] = useState<string>();
  const { act, busy, problem } = useAct();
  const make = () =>
    act(async () => {
      const address = email.trim();
      const made = await invite({ role, email: address === "" ? undefined : address });
      setLink(made.link);
      setEmail("");
      if (await copyText(made.link)) notice(words.people.copied);
      await refresh();
    });
  return (
    <Section
      title={words.people.invite}
      about={words.people.inviteAbout}
      problem={error ?? problem}
    >
      <form
        className="flex flex-wrap items-end gap-2"
        onSubmit={(event) => {
          event.preventDefault();
          if (!busy) void make();
        }}
      >
        <div className="flex max-w-80 min-w-50 flex-1">
          <Field label={words.people.email} type="email" value={email} onText={setEmail} />
        </div>
        <LabelledSelect
          label={words.people.role}
          value={role}
          options={roles.map((value) => ({ value, name: words.account.roles[value] }))}
          onChoose={setRole}
        />
        <Button type="submit" kind="primary" size="medium" disabled={busy}>
          {words.people.makeLink}
        </Button>
      </form>
      {link !== undefined && (
        <ShownOnce label={words.people.invitation} value={link} note={words.people.inviteOnce} />
      )}
      <Rows name={words.people.invitations}>
        {(data?.invitations ?? []).map((one) => (
          <Row
            key={one.id}
            name={one.email ?? words.people.forAnybody}
            about={`${words.account.roles[one.role]} · ${words.account.until({ when: formatDateTime(one.expiresAt) })}`}
          >
            <Button
              kind="quiet"
              disabled={busy}
              onClick={() =>
                void act(async () => {
                  await withdrawInvitation(one.id);
                  await refresh();
                })
              }
            >
              {words.people.withdraw}
            </Button>
          </Row>
        ))}
      </Rows>
    </Section>
  );
}
