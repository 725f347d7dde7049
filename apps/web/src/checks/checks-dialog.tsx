import { evidenceOf, isRunning } from "@treadle/protocol/fold";
import { isSameCheck } from "@treadle/protocol/evidence";
import { useState } from "react";
import { checkAgain } from "../api/projects.ts";
import { sentence } from "../api/request.ts";
import { runCommand, useAvailable } from "../commands/available.ts";
import { AgreeChecks } from "../evidence/agree-checks.tsx";
import { useChecksFile } from "../evidence/use-checks-file.ts";
import { currentActivity } from "../fold/phase.ts";
import { useProjectId, useView } from "../live/live-context.tsx";
import { Button } from "../ui/button.tsx";
import { DialogBox } from "../ui/dialog-box.tsx";
import { useAct } from "../ui/use-act.ts";
import { words } from "../words/words.ts";
import { appendCheck } from "./append-check.ts";
import { CheckForm } from "./check-form.tsx";
import { CheckRow } from "./check-row.tsx";
import { checkSections } from "./check-sections.ts";
import { useChecksText } from "./use-checks-text.ts";

/**
 * The project's checks with their last results, and buttons to add, change, remove and run them.
 */
export default function ChecksDialog({ onClose }: { onClose: () => void }) {
  const project = useProjectId();
  const { data, error } = useChecksText();
  const reports = useView((view) => evidenceOf(view).checks) ?? [];
  const isBusy = useView((view) => isRunning(view) || currentActivity(view) !== undefined);
  const canRecord = useAvailable((state) => state.runs.has("recordCheck"));
  const openFile = useChecksFile();
  const { act, busy, problem } = useAct();
  const [isAdding, setAdding] = useState(false);
  const sections = checkSections(data?.text ?? "");
  const isKnown = (name: string) => sections.some((section) => isSameCheck(section.name, name));
  // The previous version of a removed check still runs, and unreadable lines count as a failed
  // check.
  const others = reports.filter(({ name }) => !isKnown(name));
  const isEmpty = data !== undefined && sections.length === 0 && others.length === 0;
  const leave = (then: () => unknown) => {
    onClose();
    void then();
  };
  return (
    <DialogBox
      onClose={onClose}
      ready={data !== undefined}
      heldOpen
      title={words.evidence.checks}
      className="top-[8vh] max-h-[84vh] w-160 max-w-[calc(100vw-16px)] overflow-y-auto"
    >
      <div className="space-y-3 p-4">
        {error && <p className="text-failed">{sentence(error)}</p>}
        {isEmpty && !isAdding && <p className="text-quiet">{words.checks.nothingYet}</p>}
        <ul className="space-y-1 empty:hidden" aria-label={words.evidence.checks}>
          {sections.map((section) => (
            <CheckRow
              key={section.name}
              section={section}
              canRun={!isBusy}
              report={reports.find(({ name }) => isSameCheck(name, section.name))}
            />
          ))}
          {others.map((report) => (
            <CheckRow key={`other ${report.name}`} report={report} />
          ))}
        </ul>
        {isAdding ? (
          <CheckForm
            name=""
            body={"- open /\n"}
            onSave={(name, body) => appendCheck(project, name, body)}
            onClose={() => setAdding(false)}
          />
        ) : (
          <div className="flex flex-wrap gap-2">
            {(sections.length > 0 || others.length > 0) && (
              <Button
                kind="primary"
                disabled={busy || isBusy}
                onClick={() => void act(() => checkAgain(project))}
              >
                {words.checks.runAll}
              </Button>
            )}
            <AgreeChecks />
            <Button onClick={() => setAdding(true)}>{words.checks.add}</Button>
            {canRecord && (
              <Button onClick={() => leave(() => runCommand("recordCheck"))}>
                {words.record.title}
              </Button>
            )}
            <Button kind="quiet" onClick={() => leave(openFile)}>
              {words.checks.openFile}
            </Button>
          </div>
        )}
        {problem && (
          <p role="alert" className="text-small text-failed">
            {problem}
          </p>
        )}
      </div>
    </DialogBox>
  );
}
