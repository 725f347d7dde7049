import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { changeMe, readSignIns, refreshMe, setPassword, useMe } from "../api/account.ts";
import { Button } from "../ui/button.tsx";
import { Field } from "../ui/field.tsx";
import { notice } from "../ui/notice.ts";
import { useAct } from "../ui/use-act.ts";
import { words } from "../words/words.ts";
import { Section } from "./section.tsx";

export const SIGN_INS_KEY = ["me", "sign-ins"] as const;
export const SESSIONS_KEY = ["me", "sessions"] as const;

/** A form with a single field and its button. */
function OneField({
  label,
  note,
  action,
  onSubmit,
  initial = "",
  ...input
}: {
  label: string;
  note?: string;
  action: string;
  initial?: string;
  onSubmit: (text: string) => Promise<unknown>;
  type?: string;
  autoComplete?: string;
  minLength?: number;
  maxLength?: number;
}) {
  const [text, setText] = useState(initial);
  const { act, busy, problem } = useAct();
  const submit = async () => {
    if (!(await act(() => onSubmit(text)))) return;
    notice(words.account.saved);
    if (input.type === "password") setText("");
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (!busy) void submit();
      }}
    >
      <div className="flex max-w-100 items-end gap-2">
        <Field label={label} value={text} onText={setText} required {...input} />
        <Button
          type="submit"
          size="medium"
          disabled={busy || text.trim() === "" || text === initial}
        >
          {action}
        </Button>
      </div>
      {note !== undefined && <p className="mt-0.5 text-small text-quiet">{note}</p>}
      {problem && (
        <p role="alert" className="mt-0.5 text-small text-failed">
          {problem}
        </p>
      )}
    </form>
  );
}

/** The person's name, mail address and password, each in a form of its own. */
export function IdentitySection() {
  const me = useMe();
  const client = useQueryClient();
  const [current, setCurrent] = useState("");
  const { data, error } = useQuery({
    queryKey: SIGN_INS_KEY,
    queryFn: ({ signal }) => readSignIns(signal),
  });
  const hasPassword = data?.methods.some(({ kind }) => kind === "password") ?? false;
  const change = async (what: { name?: string; email?: string }) => {
    await changeMe(what);
    await Promise.all([refreshMe(client), client.invalidateQueries({ queryKey: ["people"] })]);
  };
  if (!me) return null;
  return (
    <Section title={words.account.you} problem={error}>
      <OneField
        key={me.name}
        label={words.account.name}
        action={words.account.save}
        initial={me.name ?? ""}
        maxLength={100}
        autoComplete="name"
        onSubmit={(name) => change({ name: name.trim() })}
      />
      {me.email === undefined ? (
        <OneField
          label={words.account.email}
          note={words.account.noEmail}
          action={words.account.save}
          type="email"
          autoComplete="email"
          onSubmit={(email) => change({ email: email.trim() })}
        />
      ) : (
        <>
          <p>
            <span className="block text-small text-quiet">{words.account.email}</span>
            <span className="break-all">{me.email}</span>
          </p>
          {hasPassword && (
            <div className="flex max-w-100">
              <Field
                label={words.account.currentPassword}
                type="password"
                autoComplete="current-password"
                value={current}
                onText={setCurrent}
              />
            </div>
          )}
          <OneField
            label={hasPassword ? words.account.newPassword : words.account.password}
            note={words.account.passwordAbout}
            action={hasPassword ? words.account.changePassword : words.account.setPassword}
            type="password"
            autoComplete="new-password"
            minLength={10}
            maxLength={1000}
            onSubmit={async (password) => {
              await setPassword(password, current === "" ? undefined : current);
              setCurrent("");
              await client.invalidateQueries({ queryKey: SIGN_INS_KEY });
              await client.invalidateQueries({ queryKey: SESSIONS_KEY });
            }}
          />
        </>
      )}
    </Section>
  );
}
