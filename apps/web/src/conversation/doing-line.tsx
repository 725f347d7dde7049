import { stopLook } from "../api/projects.ts";
import { sentence } from "../api/request.ts";
import { currentActivity, isLooking } from "../fold/phase.ts";
import { useLiveStore, useProjectId, useView } from "../live/live-context.tsx";
import { Button } from "../ui/button.tsx";
import { LoopMark } from "../ui/loop-mark.tsx";
import { visible } from "@treadle/protocol/safe-text";
import { formatNumber } from "../ui/format.ts";
import { noticeError } from "../ui/notice.ts";
import { useNow } from "../ui/use-now.ts";
import { words } from "../words/words.ts";

/** A wait shows its seconds from this duration on, in milliseconds. */
const SHOW_SECONDS_AFTER_MS = 2000;

/** Whole seconds, or minutes from two minutes on. */
const formatDuration = (ms: number) =>
  ms < 120_000
    ? words.ui.seconds({ number: formatNumber(Math.floor(ms / 1000)) })
    : words.ui.minutes({ number: formatNumber(Math.floor(ms / 60_000)) });

/** The current activity, in words, with its duration. Draws nothing if there is none. */
export function DoingLine() {
  const store = useLiveStore();
  const activity = useView((view) => currentActivity(view)?.words);
  const working = activity !== undefined;
  const phase = useView((view) => currentActivity(view)?.phase);
  const looking = useView(isLooking);
  const now = useNow(1000, working);
  if (activity === undefined) return null;
  const current = currentActivity(store.getState().view);
  const waited = current ? now - current.since : 0;
  const remainingSeconds =
    current?.until === undefined ? undefined : Math.ceil((current.until - now) / 1000);
  const seconds =
    remainingSeconds !== undefined && remainingSeconds > 0
      ? words.conversation.left({ time: formatDuration(remainingSeconds * 1000) })
      : waited >= SHOW_SECONDS_AFTER_MS
        ? formatDuration(waited)
        : undefined;
  return (
    <p
      data-phase={phase}
      className="mx-auto flex w-full max-w-190 shrink-0 items-center gap-2 px-4 py-2 text-quiet"
    >
      <LoopMark size={16} phase={phase} />
      <span role="status" title={activity} className="min-w-0 truncate">
        {visible(activity.replace(/[.…]+$/, ""))}…
      </span>
      {seconds && <span className="numbers shrink-0 text-small">{seconds}</span>}
      {looking && <StopLooking />}
    </p>
  );
}

/** A button that stops the look at the app but not the run; the evidence found so far stays. */
function StopLooking() {
  const project = useProjectId();
  return (
    <Button
      kind="quiet"
      className="ml-auto shrink-0"
      title={words.conversation.stopLookingAbout}
      onClick={() => void stopLook(project).catch((error) => noticeError(sentence(error)))}
    >
      {words.conversation.stopLooking}
    </Button>
  );
}
