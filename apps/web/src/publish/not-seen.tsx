import type { ProjectStatus } from "@treadle/protocol/fold";
import { CheckButton } from "../evidence/check-button.tsx";
import { FixButton } from "../evidence/fix-button.tsx";
import { VerdictMark } from "../evidence/verdict-mark.tsx";
import { words } from "../words/words.ts";

/** Why the current files cannot be published, with the next step. */
export function NotSeen({ status }: { status: ProjectStatus }) {
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
      <p role="status" className="flex items-center gap-1.5 text-small text-quiet">
        <VerdictMark state={status} />
        <span>
          <span className="text-ink">{words.verdict[status]}</span> · {words.publish.onlyVerified}
        </span>
      </p>
      <CheckButton />
      <FixButton />
    </div>
  );
}
