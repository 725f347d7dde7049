import type { ProviderInfo } from "@treadle/protocol";
import { useId } from "react";
import { setSees } from "../api/models.ts";
import { useRefreshModels } from "../api/queries.ts";
import { Select } from "../ui/select.tsx";
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
      <Select
        id={select}
        disabled={busy}
        value={pictures}
        onChoose={(value: string) =>
          void act(async () => {
            await setSees(model.id, SEES[value as keyof typeof SEES]);
            await refresh();
          })
        }
        className="h-6 min-w-0 rounded border border-edge bg-paper px-1 text-ink pointer-coarse:h-11"
        options={[
          { value: "guess", name: words.models.guessed[guess] },
          { value: "yes", name: words.models.yes },
          { value: "no", name: words.models.no },
          ...(pictures === "refused" ? [{ value: pictures, name: words.models.refused }] : []),
        ]}
      />
      {problem && <span role="alert">{problem}</span>}
    </p>
  );
}
