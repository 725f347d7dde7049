import { useNavigate } from "@tanstack/react-router";
import { Button } from "../ui/button.tsx";
import { useWork } from "../project/work-store.ts";
import { toggleTerminals, useTerminalsShown } from "../project/terminals-store.ts";
import { showChanges } from "../project/changes-store.ts";
import { showOverPage } from "../commands/open-store.ts";
import { CheckButton } from "../evidence/check-button.tsx";
import { CheckpointList } from "../history/checkpoint-list.tsx";
import { DownloadButton } from "../project/download-button.tsx";
import { openGit } from "../git/git-store.ts";
import { openContext } from "../project/context-store.ts";
import { CheckRestButton } from "../evidence/check-rest-button.tsx";
import { FixButton } from "../evidence/fix-button.tsx";
import { useSettingsPlace } from "../project/settings-place.ts";
import { openDatabases } from "../project/databases-store.ts";
import { openPublish } from "../publish/publish-store.ts";
import { openShare } from "../share/share-store.ts";
import { TotalCost } from "../usage/total-cost.tsx";
import { useChecksFile } from "../evidence/use-checks-file.ts";
import { useProject } from "../project/use-project.ts";
import { useDeleteProject } from "../project/use-delete-project.ts";
import { words } from "../words/words.ts";

/** On a narrow page: what has no pane of its own. */
export function More() {
  const { id, name } = useProject();
  const navigate = useNavigate();
  const openChecks = useChecksFile();
  const settings = useSettingsPlace();
  const { remove } = useDeleteProject();
  const removeThis = async () => {
    if (await remove({ id, name })) await navigate({ to: "/" });
  };
  const { showPane, chooseTab } = useWork();
  const terminals = useTerminalsShown((state) => state.shown);
  return (
    <div className="h-full space-y-6 overflow-y-auto p-4">
      <div className="flex flex-wrap gap-2">
        <CheckButton />
        <CheckRestButton />
        <FixButton />
        <Button size="medium" onClick={() => showChanges(undefined)}>
          {words.workbench.panes.changes}
        </Button>
        <Button
          size="medium"
          onClick={() => {
            if (!terminals) toggleTerminals();
            chooseTab("code");
          }}
        >
          {words.workbench.terminal}
        </Button>
        <Button size="medium" onClick={() => void openChecks()}>
          {words.workbench.checks}
        </Button>
        <Button size="medium" onClick={() => showOverPage("all")}>
          {words.page.commands}
        </Button>
        <Button size="medium" onClick={() => settings.open()}>
          {words.settings.settings}
        </Button>
        <Button size="medium" onClick={openContext}>
          {words.workbench.context}
        </Button>
        <Button size="medium" onClick={openPublish}>
          {words.publish.publish}
        </Button>
        <Button size="medium" onClick={openShare}>
          {words.share.share}
        </Button>
        <Button size="medium" onClick={() => openDatabases()}>
          {words.databases.title}
        </Button>
        <Button size="medium" onClick={openGit}>
          {words.git.title}
        </Button>
        <DownloadButton project={id} />
        <Button size="medium" kind="danger" onClick={() => void removeThis()}>
          {words.workbench.delete}
        </Button>
      </div>
      <section aria-labelledby="history">
        <h2 id="history" className="font-semibold">
          {words.workbench.history}
        </h2>
        <div className="-mx-3">
          <CheckpointList onDone={() => showPane("chat")} />
        </div>
      </section>
      <div className="text-small text-quiet">
        <TotalCost />
      </div>
    </div>
  );
}
