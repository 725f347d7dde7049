import type { CheckReport } from "@treadle/protocol";
import { LookedPicture } from "../pictures/looked-picture.tsx";
import { formatDuration } from "../ui/format.ts";
import { Bead } from "./bead.tsx";
import { checkState } from "./check-state.ts";
import { words } from "../words/words.ts";

function stoodWords({ how, by }: NonNullable<CheckReport["was"]>): string {
  return words.evidence.stood[how][by === "model" ? "model" : "other"];
}

/** Remarks about a check besides its result. */
function remarksOf({
  was,
  rewritten,
  provesNothing,
  beforeUntried,
  firstTry,
}: CheckReport): string[] {
  return [
    ...(was ? [stoodWords(was)] : rewritten ? [words.evidence.rewritten] : []),
    ...(provesNothing ? [words.evidence.provesNothing[provesNothing]] : []),
    ...(beforeUntried ? [words.evidence.beforeUntried[beforeUntried]] : []),
    ...(firstTry === undefined ? [] : [words.evidence.secondTry({ text: firstTry })]),
  ];
}

/** The project's own checks; the steps of failed ones are open. */
export function ChecksDetails({ checks }: { checks: readonly CheckReport[] }) {
  return (
    <ul className="mt-1 max-h-80 space-y-1 overflow-auto">
      {checks.map((check, at) => {
        const { name, state, steps, ms, picture } = check;
        return (
          <li key={at}>
            <details open={state === "failed"}>
              <summary className="flex rounded -outline-offset-2 cursor-pointer items-center gap-1.5">
                <Bead state={checkState(check)} />
                <span className="min-w-0 flex-1 break-words">
                  {name}
                  {remarksOf(check).map((remark) => (
                    <span key={remark} className="block text-small text-quiet">
                      {remark}
                    </span>
                  ))}
                </span>
                {ms !== undefined && (
                  <span className="numbers text-small text-quiet">{formatDuration(ms)}</span>
                )}
              </summary>
              <ol className="mt-0.5 mb-1 ml-1.5 space-y-0.5 border-l border-line pl-3 text-small">
                {steps.map(({ ok, said: message, alreadyHeld }, index) => (
                  <li key={index} className={ok ? "text-quiet" : "text-failed"}>
                    {ok ? "" : "✗ "}
                    {message}
                    {alreadyHeld && ` — ${words.evidence.alreadyHeld}`}
                  </li>
                ))}
              </ol>
              {picture && <LookedPicture picture={picture} subject={words.evidence.thePage} />}
            </details>
          </li>
        );
      })}
    </ul>
  );
}
