import type { ProviderInfo } from "@treadle/protocol";
import { useId } from "react";
import { setSees } from "../api/models.ts";
import { useRefreshModels } from "../api/queries.ts";
import { useAct } from "../ui/use-act.ts";
import { words } from "../words/words.ts";

const SEES = { yes: true, no: false };

/** Whether a model reads pictures: guessed by its name, learnt from its provider, or as the person says. */
export function SeesPictures({ model }: { model: ProviderInfo["models"][number] }) {
  const refresh = useRefreshModels();
  const { act, busy, problem } = useAct();
  const select = useId();
  const { pictures = "guess" } = model.habits ?? {};
  const guess = model.guessed === undefined ? "unknown" : model.guessed ? "yes" : "no";
  return (
    <p className="flex flex-wrap items-center gap-x-2 pr-3 pb-1 pl-9 text-small text-quiet">
      <label htmlFor={select}>{words.models.sees}</label>
      <select
        id={select}
        disabled={busy}
        value={pictures}
        onChange={({ target: { value } }) =>
          void act(async () => {
            await setSees(model.id, SEES[value as keyof typeof SEES]);
            await refresh();
          })
        }
        className="h-6 min-w-0 rounded border border-edge bg-paper px-1 text-ink pointer-coarse:h-11"
      >
        <option value="guess">{words.models.guessed[guess]}</option>
        <option value="yes">{words.models.yes}</option>
        <option value="no">{words.models.no}</option>
        {pictures === "refused" && <option value="refused">{words.models.refused}</option>}
      </select>
      {problem && <span role="alert">{problem}</span>}
    </p>
  );
}
