import type { AppError } from "@treadle/protocol";
import { visibleProse } from "@treadle/protocol/safe-text";
import { sendMessage } from "../api/projects.ts";
import { useProjectId } from "../live/live-context.tsx";
import { Button } from "../ui/button.tsx";
import { formatAgo } from "../ui/format.ts";
import { useAct } from "../ui/use-act.ts";
import { useNow } from "../ui/use-now.ts";
import { words } from "../words/words.ts";
import { askFix } from "./ask-fix.ts";

/** Maximum number of rows shown. */
const MAX_ERRORS = 5;

/** Errors of the published app, if there are any, with a button that asks the model to fix them. */
export function AppErrors({ errors, onDone }: { errors: readonly AppError[]; onDone: () => void }) {
  const project = useProjectId();
  const now = useNow(60_000);
  const { act, busy, problem } = useAct();
  const [newest] = errors;
  if (!newest) return null;
  const fix = () =>
    act(async () => {
      // A request that crashes the app is reported as an error and as the crash.
      const same = errors.slice(0, MAX_ERRORS).filter(({ release }) => release === newest.release);
      await sendMessage(project, { text: askFix(words.publish.askFixError, same) });
      onDone();
    });
  return (
    <section aria-labelledby="app-errors">
      <div className="flex items-center justify-between gap-2">
        <h3 id="app-errors" className="font-semibold text-failed">
          {words.publish.errors}
        </h3>
        <Button kind="primary" disabled={busy} onClick={() => void fix()}>
          {words.evidence.fix}
        </Button>
      </div>
      <ul className="mt-1 space-y-1 text-small">
        {errors.slice(0, MAX_ERRORS).map((error, index) => (
          // The same error may be listed twice with the same time.
          // oxlint-disable-next-line react/no-array-index-key
          <li key={`${error.at} ${index}`} className="break-words" data-error={error.kind}>
            {visibleProse(error.text)}{" "}
            <span className="numbers text-quiet">
              {error.kind === "browser" && `${words.publish.inBrowser} · `}
              {words.publish.ofRelease({ number: error.release })} · {formatAgo(error.at, now)}
              {error.count > 1 && ` · ${words.publish.times({ amount: error.count })}`}
            </span>
            {error.stack && (
              <pre dir="ltr" className="font-mono whitespace-pre-wrap text-quiet">
                {visibleProse(error.stack.split("\n").slice(0, 3).join("\n"))}
              </pre>
            )}
          </li>
        ))}
      </ul>
      {problem && (
        <p role="alert" className="text-small text-failed">
          {problem}
        </p>
      )}
    </section>
  );
}
