import { Tabs } from "@base-ui/react/tabs";
import type { Publication } from "@treadle/protocol";
import type { ReactNode } from "react";
import { words } from "../words/words.ts";
import { Elsewhere } from "./elsewhere.tsx";
import { PublicAddress } from "./public-address.tsx";
import { PublicationSettings } from "./publication-settings.tsx";
import {
  choosePublishTab,
  PUBLISH_TABS,
  usePublishStore,
  type PublishTab,
} from "./publish-store.ts";
import { ReleaseList } from "./release-list.tsx";
import { Running } from "./running.tsx";

/** The tabs of a published project, below the fixed upper part. */
export function PublishTabs({
  publication,
  onClose,
  children,
}: {
  publication: Publication;
  onClose: () => void;
  /** The form that creates a new release. */
  children: ReactNode;
}) {
  const tab = usePublishStore((state) => state.tab);
  const panes: Record<PublishTab, ReactNode> = {
    releases: <ReleaseList publication={publication} onFix={onClose} />,
    elsewhere: <Elsewhere publication={publication} />,
    running: <Running publication={publication} onFix={onClose} />,
    settings: <PublicationSettings publication={publication} />,
  };
  return (
    <Tabs.Root
      value={tab}
      onValueChange={(next) => choosePublishTab(next as PublishTab)}
      className="flex flex-1 flex-col sm:min-h-0"
    >
      <div className="space-y-3 px-4 pt-4 pb-3">
        {publication.current !== undefined && <Address publication={publication} />}
        {children}
      </div>
      <Tabs.List
        aria-label={words.publish.publication}
        className="flex shrink-0 overflow-x-auto border-b border-line px-2"
      >
        {PUBLISH_TABS.map((id) => (
          <Tabs.Tab
            key={id}
            value={id}
            className="h-9 border-b-2 border-transparent px-2 whitespace-nowrap text-quiet -outline-offset-2 hover:text-ink data-active:border-accent data-active:text-ink pointer-coarse:h-11"
          >
            {words.publish.tabs[id]}
            {id === "running" && <Count count={publication.errors.length} />}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {PUBLISH_TABS.map((id) => (
        <Tabs.Panel
          key={id}
          value={id}
          className="flex-1 space-y-4 p-4 -outline-offset-2 sm:min-h-0 sm:overflow-y-auto"
        >
          {panes[id]}
        </Tabs.Panel>
      ))}
    </Tabs.Root>
  );
}

function Address({ publication: { address, app, requests } }: { publication: Publication }) {
  return (
    <section aria-label={words.publish.address}>
      <PublicAddress address={address} />
      <p className="numbers mt-1 text-small text-quiet">
        {app ? words.publish.apps[app] : words.publish.site}{" "}
        {words.publish.requests({ amount: requests })}
      </p>
    </section>
  );
}

/** The number of problems on a tab, unless it is 0. */
function Count({ count }: { count: number }) {
  if (count === 0) return null;
  return (
    <span className="numbers ml-0.5 text-failed">
      {/* A space for screen readers, so that the number is not read as part of the word. */}{" "}
      {count}
      <span className="sr-only"> {words.publish.wrong}</span>
    </span>
  );
}
