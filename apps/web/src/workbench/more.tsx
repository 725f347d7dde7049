import { useNavigate } from "@tanstack/react-router";
import type { ReactNode } from "react";
import {
  Database,
  Download,
  FileDiff,
  Gauge,
  MessageSquareQuote,
  GitBranch,
  ListChecks,
  Palette,
  Rocket,
  Search,
  Settings,
  Share2,
  SquareTerminal,
  TextSearch,
  Trash2,
} from "../ui/icons.ts";
import type { Icon } from "../ui/make-icon.tsx";
import { useWork } from "../project/work-store.ts";
import { toggleTerminals, useTerminalsShown } from "../project/terminals-store.ts";
import { showChanges } from "../project/changes-store.ts";
import { showOverlay } from "../commands/overlay-store.ts";
import { CheckButton } from "../evidence/check-button.tsx";
import { CheckpointList } from "../history/checkpoint-list.tsx";
import { DownloadButton } from "../project/download-button.tsx";
import { openDesign } from "../project/design-store.ts";
import { openGit } from "../git/git-store.ts";
import { openContext } from "../project/context-store.ts";
import { openComments } from "../project/comments-store.ts";
import { openFind } from "../conversation/find-store.ts";
import { CheckRestButton } from "../evidence/check-rest-button.tsx";
import { FixButton } from "../evidence/fix-button.tsx";
import { useSettingsPlace } from "../project/settings-place.ts";
import { openDatabases } from "../project/databases-store.ts";
import { openPublish } from "../publish/publish-store.ts";
import { openShare } from "../share/share-store.ts";
import { TotalCost } from "../usage/total-cost.tsx";
import { openChecks } from "../checks/checks-store.ts";
import { useProjectReviews } from "../api/reviews.ts";
import { useMay } from "../project/use-may.ts";
import { useProject } from "../project/use-project.ts";
import { useDeleteProject } from "../project/use-delete-project.ts";
import { words } from "../words/words.ts";

/** The pane of a narrow page for everything without its own pane. */
export function More() {
  const { id, name } = useProject();
  const navigate = useNavigate();
  const settings = useSettingsPlace();
  const { remove } = useDeleteProject();
  const removeThis = async () => {
    if (await remove({ id, name })) await navigate({ to: "/" });
  };
  const mayEdit = useMay("project.edit");
  const mayUseTerminals = useMay("project.terminals");
  const mayPublish = useMay("project.publish");
  const mayAsk = useMay("project.request");
  const asksToPublish = useProjectReviews(id)?.needed.includes("publish") === true;
  const mayShare = useMay("project.share");
  const mayDelete = useMay("project.delete");
  const { showPane, chooseTab } = useWork();
  const terminals = useTerminalsShown((state) => state.shown);
  return (
    <div className="h-full space-y-4 overflow-y-auto py-3">
      {mayEdit && (
        <div className="flex flex-wrap gap-2 px-3 empty:hidden">
          <CheckButton />
          <CheckRestButton />
          <FixButton />
        </div>
      )}
      <Rows>
        <Row
          icon={FileDiff}
          name={words.workbench.panes.changes}
          act={() => showChanges(undefined)}
        />
        {mayUseTerminals && (
          <Row
            icon={SquareTerminal}
            name={words.workbench.terminal}
            act={() => {
              if (!terminals) toggleTerminals();
              chooseTab("code");
            }}
          />
        )}
        <Row icon={MessageSquareQuote} name={words.comments.title} act={() => openComments()} />
        <Row icon={ListChecks} name={words.workbench.checks} act={openChecks} />
      </Rows>
      <Rows>
        {(asksToPublish ? mayAsk : mayPublish) && (
          <Row
            icon={Rocket}
            name={asksToPublish ? words.reviews.askToPublish : words.publish.publish}
            act={openPublish}
          />
        )}
        {mayShare && <Row icon={Share2} name={words.share.share} act={openShare} />}
        <Row icon={GitBranch} name={words.git.title} act={openGit} />
        <Row icon={Database} name={words.databases.title} act={() => openDatabases()} />
        <Row icon={Palette} name={words.design.title} act={openDesign} />
        <li>
          <DownloadButton project={id} className={ROW}>
            <Download size={18} aria-hidden="true" className="text-quiet" />
            {words.project.download}
          </DownloadButton>
        </li>
      </Rows>
      <Rows>
        <Row
          icon={TextSearch}
          name={words.conversation.find}
          act={() => {
            showPane("chat");
            openFind(id);
          }}
        />
        <Row icon={Search} name={words.page.commands} act={() => showOverlay("all")} />
        <Row icon={Gauge} name={words.workbench.context} act={openContext} />
        <Row icon={Settings} name={words.settings.settings} act={() => settings.open()} />
      </Rows>
      <section aria-labelledby="history">
        <h2 id="history" className="px-4 font-semibold">
          {words.workbench.history}
        </h2>
        <CheckpointList onDone={() => showPane("chat")} />
      </section>
      {mayDelete && (
        <Rows>
          <Row icon={Trash2} name={words.workbench.delete} act={() => void removeThis()} isDanger />
        </Rows>
      )}
      <div className="px-4 text-small text-quiet">
        <TotalCost />
      </div>
    </div>
  );
}

const ROW =
  "flex h-11 w-full items-center gap-3 px-4 text-left -outline-offset-2 hover:bg-hover active:bg-hover";

/** A group of rows. */
function Rows({ children }: { children: ReactNode }) {
  return <ul className="border-y border-line bg-raised py-1">{children}</ul>;
}

function Row({
  icon: Icon,
  name,
  act,
  isDanger = false,
}: {
  icon: Icon;
  name: string;
  act: () => void;
  isDanger?: boolean;
}) {
  return (
    <li>
      <button type="button" onClick={act} className={`${ROW} ${isDanger ? "text-failed" : ""}`}>
        <Icon size={18} aria-hidden="true" className={isDanger ? "" : "text-quiet"} />
        {name}
      </button>
    </li>
  );
}
