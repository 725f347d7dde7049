import { filePlaces } from "@treadle/protocol/evidence";
import { visible, visibleProse } from "@treadle/protocol/safe-text";
import { sendMessage } from "../api/projects.ts";
import { Excerpt } from "../evidence/excerpt.tsx";
import { useIsFixLeading } from "../evidence/fix-button.tsx";
import { Placed } from "../evidence/placed.tsx";
import { useKnownFiles } from "../evidence/use-known-files.ts";
import { currentActivity } from "../fold/phase.ts";
import { useProjectId, useView } from "../live/live-context.tsx";
import { askRepair } from "../project/ask-repair.ts";
import { saveEdits } from "../project/unsaved.ts";
import { useWork } from "../project/work-store.ts";
import { Button } from "../ui/button.tsx";
import { useAct } from "../ui/use-act.ts";
import type { Seen } from "./preview-messages.ts";
import { words } from "../words/words.ts";

/** Lines of source shown before and after the one that threw. */
const CONTEXT_LINES = 2;

/** Lines of a message shown in large type. */
const MAX_MESSAGE_LINES = 3;

/**
 * The error of the previewed page: the message, its place in the person's source, and the next action. Replaces a page
 * that shows nothing, and appears below one that shows something.
 */
export function Crash({
  seen,
  onReload,
  onHide,
}: {
  seen: Seen;
  onReload: () => void;
  onHide: () => void;
}) {
  const project = useProjectId();
  const names = useKnownFiles();
  const openFile = useWork((state) => state.openFile);
  const activity = useView((view) => currentActivity(view)?.words);
  const leads = useIsFixLeading();
  const { act, busy, problem } = useAct();
  const { rendered, overlay, thrown } = seen;
  const alone = !rendered || overlay !== undefined;
  const { message, more } = messageOf(overlay ?? thrown?.message ?? "");
  const found = filePlaces(overlay ?? thrown?.source ?? "", names);
  const place = found.find((piece) => piece.place)?.place;
  const fix = () =>
    act(async () => {
      await saveEdits();
      await sendMessage(project, askRepair());
    });
  return (
    <section
      aria-label={words.preview.wrong}
      className={`absolute inset-x-0 bottom-0 overflow-auto border-t border-line bg-paper p-4 ${alone ? "top-0" : "max-h-1/2"}`}
    >
      <div
        className={`mx-auto flex max-w-160 flex-col gap-3 ${alone ? "min-h-full justify-center" : ""}`}
      >
        <h2 className="text-title font-semibold">{titleOf(seen)}</h2>
        {message !== "" && (
          <p className="font-mono text-small break-words whitespace-pre-wrap">
            {visibleProse(message)}
          </p>
        )}
        {place ? (
          <Excerpt place={place} around={CONTEXT_LINES} />
        ) : (
          thrown?.source !== undefined && (
            <p className="font-mono text-small break-all text-quiet">{visible(thrown.source)}</p>
          )
        )}
        {overlay !== undefined && !place && more !== "" && (
          <pre className="max-h-40 overflow-auto rounded border border-line bg-raised p-2 font-mono text-small whitespace-pre-wrap text-quiet">
            <Placed>{visibleProse(more)}</Placed>
          </pre>
        )}
        <div className="flex flex-wrap items-center gap-2">
          {activity !== undefined ? (
            <span className="text-small text-quiet">{visible(activity)}…</span>
          ) : (
            !leads && (
              <Button kind="primary" size="medium" disabled={busy} onClick={() => void fix()}>
                {words.evidence.fix}
              </Button>
            )
          )}
          {place && (
            <Button size="medium" onClick={() => openFile(place.path, place)}>
              {words.preview.showInFile}
            </Button>
          )}
          <Button size="medium" kind="quiet" onClick={onReload}>
            {words.preview.loadAgain}
          </Button>
          {!alone && (
            <Button size="medium" kind="quiet" onClick={onHide}>
              {words.preview.hide}
            </Button>
          )}
        </div>
        {problem && (
          <p role="alert" className="text-small text-failed">
            {problem}
          </p>
        )}
      </div>
    </section>
  );
}

/**
 * Splits an error into its message, before any source excerpt and at most `MAX_MESSAGE_LINES`, and `more`, the rest.
 */
function messageOf(text: string): { message: string; more: string } {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const drawn = lines.findIndex((line, index) => index > 0 && !/^\s{0,2}[\w[("'`]/.test(line));
  const count = Math.min(drawn === -1 ? lines.length : drawn, MAX_MESSAGE_LINES);
  return { message: lines.slice(0, count).join("\n"), more: lines.slice(count).join("\n") };
}

function titleOf({ rendered, overlay, thrown }: Seen): string {
  if (overlay !== undefined) return words.preview.cannotShow;
  if (!thrown) return words.preview.blank;
  return rendered ? words.preview.threw : words.preview.threwBlank;
}
