import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { beginCode, confirmCode, readSignIns, removeSignIn } from "../api/account.ts";
import { Button } from "../ui/button.tsx";
import { Confirm } from "../ui/confirm.tsx";
import { CopyButton } from "../ui/copy-button.tsx";
import { Field } from "../ui/field.tsx";
import { formatDateTime } from "../ui/format.ts";
import { useAct } from "../ui/use-act.ts";
import { words } from "../words/words.ts";
import { SIGN_INS_KEY } from "./identity-section.tsx";
import { QrCode } from "./qr-code.tsx";
import { Row, Rows, Section } from "./section.tsx";

/** The second step of signing in with a password: set up, shown, removed. */
export function AuthenticatorSection() {
  const client = useQueryClient();
  const { data, error } = useQuery({
    queryKey: SIGN_INS_KEY,
    queryFn: ({ signal }) => readSignIns(signal),
  });
  const refresh = () => client.invalidateQueries({ queryKey: SIGN_INS_KEY });
  const [begun, setBegun] = useState<{ secret: string; address: string }>();
  const [removing, setRemoving] = useState(false);
  const { act, busy, problem } = useAct();
  const app = data?.methods.find(({ kind }) => kind === "totp");
  return (
    <Section
      title={words.account.authenticator}
      about={words.account.authenticatorAbout}
      problem={error ?? problem}
    >
      {app && (
        <Rows name={words.account.authenticator}>
          <Row
            name={words.account.authenticatorOn}
            about={words.account.since({ when: formatDateTime(app.createdAt) })}
          >
            <Button kind="quiet" onClick={() => setRemoving(true)}>
              {words.account.remove}
            </Button>
          </Row>
        </Rows>
      )}
      {data && !app && !begun && (
        <Button
          size="medium"
          disabled={busy}
          onClick={() => void act(async () => setBegun(await beginCode()))}
        >
          {words.account.setUp}
        </Button>
      )}
      {begun && (
        <ConfirmCode
          {...begun}
          onDone={async () => {
            setBegun(undefined);
            await refresh();
          }}
          onCancel={() => setBegun(undefined)}
        />
      )}
      {app && (
        <Confirm
          open={removing}
          onClose={() => setRemoving(false)}
          title={words.account.removeAppAsk}
          action={words.account.remove}
          onConfirm={async () => {
            await removeSignIn(app.id);
            await refresh();
          }}
        >
          {words.account.removeAppAbout}
        </Confirm>
      )}
    </Section>
  );
}

/** The secret as a picture and as text, and the first code, which shows that the app has it. */
export function ConfirmCode({
  secret,
  address,
  onDone,
  onCancel,
}: {
  secret: string;
  address: string;
  onDone: () => Promise<void>;
  onCancel: () => void;
}) {
  const [code, setCode] = useState("");
  const { act, busy, problem } = useAct();
  return (
    <form
      className="flex flex-wrap gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        void act(async () => {
          await confirmCode(code.replace(/\s/g, ""));
          await onDone();
        });
      }}
    >
      <QrCode text={address} name={words.account.qrCode} />
      <div className="min-w-60 flex-1 space-y-2">
        <p>{words.account.scan}</p>
        <p className="text-small text-quiet">{words.account.orType}</p>
        <div className="flex items-center gap-1">
          <code className="font-mono break-all select-all">{secret}</code>
          <CopyButton name={words.account.copySecret} text={() => secret} />
        </div>
        <div className="max-w-40">
          <Field
            label={words.account.firstCode}
            value={code}
            onText={setCode}
            inputMode="numeric"
            autoComplete="one-time-code"
            maxLength={10}
          />
        </div>
        {problem && (
          <p role="alert" className="text-small text-failed">
            {problem}
          </p>
        )}
        <div className="flex gap-2">
          <Button type="submit" kind="primary" size="medium" disabled={busy || code.trim() === ""}>
            {words.account.confirm}
          </Button>
          <Button kind="quiet" size="medium" onClick={onCancel}>
            {words.account.cancel}
          </Button>
        </div>
      </div>
    </form>
  );
}
