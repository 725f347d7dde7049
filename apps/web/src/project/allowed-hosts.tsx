import type { ProjectSettings } from "@treadle/protocol";
import { useState } from "react";
import { allowHost, removeHost } from "../api/project-settings.ts";
import { Button } from "../ui/button.tsx";
import { Field } from "../ui/field.tsx";
import { useAct } from "../ui/use-act.ts";
import { SettingsRow } from "./settings-row.tsx";

/** The hosts that the app and its commands may reach. */
export function AllowedHosts({
  project,
  settings,
  onChanged,
}: {
  project: string;
  settings: ProjectSettings;
  onChanged: (settings: ProjectSettings) => void;
}) {
  const [host, setHost] = useState("");
  const { act, busy, problem } = useAct();
  const add = () =>
    act(async () => {
      onChanged(await allowHost(project, host));
      setHost("");
    });
  return (
    <section aria-labelledby="allowed-hosts">
      <h3 id="allowed-hosts" className="font-semibold">
        Allowed hosts
      </h3>
      <p className="mt-1 text-small text-quiet">
        The app's server and every command reach the package registry and these hosts, nothing else.
        A change holds at once. What a visitor's browser fetches is not limited.
      </p>
      {settings.hosts.length > 0 && (
        <ul aria-label="Allowed hosts" className="mt-2 rounded border border-line">
          {settings.hosts.map((one) => (
            <SettingsRow
              key={one}
              remove={`Remove ${one}`}
              disabled={busy}
              onRemove={() => void act(async () => onChanged(await removeHost(project, one)))}
            >
              <span className="font-mono break-all">{one}</span>
            </SettingsRow>
          ))}
        </ul>
      )}
      <form
        className="mt-2 flex items-end gap-2"
        onSubmit={(event) => {
          event.preventDefault();
          void add();
        }}
      >
        <Field
          label="Host"
          placeholder="api.example.com, or *.example.com"
          value={host}
          onText={setHost}
        />
        <Button size="medium" type="submit" disabled={busy || host.trim() === ""}>
          Allow
        </Button>
      </form>
      {problem && (
        <p role="alert" className="mt-1 text-small text-failed">
          {problem}
        </p>
      )}
    </section>
  );
}
