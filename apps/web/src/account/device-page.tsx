import type { DeviceRequest } from "@treadle/protocol";
import { useState } from "react";
import { answerDevice, describeDevice } from "../api/account.ts";
import { Button } from "../ui/button.tsx";
import { Field } from "../ui/field.tsx";
import { useAct } from "../ui/use-act.ts";
import { words } from "../words/words.ts";

/** The page on which a person allows a program to act for them, by the code that the program shows. */
export function DevicePage() {
  const [code, setCode] = useState("");
  const [request, setRequest] = useState<DeviceRequest>();
  const [answer, setAnswer] = useState<"allowed" | "refused">();
  const { act, busy, problem } = useAct();
  const send = (allow: boolean) =>
    act(async () => {
      await answerDevice(code, allow);
      setAnswer(allow ? "allowed" : "refused");
    });
  return (
    <main id="main" tabIndex={-1} className="mx-auto w-full max-w-120 px-4 pt-16 outline-none">
      <h1 className="mb-4 text-title font-semibold">{words.account.device}</h1>
      {answer ? (
        <p role="status">{words.account.deviceAnswers[answer]}</p>
      ) : request ? (
        <DeviceQuestion request={request} busy={busy} onAnswer={(allow) => void send(allow)} />
      ) : (
        <form
          className="flex items-end gap-2"
          onSubmit={(event) => {
            event.preventDefault();
            if (!busy) void act(async () => setRequest(await describeDevice(code)));
          }}
        >
          <Field
            label={words.account.deviceCode}
            value={code}
            onText={setCode}
            maxLength={40}
            required
          />
          <Button type="submit" kind="primary" size="medium" disabled={busy || code.trim() === ""}>
            {words.account.deviceNext}
          </Button>
        </form>
      )}
      {problem && (
        <p role="alert" className="mt-2 text-small text-failed">
          {problem}
        </p>
      )}
    </main>
  );
}

/** The program that asks and the permissions that it asks for, with the buttons to allow or refuse. */
export function DeviceQuestion({
  request: { name, scopes, days },
  busy,
  onAnswer,
}: {
  request: DeviceRequest;
  busy: boolean;
  onAnswer: (allow: boolean) => void;
}) {
  return (
    <>
      <p className="break-words">
        {words.account.deviceAsks({
          name,
          scopes: scopes.map((scope) => words.account.scopes[scope]).join(", "),
          days,
        })}
      </p>
      <p className="mt-2 text-small text-quiet">{words.account.deviceWarning}</p>
      <div className="mt-4 flex gap-2">
        <Button kind="primary" size="medium" disabled={busy} onClick={() => onAnswer(true)}>
          {words.account.deviceAllow}
        </Button>
        <Button size="medium" disabled={busy} onClick={() => onAnswer(false)}>
          {words.account.deviceRefuse}
        </Button>
      </div>
    </>
  );
}
