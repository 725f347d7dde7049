import { useId } from "react";
import { modelLabel, useModels } from "../api/queries.ts";
import { useCompletions } from "../files/completions-store.ts";
import { useView } from "../live/live-context.tsx";
import { formatMoney, formatTokens } from "../ui/format.ts";
import { Select } from "../ui/select.tsx";
import { words } from "../words/words.ts";

/** Whether a model completes what the person types in the editor, and which model. */
export function CompletionsChoice() {
  const id = useId();
  const { data } = useModels();
  const { on, model, set, choose } = useCompletions();
  const models = data?.providers.flatMap((provider) => provider.models) ?? [];
  return (
    <div className="mt-4">
      <label className="flex items-center gap-2 pointer-coarse:min-h-11">
        <input
          type="checkbox"
          role="switch"
          className="accent-accent"
          checked={on}
          onChange={(event) => set(event.target.checked)}
        />
        {words.settingsPage.completions}
      </label>
      <p className="pl-6 text-small text-quiet">{words.settingsPage.completionsAbout}</p>
      {on && (
        <div className="mt-1 flex flex-wrap items-center gap-2 pl-6">
          <label htmlFor={id} className="text-small text-quiet">
            {words.settingsPage.completionsModel}
          </label>
          <Select
            id={id}
            value={model ?? ""}
            options={[
              { value: "", name: words.settingsPage.completionsOwnModel },
              ...models.map((one) => ({ value: one.id, name: modelLabel(data, one.id) })),
            ]}
            onChoose={(value) => choose(value === "" ? undefined : value)}
            className="h-7 min-w-0 rounded border border-edge bg-paper px-1 text-small text-ink pointer-coarse:h-11"
          />
        </div>
      )}
    </div>
  );
}

/** The cost of completions in this project. Draws nothing if there were none. */
export function CompletionsCost() {
  const completions = useView((view) => view.completions);
  if (!completions) return null;
  const { count, usage } = completions;
  const used = words.ui.tokens({ number: formatTokens(usage.inputTokens + usage.outputTokens) });
  return (
    <p className="numbers mt-1 pl-6 text-small text-quiet">
      {words.settingsPage.completionsCost({
        count,
        used: usage.costUsd === undefined ? used : `${used} · ${formatMoney(usage.costUsd)}`,
      })}
    </p>
  );
}
