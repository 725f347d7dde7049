import { useQuery } from "@tanstack/react-query";
import { useMe } from "../api/account.ts";
import { publicationKey, readPublication } from "../api/publication.ts";
import { sentence } from "../api/request.ts";
import { readShares, sharesKey } from "../api/shares.ts";
import { useProjectId } from "../live/live-context.tsx";
import { DialogBox } from "../ui/dialog-box.tsx";
import { words } from "../words/words.ts";
import { AccessLinks } from "./access-links.tsx";
import { LinkList } from "./link-list.tsx";
import { NewLink } from "./new-link.tsx";

/** Polling interval for the number of visits, in milliseconds. */
const POLL_MS = 5_000;

/** Links that share parts of the project with people without an account. */
export default function ShareDialog({ onClose }: { onClose: () => void }) {
  const project = useProjectId();
  const isTeam = useMe()?.accounts === true;
  const { data, error } = useQuery({
    queryKey: sharesKey(project),
    queryFn: ({ signal }) => readShares(project, signal),
    refetchInterval: POLL_MS,
  });
  const { data: publication } = useQuery({
    queryKey: publicationKey(project),
    queryFn: ({ signal }) => readPublication(project, signal),
  });
  const releases = publication?.releases.filter(({ state }) => state === "ready") ?? [];
  return (
    <DialogBox
      onClose={onClose}
      title={words.share.share}
      className="top-[8vh] max-h-[84vh] w-120 max-w-[calc(100vw-16px)] overflow-y-auto"
    >
      <div className="space-y-4 p-4">
        <p className="text-quiet">{words.share.about}</p>
        {error && <p className="text-failed">{sentence(error)}</p>}
        <NewLink releases={publication?.current === undefined ? [] : releases} />
        {data && (
          <p className="text-small text-quiet">
            {data.domain === undefined
              ? words.share.onlyHere
              : words.share.throughDomain({ domain: data.domain })}
          </p>
        )}
        {data && data.shares.length > 0 && <LinkList shares={data.shares} />}
        {isTeam && <AccessLinks />}
      </div>
    </DialogBox>
  );
}
