import type { ProjectSettings } from "@treadle/protocol";
import { useState, type ReactNode } from "react";
import { allowHost, removeHost, setReach } from "../api/project-settings.ts";
import { Button } from "../ui/button.tsx";
import { Field } from "../ui/field.tsx";
import { useAct } from "../ui/use-act.ts";
import { SettingsRow } from "./settings-row.tsx";

function Choice({
  label,
  on,
  disabled,
  onChange,
  children,
}: {
  label: string;
  on: boolean;
  disabled: boolean;
  onChange: (on: boolean) => void;
  children: ReactNode;
}) {
  return (
    <div className="mt-2">
      <label className="flex items-center gap-2">
        <input
          type="checkbox"
          className="accent-accent"
          checked={on}
          disabled={disabled}
          onChange={(event) => onChange(event.target.checked)}
        />
        {label}
      </label>
      <div className="pl-6 text-small text-quiet">{children}</div>
    </div>
  );
}

/** The hosts that the app and its commands may reach. */
export function AllowedHostsSection({
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
        The app's server, every command and the browser that looks at the app reach these hosts,
        beside the package registry, which no page does. A change holds at once.
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
      <Choice
        label="Fonts, npm's CDNs and stock pictures"
        on={settings.staticHosts.on}
        disabled={busy}
        onChange={(on) =>
          void act(async () => onChanged(await setReach(project, { staticHosts: on })))
        }
      >
        <details>
          <summary className="cursor-pointer">
            {settings.staticHosts.hosts.length} public hosts that nobody can read back from. They
            are only asked, never sent anything.
          </summary>
          <p className="mt-1 font-mono break-words">{settings.staticHosts.hosts.join(", ")}</p>
        </details>
      </Choice>
      <Choice
        label="Hold my own browser to these hosts too"
        on={settings.limitPreview}
        disabled={busy}
        onChange={(on) =>
          void act(async () => onChanged(await setReach(project, { limitPreview: on })))
        }
      >
        In the preview. Otherwise it fetches what any page may.
      </Choice>
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
