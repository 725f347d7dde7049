import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { AuditForwarding } from "@treadle/protocol";
import { useState } from "react";
import { Section } from "../account/section.tsx";
import { FORWARDING_KEY, readForwarding, setForwarding } from "../api/people.ts";
import { Button } from "../ui/button.tsx";
import { Field } from "../ui/field.tsx";
import { formatDateTime } from "../ui/format.ts";
import { useAct } from "../ui/use-act.ts";
import { words } from "../words/words.ts";

/** The usual port of syslog over TLS (RFC 5425). */
const TLS_PORT = "6514";

/** The targets to which the audit log is forwarded. */
export function ForwardingSection() {
  const { data, error } = useQuery({
    queryKey: FORWARDING_KEY,
    queryFn: ({ signal }) => readForwarding(signal),
  });
  return (
    <Section title={words.audit.forwarding} about={words.audit.forwardingAbout} problem={error}>
      {data && <ForwardingForm forwarding={data} />}
    </Section>
  );
}

export function ForwardingForm({ forwarding }: { forwarding: AuditForwarding }) {
  const client = useQueryClient();
  const { act, busy, problem } = useAct();
  const { webhook, syslog, isSigned, last } = forwarding;
  const [fields, setFields] = useState({
    url: webhook?.url ?? "",
    secret: "",
    host: syslog?.host ?? "",
    port: syslog ? String(syslog.port) : TLS_PORT,
  });
  const [tls, setTls] = useState(syslog?.tls ?? true);
  const field = (name: keyof typeof fields) => ({
    value: fields[name],
    onText: (text: string) => setFields({ ...fields, [name]: text }),
  });
  const save = () =>
    act(async () => {
      const { url, secret, host, port } = fields;
      await setForwarding({
        ...(url.trim() === "" ? {} : { webhook: { url: url.trim() } }),
        ...(secret === "" ? {} : { secret }),
        ...(host.trim() === "" ? {} : { syslog: { host: host.trim(), port: Number(port), tls } }),
      });
      setFields({ ...fields, secret: "" });
      await client.invalidateQueries({ queryKey: FORWARDING_KEY });
    });
  return (
    <form
      className="space-y-2"
      onSubmit={(event) => {
        event.preventDefault();
        if (!busy) void save();
      }}
    >
      <div className="flex flex-wrap gap-2">
        <Field label={words.audit.webhook} type="url" {...field("url")} />
        <Field
          label={words.audit.secret}
          type="password"
          {...(isSigned ? { note: words.audit.secretSet } : {})}
          {...field("secret")}
        />
      </div>
      <div className="flex flex-wrap items-end gap-2">
        <Field label={words.audit.syslogHost} {...field("host")} />
        <div className="flex w-24">
          <Field label={words.audit.port} type="number" min={1} max={65_535} {...field("port")} />
        </div>
        <label className="flex h-8 items-center gap-1.5 pointer-coarse:h-11">
          <input type="checkbox" checked={tls} onChange={(event) => setTls(event.target.checked)} />
          {words.audit.tls}
        </label>
        <Button type="submit" size="medium" disabled={busy}>
          {words.audit.save}
        </Button>
      </div>
      {(["webhook", "syslog"] as const).map((kind) => {
        const outcome = last[kind];
        if (!outcome) return null;
        const name = kind === "webhook" ? words.audit.webhookName : words.audit.syslogName;
        const when = formatDateTime(outcome.at);
        return (
          <p
            key={kind}
            className={`text-small ${outcome.failure === undefined ? "text-quiet" : "text-failed"}`}
          >
            {outcome.failure === undefined
              ? words.audit.arrived({ name, when })
              : words.audit.failed({ name, when, why: outcome.failure })}
          </p>
        );
      })}
      {problem && (
        <p role="alert" className="text-small text-failed">
          {problem}
        </p>
      )}
    </form>
  );
}
