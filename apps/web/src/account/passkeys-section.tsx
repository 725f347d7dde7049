import { browserSupportsWebAuthn, startRegistration } from "@simplewebauthn/browser";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { SignInMethod } from "@treadle/protocol";
import { useState } from "react";
import {
  addPasskey,
  beginPasskey,
  readSignIns,
  removeSignIn,
  renamePasskey,
} from "../api/account.ts";
import { Button } from "../ui/button.tsx";
import { Confirm } from "../ui/confirm.tsx";
import { Field } from "../ui/field.tsx";
import { formatAgo, formatDateTime } from "../ui/format.ts";
import { RenameField } from "../ui/rename-field.tsx";
import { useAct } from "../ui/use-act.ts";
import { useNow } from "../ui/use-now.ts";
import { words } from "../words/words.ts";
import { browserOf } from "./browser-of.ts";
import { SIGN_INS_KEY } from "./identity-section.tsx";
import { Row, Rows, Section } from "./section.tsx";

/** Maximum length of a passkey's name, in characters, as the server's. */
const NAME_CHARS = 100;

/** The person's passkeys, and a form that adds one on this device. */
export function PasskeysSection() {
  const client = useQueryClient();
  const { data, error } = useQuery({
    queryKey: SIGN_INS_KEY,
    queryFn: ({ signal }) => readSignIns(signal),
  });
  const refresh = () => client.invalidateQueries({ queryKey: SIGN_INS_KEY });
  return (
    <Section title={words.account.passkeys} about={words.account.passkeysAbout} problem={error}>
      <PasskeyList
        passkeys={data?.methods.filter(({ kind }) => kind === "passkey") ?? []}
        onChanged={refresh}
      />
      {browserSupportsWebAuthn() ? (
        <AddPasskey onAdded={refresh} />
      ) : (
        <p className="text-small text-quiet">{words.account.passkeysUnsupported}</p>
      )}
    </Section>
  );
}

export function PasskeyList({
  passkeys,
  onChanged,
}: {
  passkeys: readonly SignInMethod[];
  onChanged: () => Promise<unknown>;
}) {
  const now = useNow(30_000);
  const [removing, setRemoving] = useState<SignInMethod>();
  const [renaming, setRenaming] = useState<string>();
  const { act, problem } = useAct();
  const rename = async (id: string, name: string) => {
    setRenaming(undefined);
    await act(async () => {
      await renamePasskey(id, name);
      await onChanged();
    });
  };
  return (
    <>
      <Rows name={words.account.passkeys}>
        {passkeys.map((passkey) => (
          <Row
            key={passkey.id}
            name={
              renaming === passkey.id ? (
                <RenameField
                  name={passkey.name}
                  label={words.account.passkeyNewName}
                  maxLength={NAME_CHARS}
                  onDone={(name) => rename(passkey.id, name)}
                  onCancel={() => setRenaming(undefined)}
                />
              ) : (
                passkey.name
              )
            }
            about={[
              words.account.since({ when: formatDateTime(passkey.createdAt) }),
              passkey.usedAt === undefined
                ? words.account.neverUsed
                : words.account.seen({ when: formatAgo(passkey.usedAt, now) }),
            ].join(" · ")}
          >
            <Button
              kind="quiet"
              aria-label={words.account.renameNamed({ name: passkey.name })}
              onClick={() => setRenaming(passkey.id)}
            >
              {words.account.rename}
            </Button>
            <Button
              kind="quiet"
              aria-label={words.account.removeNamed({ name: passkey.name })}
              onClick={() => setRemoving(passkey)}
            >
              {words.account.remove}
            </Button>
          </Row>
        ))}
      </Rows>
      {problem && (
        <p role="alert" className="text-small text-failed">
          {problem}
        </p>
      )}
      {removing && (
        <Confirm
          open
          onClose={() => setRemoving(undefined)}
          title={words.account.removePasskeyAsk({ name: removing.name })}
          action={words.account.remove}
          onConfirm={async () => {
            await removeSignIn(removing.id);
            await onChanged();
          }}
        >
          {words.account.removePasskeyAbout}
        </Confirm>
      )}
    </>
  );
}

function AddPasskey({ onAdded }: { onAdded: () => Promise<unknown> }) {
  const [name, setName] = useState(() => browserOf(navigator.userAgent).slice(0, NAME_CHARS));
  const { act, busy, problem } = useAct();
  const add = () =>
    act(async () => {
      const { options } = await beginPasskey();
      const response = await startRegistration({ optionsJSON: options }).catch(ignoreCancelled);
      if (!response) return;
      await addPasskey(name.trim(), response);
      await onAdded();
    });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (!busy) void add();
      }}
    >
      <div className="flex max-w-100 items-end gap-2">
        <Field
          label={words.account.passkeyName}
          maxLength={NAME_CHARS}
          required
          value={name}
          onText={setName}
        />
        <Button type="submit" size="medium" disabled={busy || name.trim() === ""}>
          {words.account.addPasskey}
        </Button>
      </div>
      {problem && (
        <p role="alert" className="mt-0.5 text-small text-failed">
          {problem}
        </p>
      )}
    </form>
  );
}

/** Ignores an error after which the browser's dialog was closed or showed the reason itself; rethrows any other. */
function ignoreCancelled(error: unknown): undefined {
  const isBrowsers = error instanceof Error && error.name === "NotAllowedError";
  if (!isBrowsers) throw error;
}
