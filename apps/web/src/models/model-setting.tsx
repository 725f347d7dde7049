import type { ModelsInfo, ProviderInfo } from "@treadle/protocol";
import { useId } from "react";
import { setCache, setSees, setThinking } from "../api/models.ts";
import { useRefreshModels } from "../api/queries.ts";
import { THINKING_LEVELS } from "@treadle/protocol/models";
import { Select } from "../ui/select.tsx";
import { useAct } from "../ui/use-act.ts";
import { words } from "../words/words.ts";

type ModelInfo = ProviderInfo["models"][number];

/** A setting of a model: chosen from a list and saved at once. */
function ModelSetting<Value extends string>({
  label,
  value,
  options,
  send,
}: {
  label: string;
  value: Value;
  options: readonly { value: Value; name: string }[];
  send: (value: Value) => Promise<ModelsInfo | undefined>;
}) {
  const refresh = useRefreshModels();
  const { act, busy, problem } = useAct();
  const select = useId();
  return (
    <p className="flex flex-wrap items-center gap-x-2 pr-3 pb-1 pl-9 text-small text-quiet">
      <label htmlFor={select}>{label}</label>
      <Select
        id={select}
        disabled={busy}
        value={value}
        onChoose={(chosen) =>
          void act(async () => {
            await send(chosen);
            await refresh();
          })
        }
        className="h-6 min-w-0 rounded border border-edge bg-paper px-1 text-ink pointer-coarse:h-11"
        options={options}
      />
      {problem && <span role="alert">{problem}</span>}
    </p>
  );
}

/** The option "refused", which the person cannot choose: listed only if a provider's refusal set it. */
const optionIfRefused = (value: string, name: string) =>
  value === "refused" ? [{ value: "refused" as const, name }] : [];

/** Whether a model reads pictures: guessed by its name, reported by its provider, or set by the person. */
export function SeesPictures({ model }: { model: ModelInfo }) {
  const { pictures = "guess" } = model.habits ?? {};
  const guess = model.guessed === undefined ? "unknown" : model.guessed ? "yes" : "no";
  return (
    <ModelSetting
      label={words.models.sees}
      value={pictures}
      options={[
        { value: "guess", name: words.models.guessed[guess] },
        { value: "yes", name: words.models.yes },
        { value: "no", name: words.models.no },
        ...optionIfRefused(pictures, words.models.refused),
      ]}
      send={(value) =>
        setSees(model.id, value === "yes" ? true : value === "no" ? false : undefined)
      }
    />
  );
}

/** How much a model thinks: set by the person, or the model's default. */
export function Thinking({ model }: { model: ModelInfo }) {
  const { thinking = "own" } = model.habits ?? {};
  return (
    <ModelSetting
      label={words.models.thinking}
      value={thinking}
      options={[
        { value: "own", name: words.models.thinks.own },
        ...THINKING_LEVELS.map((value) => ({ value, name: words.models.thinks[value] })),
        ...optionIfRefused(thinking, words.models.thinks.refused),
      ]}
      send={(value) =>
        setThinking(model.id, value === "own" || value === "refused" ? undefined : value)
      }
    />
  );
}

/** How long a model's provider caches prompts; hidden if the provider has no such setting. */
export function PromptCache({ model }: { model: ModelInfo }) {
  const { cache = "own" } = model.habits ?? {};
  if (model.cache === undefined) return null;
  return (
    <ModelSetting
      label={words.models.cache}
      value={cache}
      options={[
        { value: "own", name: words.models.caches.own },
        ...model.cache.map((value) => ({ value, name: words.models.caches[value] })),
        ...optionIfRefused(cache, words.models.caches.refused),
      ]}
      send={(value) =>
        setCache(model.id, value === "own" || value === "refused" ? undefined : value)
      }
    />
  );
}
