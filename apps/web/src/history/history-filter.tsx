import type { Verdict } from "@treadle/protocol";
import type { HistoryLine } from "../fold/history-lines.ts";
import { Select } from "../ui/select.tsx";
import { words } from "../words/words.ts";

/** The filter of the history: which checkpoints are shown. */
export interface HistoryFilter {
  /** Words that all have to occur in the request, the name or the model. */
  text: string;
  verdict: Verdict | "any";
}

export const NO_FILTER: HistoryFilter = { text: "", verdict: "any" };

const VERDICTS = ["verified", "runs", "failed", "unverified"] as const satisfies Verdict[];

/** Whether a filter shows a checkpoint. @param verdict the checkpoint's; undefined if nobody looked at it */
export function passesFilter(
  { title, note, by }: Pick<HistoryLine, "title" | "note" | "by">,
  verdict: Verdict | undefined,
  filter: HistoryFilter,
): boolean {
  if (filter.verdict !== "any" && filter.verdict !== verdict) return false;
  const text = [title, note, typeof by === "object" ? by.model : ""].join(" ").toLocaleLowerCase();
  const terms = filter.text.toLocaleLowerCase().split(/\s+/).filter(Boolean);
  return terms.every((term) => text.includes(term));
}

/** The fields above the history that filter it. */
export function HistoryFilterFields({
  filter,
  onChange,
}: {
  filter: HistoryFilter;
  onChange: (filter: HistoryFilter) => void;
}) {
  return (
    <search
      aria-label={words.history.filter}
      className="flex items-center gap-2 border-b border-line px-3 py-2"
    >
      <input
        type="text"
        aria-label={words.history.filterText}
        placeholder={words.history.filterText}
        value={filter.text}
        spellCheck={false}
        autoComplete="off"
        onChange={({ target }) => onChange({ ...filter, text: target.value })}
        className="h-7 min-w-0 flex-1 rounded border border-edge bg-paper px-2 pointer-coarse:h-11"
      />
      <Select
        aria-label={words.history.filterVerdict}
        value={filter.verdict}
        options={[
          { value: "any" as const, name: words.history.anyVerdict },
          ...VERDICTS.map((value) => ({ value, name: words.verdict[value] })),
        ]}
        onChoose={(verdict) => onChange({ ...filter, verdict })}
        className="h-7 max-w-40 shrink-0 rounded border border-edge bg-paper px-1 text-small pointer-coarse:h-11"
      />
    </search>
  );
}
