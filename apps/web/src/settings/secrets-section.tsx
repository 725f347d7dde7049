import type { ProjectSettings, SecretEnvironment } from "@treadle/protocol";
import { useState } from "react";
import { putSecret, removeSecret } from "../api/project-settings.ts";
import { controlServer } from "../api/projects.ts";
import { useView } from "../live/live-context.tsx";
import { Button } from "../ui/button.tsx";
import { Field } from "../ui/field.tsx";
import { Select } from "../ui/select.tsx";
import { useAct } from "../ui/use-act.ts";
import { SettingsRow } from "./settings-row.tsx";
import { words } from "../words/words.ts";

const EMPTY = { name: "", value: "", host: "" };
const ENVIRONMENTS: readonly SecretEnvironment[] = ["both", "preview", "published"];

/** The generated app's own keys. Values are sent to the server and never returned. */
export function SecretsSection({
  project,
  settings,
  first = "both",
  onChanged,
}: {
  project: string;
  /** The environment of a new secret, unless another is selected. */
  first?: SecretEnvironment;
  settings: ProjectSettings;
  onChanged: (settings: ProjectSettings) => void;
}) {
  const [form, setForm] = useState(EMPTY);
  const [environment, setEnvironment] = useState(first);
  const [stale, setStale] = useState(false);
  const up = useView((view) => view.server?.state === "up");
  const { act, busy, problem } = useAct();
  const change = (work: () => Promise<ProjectSettings>) =>
    act(async () => {
      onChanged(await work());
      setStale(true);
    });
  const save = () =>
    change(async () => {
      const { name, value, host } = form;
      const secret = {
        value: value.trim(),
        host: host.trim() === "" ? undefined : host,
        environment,
      };
      const changed = await putSecret(project, name.trim(), secret);
      setForm(EMPTY);
      return changed;
    });
  const replaces = settings.secrets.some(
    (one) =>
      one.name === form.name.trim() && (one.environment === environment || environment === "both"),
  );
  const existing = settings.secrets.find(
    (one) => one.name === form.name.trim() && one.environment === environment,
  );
  const complete = form.name.trim() !== "" && form.value.trim() !== "";
  return (
    <section aria-labelledby="secrets">
      <h3 id="secrets" className="font-semibold">
        {words.projectSettings.secrets}
      </h3>
      <p className="mt-1 text-small text-quiet">{words.projectSettings.secretsAbout}</p>
      {settings.secrets.length > 0 && (
        <ul aria-label={words.projectSettings.secrets} className="mt-2 rounded border border-line">
          {settings.secrets.map(({ name, host, environment: secretEnvironment }) => (
            <SettingsRow
              key={`${name} ${secretEnvironment}`}
              remove={words.projectSettings.remove({
                what:
                  secretEnvironment === "both"
                    ? name
                    : `${name}, ${words.projectSettings.environments[secretEnvironment]}`,
              })}
              disabled={busy}
              onRemove={() => void change(() => removeSecret(project, name, secretEnvironment))}
            >
              <span className="font-mono break-all">{name}</span>{" "}
              <span className="text-small text-quiet">
                {host !== "" && (
                  <>
                    {words.projectSettings.forHost} <span className="break-all">{host}</span>
                  </>
                )}
                {host !== "" && secretEnvironment !== "both" && " · "}
                {secretEnvironment !== "both" &&
                  words.projectSettings.environments[secretEnvironment]}
              </span>
            </SettingsRow>
          ))}
        </ul>
      )}
      <form
        aria-label={words.projectSettings.aSecret}
        className="mt-2 space-y-2"
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <div className="flex flex-wrap gap-2">
          <div className="flex min-w-50 flex-1">
            <Field
              label={words.projectSettings.name}
              placeholder="OPENAI_API_KEY"
              value={form.name}
              onText={(name) => setForm({ ...form, name })}
            />
          </div>
          <div className="flex min-w-50 flex-1">
            <Field
              label={words.projectSettings.forTheHost}
              placeholder={existing?.host || "api.openai.com"}
              value={form.host}
              onText={(host) => setForm({ ...form, host })}
            />
          </div>
        </div>
        <label className="block text-small text-quiet">
          {words.projectSettings.environment}
          <Select
            value={environment}
            options={ENVIRONMENTS.map((value) => ({
              value,
              name: words.projectSettings.environments[value],
            }))}
            onChoose={setEnvironment}
            className="mt-0.5 block h-8 w-full rounded border border-edge bg-paper px-2 text-base text-ink pointer-coarse:h-11"
          />
        </label>
        <div className="flex items-end gap-2">
          <Field
            label={words.projectSettings.value}
            type="password"
            placeholder={replaces ? words.projectSettings.takesPlace : ""}
            value={form.value}
            onText={(value) => setForm({ ...form, value })}
          />
          <Button size="medium" type="submit" disabled={busy || !complete}>
            {replaces ? words.projectSettings.replace : words.projectSettings.keep}
          </Button>
        </div>
      </form>
      {problem && (
        <p role="alert" className="mt-1 text-small text-failed">
          {problem}
        </p>
      )}
      {stale && up && (
        <p role="status" className="mt-2 flex flex-wrap items-center gap-2 text-small text-quiet">
          {words.projectSettings.learnsLater}
          <Button
            disabled={busy}
            onClick={() =>
              void act(async () => {
                await controlServer(project, "restart");
                setStale(false);
              })
            }
          >
            {words.projectSettings.restart}
          </Button>
        </p>
      )}
    </section>
  );
}
