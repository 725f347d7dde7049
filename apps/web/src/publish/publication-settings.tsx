import { useQueryClient } from "@tanstack/react-query";
import type { Publication } from "@treadle/protocol";
import { useState } from "react";
import { publicationKey, unpublish } from "../api/publication.ts";
import { useProjectId } from "../live/live-context.tsx";
import { Button } from "../ui/button.tsx";
import { Confirm } from "../ui/confirm.tsx";
import { words } from "../words/words.ts";
import { SecretsSection } from "../settings/secrets-section.tsx";
import { useProjectSettings } from "../settings/use-project-settings.ts";
import { AppReach } from "./app-reach.tsx";
import { Domains } from "./domains.tsx";

/** What holds for the published app, whichever of its releases is answered with. */
export function PublicationSettings({ publication }: { publication: Publication }) {
  return (
    <>
      <Domains publication={publication} />
      <Secrets />
      <AppReach publication={publication} />
      <TakeDown name={publication.name} />
    </>
  );
}

function Secrets() {
  const project = useProjectId();
  const { settings, show } = useProjectSettings(project);
  return (
    settings && (
      <SecretsSection project={project} settings={settings} first="published" onChanged={show} />
    )
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
        title={words.publish.takeDownAsk(name)}
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
