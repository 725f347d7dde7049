import type { ProjectSettings } from "@treadle/protocol";
import { useState, type ReactNode } from "react";
import { doOrAsk } from "../api/reviews.ts";
import { notice } from "../ui/notice.ts";
import { allowHost, removeHost, setReach, setRunsIn } from "../api/project-settings.ts";
import { Button } from "../ui/button.tsx";
import { Field } from "../ui/field.tsx";
import { useAct } from "../ui/use-act.ts";
import { SettingsRow } from "./settings-row.tsx";
import { words } from "../words/words.ts";

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
      const done = await doOrAsk(() => allowHost(project, host), project, { kind: "host", host });
      if (done) onChanged(done);
      else notice(words.reviews.sent);
      setHost("");
    });
  return (
    <section aria-labelledby="allowed-hosts">
      <h3 id="allowed-hosts" className="font-semibold">
        {words.projectSettings.hosts}
      </h3>
      <p className="mt-1 text-small text-quiet">{words.projectSettings.hostsAbout}</p>
      {settings.hosts.length > 0 && (
        <ul aria-label={words.projectSettings.hosts} className="mt-2 rounded border border-line">
          {settings.hosts.map((one) => (
            <SettingsRow
              key={one}
              remove={words.projectSettings.remove({ what: one })}
              disabled={busy}
              onRemove={() => void act(async () => onChanged(await removeHost(project, one)))}
            >
              <span className="font-mono break-all">{one}</span>
            </SettingsRow>
          ))}
        </ul>
      )}
      <Choice
        label={words.projectSettings.staticHosts}
        on={settings.staticHosts.on}
        disabled={busy}
        onChange={(on) =>
          void act(async () => onChanged(await setReach(project, { staticHosts: on })))
        }
      >
        <details>
          <summary className="cursor-pointer">
            {words.projectSettings.staticAbout({ amount: settings.staticHosts.hosts.length })}
          </summary>
          <p className="mt-1 font-mono break-words">{settings.staticHosts.hosts.join(", ")}</p>
        </details>
      </Choice>
      <Choice
        label={words.projectSettings.limitBrowser}
        on={settings.limitPreview}
        disabled={busy}
        onChange={(on) =>
          void act(async () => onChanged(await setReach(project, { limitPreview: on })))
        }
      >
        {words.projectSettings.limitAbout}
      </Choice>
      <Choice
        label={words.projectSettings.runsInTab}
        on={settings.runsIn === "tab"}
        disabled={busy}
        onChange={(on) =>
          void act(async () => onChanged(await setRunsIn(project, on ? "tab" : "machine")))
        }
      >
        {words.projectSettings.runsInTabAbout}{" "}
        {settings.runsIn === "tab" && (
          // Opens in its own tab with a full page load, because it is isolated from every other page.
          <a className="underline" href={`/tab/${project}`} target="_blank" rel="noopener">
            {words.projectSettings.openTab}
          </a>
        )}
      </Choice>
      <form
        className="mt-2 flex items-end gap-2"
        onSubmit={(event) => {
          event.preventDefault();
          void add();
        }}
      >
        <Field
          label={words.projectSettings.host}
          placeholder={words.projectSettings.hostHint}
          value={host}
          onText={setHost}
        />
        <Button size="medium" type="submit" disabled={busy || host.trim() === ""}>
          {words.projectSettings.allow}
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
