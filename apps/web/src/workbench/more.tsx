import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { exportAddress } from "../api/projects.ts";
import { ThemeChoice } from "../settings/settings.tsx";
import { Button, buttonClass } from "../ui/button.tsx";
import { useWork } from "../project/work-store.ts";
import { CheckButton } from "../evidence/check-button.tsx";
import { CheckpointList } from "../history/checkpoint-list.tsx";
import { openContext } from "../project/context-store.ts";
import { DeleteProject } from "./delete-project.tsx";
import { FixButton } from "../evidence/fix-button.tsx";
import { openProjectSettings } from "../project/settings-store.ts";
import { TotalCost } from "../usage/total-cost.tsx";
import { useChecksFile } from "../evidence/use-checks-file.ts";
import { useProject } from "../project/use-project.ts";

/** On a narrow page: what has no pane of its own. */
export function More() {
  const { id } = useProject();
  const navigate = useNavigate();
  const openChecks = useChecksFile();
  const [deleting, setDeleting] = useState(false);
  const { showPane, showChanges, terminal, toggleTerminal, chooseTab } = useWork();
  return (
    <div className="h-full space-y-6 overflow-y-auto p-4">
      <div className="flex flex-wrap gap-2">
        <CheckButton />
        <FixButton />
        <Button size="medium" onClick={() => showChanges(undefined)}>
          Changes
        </Button>
        <Button
          size="medium"
          onClick={() => {
            if (!terminal) toggleTerminal();
            chooseTab("code");
          }}
        >
          Terminal
        </Button>
        <Button size="medium" onClick={() => void openChecks()}>
          Checks
        </Button>
        <Button size="medium" onClick={openProjectSettings}>
          Project settings
        </Button>
        <Button size="medium" onClick={openContext}>
          Context and cost
        </Button>
        <a href={exportAddress(id)} download className={buttonClass("plain", "medium")}>
          Download ZIP
        </a>
        <Button size="medium" kind="danger" onClick={() => setDeleting(true)}>
          Delete
        </Button>
      </div>
      <section aria-labelledby="history">
        <h2 id="history" className="font-semibold">
          History
        </h2>
        <div className="-mx-3">
          <CheckpointList onDone={() => showPane("chat")} />
        </div>
      </section>
      <ThemeChoice />
      <div className="text-small text-quiet">
        <TotalCost />
      </div>
      <DeleteProject
        open={deleting}
        onClose={() => setDeleting(false)}
        onDeleted={() => navigate({ to: "/" })}
      />
    </div>
  );
}
