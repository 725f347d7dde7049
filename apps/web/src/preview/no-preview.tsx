import type { ReactNode } from "react";
import { isRunning } from "@treadle/protocol/fold";
import { filePlaces } from "@treadle/protocol/evidence";
import { controlServer, sendMessage, type ServerAction } from "../api/projects.ts";
import { useIsFixLeading } from "../evidence/fix-button.tsx";
import { Placed } from "../evidence/placed.tsx";
import { useKnownFiles } from "../evidence/use-known-files.ts";
import { currentActivity } from "../fold/phase.ts";
import { useLiveState, useProjectId, useView } from "../live/live-context.tsx";
import { useNarrow } from "../ui/use-narrow.ts";
import { LoopMark } from "../ui/loop-mark.tsx";
import { askRepair } from "../project/ask-repair.ts";
import { useWork } from "../project/work-store.ts";
import { Button } from "../ui/button.tsx";
import { shownOutput } from "../ui/format.ts";
import { useAct } from "../ui/use-act.ts";
import { DesignSide } from "./side-panels.tsx";
import { useCanStart } from "./use-can-start.ts";
import { Around, SLOT } from "../ui/around.tsx";
import { words } from "../words/words.ts";

/** Shown in place of a preview: the reason why there is none, and the design panel beside it. */
export function NoPreview({ about }: { about: ReactNode }) {
  return (
    <div className="flex h-full max-wide:flex-col">
      <div className="min-h-0 min-w-0 flex-1">
        <Reason about={about} />
      </div>
      <DesignSide />
    </div>
  );
}

/**
 * Explains why there is no preview, and offers the next action.
 * @param about a description of the project, shown below the start button
 */
function Reason({ about }: { about: ReactNode }) {
  const project = useProjectId();
  const loaded = useLiveState((live) => live.loaded);
  const server = useView((view) => view.server);
  const working = useView(isRunning);
  const activity = useView((view) => currentActivity(view)?.words);
  const phase = useView((view) => currentActivity(view)?.phase);
  const hasFiles = useView((view) => view.filesSeq > 0);
  const canStart = useCanStart(project);
  const leads = useIsFixLeading();
  const isNarrow = useNarrow();
  const names = useKnownFiles();
  const openFile = useWork((state) => state.openFile);
  const { act, busy, problem } = useAct();

  const control = (action: ServerAction) => void act(() => controlServer(project, action));

  // A server that stopped because its files were removed is not a crash.
  const crashed = server?.state === "crashed" && canStart;
  const starting = server?.state === "starting" || server?.state === "up";
  const waking = server?.asleep === true;
  const place = filePlaces(server?.tail ?? "", names).find((piece) => piece.place)?.place;
  const fix = !working && !leads && (
    <Button
      size="medium"
      kind="primary"
      disabled={busy}
      onClick={() => void act(() => sendMessage(project, askRepair()))}
    >
      {words.evidence.fix}
    </Button>
  );
  return (
    <div className="flex h-full flex-col items-center justify-center-safe gap-3 overflow-auto p-6 text-center">
      <LoopMark size={28} phase={working ? phase : undefined} />
      {crashed ? (
        <>
          <p className="font-semibold">
            {server.exitCode === undefined
              ? words.preview.ended
              : words.preview.endedWith({ status: server.exitCode })}
          </p>
          {server.tail !== undefined && server.tail !== "" && (
            <pre className="max-h-60 max-w-full overflow-auto rounded border border-line bg-raised p-2 text-left font-mono text-small whitespace-pre-wrap">
              <Placed>{shownOutput(server.tail)}</Placed>
            </pre>
          )}
          <div className="flex gap-2">
            <Button size="medium" disabled={busy} onClick={() => control("restart")}>
              {words.preview.startAgain}
            </Button>
            {place && (
              <Button size="medium" onClick={() => openFile(place.path, place)}>
                {words.preview.showInFile}
              </Button>
            )}
            {fix}
          </div>
        </>
      ) : working && !starting ? (
        <p className="text-quiet">{activity}…</p>
      ) : waking ? (
        <p role="status" className="text-quiet">
          {words.preview.waking}
        </p>
      ) : starting && server?.installing ? (
        <p role="status" className="text-quiet">
          {words.preview.installing}
        </p>
      ) : starting ? (
        <p className="text-quiet">
          <Around text={words.preview.startingCommand({ command: SLOT })}>
            <span className="font-mono">{server?.command}</span>
          </Around>
        </p>
      ) : hasFiles ? (
        <>
          <p className="text-quiet">
            {canStart ? words.preview.notRunning : words.preview.nothingToStart}
          </p>
          {canStart ? (
            // On a wide page the header has the one primary button.
            <Button
              kind={isNarrow ? "primary" : "plain"}
              size="medium"
              disabled={busy}
              onClick={() => control("start")}
            >
              {busy ? words.preview.starting : words.preview.startIt}
            </Button>
          ) : (
            fix
          )}
          {about}
        </>
      ) : (
        // Whether there is an app is known only once the log is loaded.
        loaded && <p className="text-quiet">{words.preview.appears}</p>
      )}
      {problem && (
        <p role="alert" className="text-failed">
          {problem}
        </p>
      )}
    </div>
  );
}
