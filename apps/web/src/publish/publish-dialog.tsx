import { useQuery } from "@tanstack/react-query";
import { publicationKey, readPublication } from "../api/publication.ts";
import { sentence } from "../api/request.ts";
import { useProjectId } from "../live/live-context.tsx";
import { DialogBox } from "../ui/dialog-box.tsx";
import { words } from "../words/words.ts";
import { useProjectReviews } from "../api/reviews.ts";
import { useMay } from "../project/use-may.ts";
import { AskToPublish, StandingApprovals } from "./ask-to-publish.tsx";
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
  const mayPublish = useMay("project.publish");
  const reviews = useProjectReviews(project);
  const asks = reviews?.needed.includes("publish") ? reviews : undefined;
  // A person who may only ask for publication does not see the published app's settings.
  const hasTabs = data && mayPublish;
  // A fixed height, so that switching tabs does not move the dialog.
  const height = hasTabs ? "h-[84dvh] sm:h-[min(84dvh,44rem)]" : "max-h-[84dvh]";
  return (
    <DialogBox
      onClose={onClose}
      ready={data !== undefined}
      title={asks ? words.reviews.askToPublish : words.publish.publish}
      className={`top-[8dvh] flex w-160 max-w-[calc(100vw-16px)] flex-col overflow-y-auto ${height}`}
    >
      {error && <p className="p-4 text-failed">{sentence(error)}</p>}
      {data !== undefined && !hasTabs && (
        <div className="space-y-4 p-4">
          <p className="text-quiet">{words.publish.about}</p>
          {asks ? (
            <AskToPublish publication={data} reviews={asks} />
          ) : (
            <NewRelease publication={data} />
          )}
        </div>
      )}
      {hasTabs && (
        <PublishTabs publication={data} onClose={onClose}>
          {asks ? (
            <AskToPublish publication={data} reviews={asks} />
          ) : (
            <NewRelease publication={data} />
          )}
          {reviews && <StandingApprovals reviews={reviews} />}
        </PublishTabs>
      )}
    </DialogBox>
  );
}
