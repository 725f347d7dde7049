import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import {
  beginCode,
  confirmCode,
  readSignInRules,
  readSignIns,
  removeSignIn,
  renewRecoveryCodes,
  SIGN_IN_RULES_KEY,
} from "../api/account.ts";
import { Button } from "../ui/button.tsx";
import { Confirm } from "../ui/confirm.tsx";
import { CopyButton } from "../ui/copy-button.tsx";
import { Field } from "../ui/field.tsx";
import { formatDateTime } from "../ui/format.ts";
import { useAct } from "../ui/use-act.ts";
import { words } from "../words/words.ts";
import { SIGN_INS_KEY } from "./identity-section.tsx";
import { QrCode } from "./qr-code.tsx";
import { RecoveryCodes } from "./recovery-codes.tsx";
import { Row, Rows, Section } from "./section.tsx";

/** The authenticator app for the second step of signing in with a password: its setup, its state and its removal. */
export function AuthenticatorSection() {
  const client = useQueryClient();
  const { data, error } = useQuery({
    queryKey: SIGN_INS_KEY,
    queryFn: ({ signal }) => readSignIns(signal),
  });
  const refresh = () => client.invalidateQueries({ queryKey: SIGN_INS_KEY });
  const [begun, setBegun] = useState<{ secret: string; address: string }>();
  const rules = useQuery({
    queryKey: SIGN_IN_RULES_KEY,
    queryFn: ({ signal }) => readSignInRules(signal),
  });
  const isRequired = rules.data?.secondFactor ?? false;
  const [codes, setCodes] = useState<readonly string[]>();
  const [removing, setRemoving] = useState(false);
  const { act, busy, problem } = useAct();
  const app = data?.methods.find(({ kind }) => kind === "totp");
  const recovery = data?.methods.find(({ kind }) => kind === "recovery");
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
          <Row
            name={words.account.recovery}
            about={`${words.account.recoveryLeft({ amount: recovery?.left ?? 0 })} · ${words.account.recoveryAbout}`}
          >
            <Button
              kind="quiet"
              disabled={busy}
              onClick={() =>
                void act(async () => {
                  setCodes((await renewRecoveryCodes()).recoveryCodes);
                  await refresh();
                })
              }
            >
              {words.account.newCodes}
            </Button>
          </Row>
        </Rows>
      )}
      {codes && app && <RecoveryCodes codes={codes} />}
      {isRequired && <p className="text-small text-quiet">{words.account.codeRequired}</p>}
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
          onDone={async (made) => {
            setBegun(undefined);
            setCodes(made);
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
          {isRequired ? words.account.codeRequired : words.account.removeAppAbout}
        </Confirm>
      )}
    </Section>
  );
}

/** The secret as a QR code and as text, and a field for the first code, which proves that the app has the secret. */
export function ConfirmCode({
  secret,
  address,
  onDone,
  onCancel,
}: {
  secret: string;
  address: string;
  onDone: (recoveryCodes: readonly string[]) => Promise<void>;
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
          await onDone((await confirmCode(code.replace(/\s/g, ""))).recoveryCodes);
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
