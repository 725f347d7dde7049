import { Dialog } from "@base-ui/react/dialog";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { Publication } from "@treadle/protocol";
import { visibleProse } from "@treadle/protocol/safe-text";
import { useState } from "react";
import { publicationKey, publish, readPublication, unpublish } from "../api/publication.ts";
import { sentence } from "../api/request.ts";
import { useProjectId, useView } from "../live/live-context.tsx";
import { saveEdits } from "../project/unsaved.ts";
import { Button } from "../ui/button.tsx";
import { Confirm } from "../ui/confirm.tsx";
import { DialogHead } from "../ui/dialog-head.tsx";
import { Field } from "../ui/field.tsx";
import { useAct } from "../ui/use-act.ts";
import { words } from "../words/words.ts";
import { AppErrors } from "./app-errors.tsx";
import { Domains } from "./domains.tsx";
import { PublicAddress } from "./public-address.tsx";
import { ReleaseList } from "./release-list.tsx";

/** While a release is made, and otherwise, in milliseconds. */
const POLL_MS = 600;
const REST_MS = 5_000;

/** How the project is published: its address, its releases, and a new one. */
export default function PublishDialog({ onClose }: { onClose: () => void }) {
  const project = useProjectId();
  const { data, error } = useQuery({
    queryKey: publicationKey(project),
    queryFn: ({ signal }) => readPublication(project, signal),
    refetchInterval: ({ state }) => (isChanging(state.data) ? POLL_MS : REST_MS),
  });
  return (
    <Dialog.Root open onOpenChange={(next) => !next && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="dim z-40" />
        <Dialog.Popup className="floating fixed top-[8vh] left-1/2 z-50 max-h-[84vh] w-120 max-w-[calc(100vw-16px)] -translate-x-1/2 overflow-y-auto">
          <DialogHead title={words.publish.publish} />
          <div className="space-y-4 p-4">
            {error && <p className="text-failed">{sentence(error)}</p>}
            {data !== undefined && <Published publication={data} onClose={onClose} />}
          </div>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

const isGoing = (publication: Publication | null | undefined) =>
  publication?.releases[0]?.state === "building";

const isChanging = (publication: Publication | null | undefined) =>
  isGoing(publication) || publication?.releases[0]?.gate?.looking === true;

function Published({
  publication,
  onClose,
}: {
  publication: Publication | null;
  onClose: () => void;
}) {
  const current = publication?.releases.find(({ number }) => number === publication.current);
  return (
    <>
      {publication && current ? (
        <Address publication={publication} />
      ) : (
        <p className="text-quiet">{words.publish.about}</p>
      )}
      <NewRelease publication={publication} />
      {publication && <AppErrors errors={publication.errors} onDone={onClose} />}
      {publication && <ReleaseList publication={publication} onFix={onClose} />}
      {publication && current && <Domains publication={publication} />}
      {publication && <TakeDown name={publication.name} />}
    </>
  );
}

function Address({ publication: { address, app, requests } }: { publication: Publication }) {
  return (
    <section aria-label={words.publish.address}>
      <PublicAddress address={address} />
      <p className="numbers mt-1 text-small text-quiet">
        {app ? words.publish.apps[app] : words.publish.site} {words.publish.requests(requests)}
      </p>
    </section>
  );
}

/** Makes a release of the files as they stand. */
function NewRelease({ publication }: { publication: Publication | null }) {
  const project = useProjectId();
  const client = useQueryClient();
  const revision = useView((view) => view.revision);
  const [name, setName] = useState("");
  const { act, busy, problem } = useAct();
  const going = isGoing(publication);
  const current = publication?.releases.find(({ number }) => number === publication.current);
  const stands = current !== undefined && current.revision === revision;
  const send = () =>
    act(async () => {
      await saveEdits();
      const begun = await publish(project, name.trim() === "" ? undefined : name.trim());
      client.setQueryData(publicationKey(project), begun);
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
        <Button type="submit" kind="primary" size="medium" disabled={busy || going || stands}>
          {publication ? words.publish.again : words.publish.publish}
        </Button>
        <p role="status" className="text-small text-quiet">
          {going
            ? visibleProse(publication?.releases[0]?.said ?? words.publish.making)
            : stands
              ? words.publish.stands
              : ""}
        </p>
      </div>
      {problem && (
        <p role="alert" className="text-failed">
          {problem}
        </p>
      )}
    </form>
  );
}

function TakeDown({ name }: { name: string }) {
  const project = useProjectId();
  const client = useQueryClient();
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Button kind="quiet" onClick={() => setAsking(true)}>
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
    </>
  );
}
