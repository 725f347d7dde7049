import { releaseWords } from "./release-words.ts";
import { useQueryClient } from "@tanstack/react-query";
import type { Publication } from "@treadle/protocol";
import { statusOf } from "@treadle/protocol/fold";
import { visibleProse } from "@treadle/protocol/safe-text";
import { useState } from "react";
import { publicationKey, publish } from "../api/publication.ts";
import { useProjectId, useView } from "../live/live-context.tsx";
import { saveEdits } from "../project/unsaved.ts";
import { Button } from "../ui/button.tsx";
import { Field } from "../ui/field.tsx";
import { useAct } from "../ui/use-act.ts";
import { words } from "../words/words.ts";
import { MissingVariables } from "./missing-variables.tsx";
import { NotSeen } from "./not-seen.tsx";
import { choosePublishTab } from "./publish-store.ts";

type MaybePublication = Publication | null | undefined;

const isBuilding = (publication: MaybePublication) =>
  publication?.releases[0]?.state === "building";

/** Whether a release is being built or checked, or a job is running. */
export const isChanging = (publication: MaybePublication) =>
  isBuilding(publication) ||
  publication?.releases[0]?.gate?.looking === true ||
  publication?.jobs.some(({ running }) => running) === true;

/** Publishes the current files as a release. */
export function NewRelease({ publication }: { publication: Publication | null }) {
  const project = useProjectId();
  const client = useQueryClient();
  const revision = useView((view) => view.revision);
  const [name, setName] = useState("");
  const { act, busy, problem } = useAct();
  const isInProgress = isBuilding(publication);
  const current = publication?.releases.find(({ number }) => number === publication.current);
  const last = publication?.releases[0];
  // Problems found in these files still exist; the decision to publish anyway is made beside them.
  const held = last?.state === "held" && last.revision === revision;
  const status = useView(statusOf);
  const seen = status === "verified" || status === "runs";
  const isCurrent = current !== undefined && current.revision === revision;
  const send = () =>
    act(async () => {
      await saveEdits();
      const begun = await publish(project, name.trim() === "" ? undefined : name.trim());
      client.setQueryData(publicationKey(project), begun);
      // The release's progress is shown in that tab.
      choosePublishTab("releases");
    });
  return (
    <form
      className="space-y-3"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      {!publication && (
        <Field
          label={words.publish.name}
          note={words.publish.nameNote}
          value={name}
          onText={setName}
          placeholder={words.publish.namePlaceholder}
        />
      )}
      <div className="flex flex-wrap items-center gap-3">
        <Button
          type="submit"
          kind={held ? "plain" : "primary"}
          size="medium"
          disabled={busy || isInProgress || isCurrent || !seen}
        >
          {held
            ? words.publish.lookAgain
            : publication
              ? words.publish.again
              : words.publish.publish}
        </Button>
        <p role="status" className="text-small text-quiet">
          {isInProgress
            ? visibleProse(releaseWords(publication?.releases[0]) ?? words.publish.making)
            : isCurrent
              ? words.publish.stands
              : ""}
        </p>
      </div>
      <MissingVariables />
      {!seen && !isInProgress && <NotSeen status={status} />}
      {problem && (
        <p role="alert" className="text-failed">
          {problem}
        </p>
      )}
    </form>
  );
}
