import type { MailSecurity, MailSettings, WebhookSettings } from "@treadle/protocol";
import { useQuery } from "@tanstack/react-query";
import { useId, useState } from "react";
import {
  NOTIFICATIONS_KEY,
  readNotifications,
  saveMail,
  saveWebhook,
} from "../api/notifications.ts";
import { sentence } from "../api/request.ts";
import { Field } from "../ui/field.tsx";
import { Select } from "../ui/select.tsx";
import { languageTag, words } from "../words/words.ts";
import { ChannelForm } from "./channel-form.tsx";

/** The channels on which the server sends news of turns: a webhook and mail, both off until they are set up. */
export function NotificationChannels() {
  const { data, error } = useQuery({
    queryKey: NOTIFICATIONS_KEY,
    queryFn: ({ signal }) => readNotifications(signal),
  });
  if (error)
    return (
      <p role="alert" className="mt-4 text-small text-failed">
        {sentence(error)}
      </p>
    );
  if (!data) return null;
  const { webhook, mail } = data;
  // The keys discard what was typed in a form once its channel is saved or removed.
  return (
    <>
      <WebhookForm key={`${webhook?.url} ${webhook?.hasSecret}`} stored={webhook} />
      <MailForm key={JSON.stringify({ ...mail, last: undefined })} stored={mail} />
    </>
  );
}

function WebhookForm({ stored }: { stored: WebhookSettings | undefined }) {
  const [url, setUrl] = useState(stored?.url ?? "");
  const [secret, setSecret] = useState("");
  return (
    <ChannelForm
      channel="webhook"
      title={words.settingsPage.webhook}
      about={words.settingsPage.webhookAbout}
      last={stored?.last}
      isOn={stored !== undefined}
      isChanged={url !== (stored?.url ?? "") || secret !== ""}
      isComplete={url.trim() !== ""}
      onSave={async () => {
        const saved = await saveWebhook({ url, ...(secret === "" ? {} : { secret }) });
        setSecret("");
        return saved;
      }}
    >
      <Field label={words.settingsPage.webhookAddress} type="url" value={url} onText={setUrl} />
      <Field
        label={words.settingsPage.webhookSecret}
        type="password"
        value={secret}
        placeholder={stored?.hasSecret ? words.settingsPage.unchanged : ""}
        onText={setSecret}
      />
    </ChannelForm>
  );
}

/** The usual port of each kind of connection. */
const PORTS: Record<MailSecurity, number> = { tls: 465, starttls: 587, none: 25 };

function MailForm({ stored }: { stored: MailSettings | undefined }) {
  const before = {
    host: stored?.host ?? "",
    port: String(stored?.port ?? PORTS.starttls),
    security: stored?.security ?? ("starttls" as MailSecurity),
    user: stored?.user ?? "",
    from: stored?.from ?? "",
    to: stored?.to ?? "",
  };
  const id = useId();
  const [typed, setTyped] = useState(before);
  const [password, setPassword] = useState("");
  const set = (part: Partial<typeof before>) => setTyped({ ...typed, ...part });
  const { security, port } = typed;
  const field = (name: "host" | "port" | "user" | "from" | "to") => (
    <Field
      label={words.settingsPage.mailFields[name]}
      value={typed[name]}
      inputMode={name === "port" ? "numeric" : name === "from" || name === "to" ? "email" : "text"}
      onText={(text) => set({ [name]: text })}
    />
  );
  return (
    <ChannelForm
      channel="mail"
      title={words.settingsPage.mail}
      about={words.settingsPage.mailAbout}
      last={stored?.last}
      isOn={stored !== undefined}
      isChanged={JSON.stringify(typed) !== JSON.stringify(before) || password !== ""}
      isComplete={[typed.host, typed.from, typed.to].every(Boolean) && Number(port) > 0}
      onSave={async () => {
        const saved = await saveMail({
          ...typed,
          port: Number(port),
          language: languageTag().split("-")[0]!,
          ...(password === "" ? {} : { password }),
        });
        setPassword("");
        return saved;
      }}
    >
      {field("to")}
      {field("from")}
      {field("host")}
      <div className="flex gap-2">
        <div className="min-w-0 flex-1">
          <label htmlFor={id} className="text-small text-quiet">
            {words.settingsPage.mailSecurity}
          </label>
          <Select
            id={id}
            value={security}
            options={(Object.keys(PORTS) as MailSecurity[]).map((value) => ({
              value,
              name: words.settingsPage.mailSecurities[value],
            }))}
            onChoose={(next) =>
              set({
                security: next,
                ...(port === String(PORTS[security]) ? { port: String(PORTS[next]) } : {}),
              })
            }
            className="mt-0.5 block h-8 w-full rounded border border-edge bg-paper px-1.5 pointer-coarse:h-11"
          />
        </div>
        <div className="w-20">{field("port")}</div>
      </div>
      {field("user")}
      <Field
        label={words.settingsPage.mailPassword}
        type="password"
        value={password}
        placeholder={stored?.hasPassword ? words.settingsPage.unchanged : ""}
        onText={setPassword}
      />
    </ChannelForm>
  );
}
