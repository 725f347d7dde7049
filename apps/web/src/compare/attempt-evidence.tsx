import { EVIDENCE_PARTS } from "@treadle/protocol/evidence";
import { evidenceOf } from "@treadle/protocol/fold";
import { visibleProse } from "@treadle/protocol/safe-text";
import { Bead } from "../evidence/bead.tsx";
import { checksState } from "../evidence/check-state.ts";
import { codedWords } from "../words/coded-words.ts";
import { useView } from "../live/live-context.tsx";
import { words } from "../words/words.ts";

/** The evidence of an attempt, part by part, with details of failures. */
export function AttemptEvidence() {
  const { parts, checks = [] } = useView(evidenceOf);
  const rows = [
    ...EVIDENCE_PARTS.map((part) => ({
      name: words.evidence.parts[part],
      state: parts[part].state,
    })),
    ...(checks.length > 0 ? [{ name: words.evidence.checks, state: checksState(checks) }] : []),
  ];
  const failed = EVIDENCE_PARTS.map((part) => parts[part]).find(
    ({ state, summary }) => state === "failed" && summary !== "",
  );
  return (
    <div className="border-b border-line px-3 py-2">
      <ul
        aria-label={words.evidence.evidence}
        className="flex flex-wrap gap-x-3 gap-y-1 text-small"
      >
        {rows.map(({ name, state }) => (
          <li key={name} className="inline-flex items-center gap-1" data-state={state}>
            <Bead state={state} />
            <span className={state === "failed" ? "font-medium text-failed" : "text-quiet"}>
              {name}
              <span className="sr-only"> {words.evidence.states[state]}</span>
            </span>
          </li>
        ))}
      </ul>
      {failed && (
        <p className="mt-1 line-clamp-3 text-small break-words text-failed">
          {visibleProse(codedWords(failed.summary, failed.summaryCode))}
        </p>
      )}
    </div>
  );
}
