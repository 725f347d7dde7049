import { useQuery } from "@tanstack/react-query";
import { publicationKey, readPublication } from "../api/publication.ts";
import { sentence } from "../api/request.ts";
import { useProjectId } from "../live/live-context.tsx";
import { DialogBox } from "../ui/dialog-box.tsx";
import { words } from "../words/words.ts";
import { isChanging, NewRelease } from "./new-release.tsx";
import { PublishTabs } from "./publish-tabs.tsx";

/** Polling intervals while a release is being made, and otherwise, in milliseconds. */
const POLL_MS = 600;
const REST_MS = 5_000;

/** The project's publication: its address and the button for a new release on top, the rest in tabs. */
export default function PublishDialog({ onClose }: { onClose: () => void }) {
  const project = useProjectId();
  const { data, error } = useQuery({
    queryKey: publicationKey(project),
    queryFn: ({ signal }) => readPublication(project, signal),
    refetchInterval: ({ state }) => (isChanging(state.data) ? POLL_MS : REST_MS),
  });
  // A fixed height, so that switching tabs does not move the dialog.
  const height = data ? "h-[84dvh] sm:h-[min(84dvh,44rem)]" : "max-h-[84dvh]";
  return (
    <DialogBox
      onClose={onClose}
      ready={data !== undefined}
      title={words.publish.publish}
      className={`top-[8dvh] flex w-160 max-w-[calc(100vw-16px)] flex-col overflow-y-auto ${height}`}
    >
      {error && <p className="p-4 text-failed">{sentence(error)}</p>}
      {data === null && (
        <div className="space-y-4 p-4">
          <p className="text-quiet">{words.publish.about}</p>
          <NewRelease publication={null} />
        </div>
      )}
      {data && <PublishTabs publication={data} onClose={onClose} />}
    </DialogBox>
  );
}
