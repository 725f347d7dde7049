import { useQueryClient } from "@tanstack/react-query";
import type { ProjectSettings, Publication } from "@treadle/protocol";
import { useState } from "react";
import {
  missingVariablesKey,
  publicationKey,
  setBrowserReports,
  unpublish,
} from "../api/publication.ts";
import { useProjectId } from "../live/live-context.tsx";
import { Button } from "../ui/button.tsx";
import { Confirm } from "../ui/confirm.tsx";
import { useAct } from "../ui/use-act.ts";
import { words } from "../words/words.ts";
import { SecretsSection } from "../settings/secrets-section.tsx";
import { useProjectSettings } from "../settings/use-project-settings.ts";
import { AppReach } from "./app-reach.tsx";
import { Domains } from "./domains.tsx";
import { OwnPort } from "./own-port.tsx";

/** Settings of the published app that apply to all releases. */
export function PublicationSettings({ publication }: { publication: Publication }) {
  return (
    <>
      <Domains publication={publication} />
      <OwnPort publication={publication} />
      <Secrets />
      <AppReach publication={publication} />
      <BrowserReports publication={publication} />
      <TakeDown name={publication.name} />
    </>
  );
}

function Secrets() {
  const project = useProjectId();
  const { settings, show } = useProjectSettings(project);
  const client = useQueryClient();
  const onChanged = (changed: ProjectSettings) => {
    show(changed);
    void client.invalidateQueries({ queryKey: missingVariablesKey(project) });
  };
  return (
    settings && (
      <SecretsSection
        project={project}
        settings={settings}
        first="published"
        onChanged={onChanged}
      />
    )
  );
}

function BrowserReports({ publication: { browserReports } }: { publication: Publication }) {
  const project = useProjectId();
  const client = useQueryClient();
  const { act, busy, problem } = useAct();
  const set = (on: boolean) =>
    act(async () =>
      client.setQueryData(publicationKey(project), await setBrowserReports(project, on)),
    );
  return (
    <section aria-labelledby="browser-reports">
      <h3 id="browser-reports" className="font-semibold">
        {words.publish.browserErrors}
      </h3>
      <label className="mt-1 flex items-center gap-2">
        <input
          type="checkbox"
          className="accent-accent"
          checked={browserReports !== "off"}
          disabled={busy}
          onChange={(event) => void set(event.target.checked)}
        />
        {words.publish.tellErrors}
      </label>
      <p className="mt-1 text-small text-quiet">
        {browserReports === "refused"
          ? words.publish.reportsRefused
          : words.publish.tellErrorsAbout}
      </p>
      {problem && (
        <p role="alert" className="text-small text-failed">
          {problem}
        </p>
      )}
    </section>
  );
}

function TakeDown({ name }: { name: string }) {
  const project = useProjectId();
  const client = useQueryClient();
  const [asking, setAsking] = useState(false);
  return (
    <section aria-labelledby="take-down" className="border-t border-line pt-4">
      <h3 id="take-down" className="font-semibold">
        {words.publish.takeDown}
      </h3>
      <p className="mt-1 mb-2 text-small text-quiet">{words.publish.takeDownAbout}</p>
      <Button kind="danger" onClick={() => setAsking(true)}>
        {words.publish.takeDown}
      </Button>
      <Confirm
        open={asking}
        onClose={() => setAsking(false)}
        title={words.publish.takeDownAsk({ name })}
        action={words.publish.takeDown}
        onConfirm={async () => {
          await unpublish(project);
          client.setQueryData(publicationKey(project), null);
        }}
      >
        {words.publish.takeDownAbout}
      </Confirm>
    </section>
  );
}
