import type { ProviderInfo } from "@treadle/protocol";
import { useState } from "react";
import { visible } from "@treadle/protocol/safe-text";
import { Minus, Plus } from "../ui/icons.ts";
import { modelLabel, useModels } from "../api/queries.ts";
import { Button, IconButton } from "../ui/button.tsx";
import { DialogBox } from "../ui/dialog-box.tsx";
import { useAct } from "../ui/use-act.ts";
import { words } from "../words/words.ts";
import {
  attemptsOf,
  changeCount,
  countOf,
  initialCounts,
  MAX_ATTEMPTS,
  MAX_ATTEMPTS_EACH,
  type AttemptCounts,
} from "./chosen-models.ts";

/** Selects the models that build the same request, and the number of attempts of each. */
export default function CompareDialog({
  text,
  chosen,
  onClose,
  onStart,
}: {
  /** The request. */
  text: string;
  /** The model that would otherwise answer alone. */
  chosen: string | undefined;
  onClose: () => void;
  /** Starts the comparison; a failure is shown in the dialog. @param models the model of each attempt */
  onStart: (models: string[]) => Promise<void>;
}) {
  const { data } = useModels();
  const [changed, setChanged] = useState<AttemptCounts>();
  const { act, busy, problem } = useAct();
  const ready = (data?.providers ?? []).filter(
    ({ source, models }) => source !== undefined && models.length > 0,
  );
  const all = ready.flatMap(({ models }) => models.map(({ id }) => id));
  const counts = changed ?? initialCounts(chosen ?? data?.chosen, all);
  const count = countOf(counts);
  return (
    <DialogBox
      onClose={onClose}
      isOnTop
      title={words.compare.title}
      className="top-[8vh] flex max-h-[84vh] w-130 flex-col"
    >
      <div className="space-y-3 p-4">
        <p dir="auto" className="line-clamp-3 border-l-2 border-line pl-3 break-words">
          {visible(text)}
        </p>
        <p className="text-small text-quiet">{words.compare.about}</p>
        {ready.map((provider) => (
          <Provider
            key={provider.id}
            provider={provider}
            nameOf={(model) => modelLabel(data, model)}
            counts={counts}
            onChange={(model, by) => setChanged(changeCount(counts, model, by))}
          />
        ))}
      </div>
      <div className="sticky bottom-0 mt-auto flex flex-wrap items-center gap-x-3 gap-y-2 border-t border-line bg-raised px-4 py-3">
        <p role="status" className="min-w-40 flex-1 text-small text-quiet">
          {count < 2 ? words.compare.atLeastTwo : words.compare.cost({ amount: count })}
        </p>
        {problem && (
          <p role="alert" className="w-full text-small text-failed">
            {problem}
          </p>
        )}
        <Button
          kind="primary"
          size="medium"
          disabled={busy || count < 2}
          onClick={() => void act(() => onStart(attemptsOf(counts)))}
        >
          {busy ? words.compare.beginning : words.compare.begin}
        </Button>
      </div>
    </DialogBox>
  );
}

function Provider({
  provider,
  nameOf,
  counts,
  onChange,
}: {
  provider: ProviderInfo;
  /** The name of a model among those of all providers. */
  nameOf: (model: string) => string;
  counts: AttemptCounts;
  onChange: (model: string, by: 1 | -1) => void;
}) {
  return (
    <section aria-label={provider.name}>
      <h3 className="mb-1 text-small text-quiet">{provider.name}</h3>
      <ul className="divide-y divide-line rounded border border-line">
        {provider.models.map(({ id, label }) => {
          const amount = counts[id] ?? 0;
          return (
            <li key={id} className="flex items-center gap-1 py-1 pr-1 pl-3">
              <span className={`min-w-0 flex-1 truncate ${amount > 0 ? "" : "text-quiet"}`}>
                {label}
              </span>
              <IconButton
                name={words.compare.fewer({ model: nameOf(id) })}
                disabled={amount === 0}
                onClick={() => onChange(id, -1)}
              >
                <Minus size={14} aria-hidden="true" />
              </IconButton>
              <output
                aria-label={words.compare.attemptsOf({ model: nameOf(id) })}
                className={`numbers w-5 text-center ${amount > 0 ? "font-medium" : "text-quiet"}`}
              >
                {amount}
              </output>
              <IconButton
                name={words.compare.more({ model: nameOf(id) })}
                disabled={amount >= MAX_ATTEMPTS_EACH || countOf(counts) >= MAX_ATTEMPTS}
                onClick={() => onChange(id, 1)}
              >
                <Plus size={14} aria-hidden="true" />
              </IconButton>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
