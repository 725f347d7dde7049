import type { Evidence, EvidencePart } from "@treadle/protocol";
import { evidenceOf } from "@treadle/protocol/fold";
import { visibleProse } from "@treadle/protocol/safe-text";
import { Bead } from "../evidence/bead.tsx";
import { firstError } from "../evidence/first-error.ts";
import { Placed } from "../evidence/placed.tsx";
import { currentActivity } from "../fold/phase.ts";
import { codedWords } from "../words/coded-words.ts";
import { useView } from "../live/live-context.tsx";
import { words } from "../words/words.ts";

/** Parts of the evidence that the pane reports itself when the page has crashed. */
const SHOWN_ELSEWHERE: EvidencePart[] = ["page", "console"];
const BEFORE: EvidencePart[] = ["install", "build", "serve"];

/**
 * Names the first failed part of the evidence, because the app may look fine all the same. Draws nothing during an
 * activity, or if no part failed.
 */
export function FailedPart({ crashed }: { crashed: boolean }) {
  const evidence = useView(evidenceOf);
  const working = useView((view) => currentActivity(view) !== undefined);
  const part = failedIn(evidence, crashed);
  if (working || !part) return null;
  const { summary, summaryCode } = evidence.parts[part];
  const cause = part === "install" || part === "build" ? firstError(evidence) : undefined;
  return (
    <p className="flex shrink-0 items-start gap-2 border-b border-line px-3 py-1.5 text-small">
      <span className="mt-0.5">
        <Bead state="failed" />
      </span>
      <span className="min-w-0">
        <span className="font-medium text-failed">{words.evidence.parts[part]}</span>{" "}
        <Placed>{visibleProse(codedWords(summary, summaryCode))}</Placed>
        {cause !== undefined && (
          <span className="block font-mono break-words">
            <Placed>{cause}</Placed>
          </span>
        )}
      </span>
    </p>
  );
}

const failedIn = ({ parts }: Evidence, crashed: boolean): EvidencePart | undefined =>
  [...BEFORE, ...(crashed ? [] : SHOWN_ELSEWHERE)].find((part) => parts[part].state === "failed");
