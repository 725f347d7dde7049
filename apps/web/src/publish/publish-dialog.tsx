import { useQuery } from "@tanstack/react-query";
import { publicationKey, readPublication } from "../api/publication.ts";
import { sentence } from "../api/request.ts";
import { useProjectId } from "../live/live-context.tsx";
import { DialogBox } from "../ui/dialog-box.tsx";
import { words } from "../words/words.ts";
import { isChanging, NewRelease } from "./new-release.tsx";
import { PublishTabs } from "./publish-tabs.tsx";

/** While a release is made, and otherwise, in milliseconds. */
const POLL_MS = 600;
const REST_MS = 5_000;

/** How the project is published: its address and a new release above, all else of it in tabs. */
export default function PublishDialog({ onClose }: { onClose: () => void }) {
  const project = useProjectId();
  const { data, error } = useQuery({
    queryKey: publicationKey(project),
    queryFn: ({ signal }) => readPublication(project, signal),
    refetchInterval: ({ state }) => (isChanging(state.data) ? POLL_MS : REST_MS),
  });
  // What is chosen changes what is below it, and nothing of where it is.
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
