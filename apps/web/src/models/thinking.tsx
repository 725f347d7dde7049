import type { ProviderInfo } from "@treadle/protocol";
import { THINKING_LEVELS } from "@treadle/protocol/models";
import { useId } from "react";
import { setThinking } from "../api/models.ts";
import { useRefreshModels } from "../api/queries.ts";
import { Select } from "../ui/select.tsx";
import { useAct } from "../ui/use-act.ts";
import { words } from "../words/words.ts";

/** How much a model is told to think: as the person says, or nothing is said. */
export function Thinking({ model }: { model: ProviderInfo["models"][number] }) {
  const refresh = useRefreshModels();
  const { act, busy, problem } = useAct();
  const select = useId();
  const { thinking = "own" } = model.habits ?? {};
  return (
    <p className="flex flex-wrap items-center gap-x-2 pr-3 pb-1 pl-9 text-small text-quiet">
      <label htmlFor={select}>{words.models.thinking}</label>
      <Select
        id={select}
        disabled={busy}
        value={thinking}
        onChoose={(value: string) =>
          void act(async () => {
            await setThinking(
              model.id,
              THINKING_LEVELS.find((level) => level === value),
            );
            await refresh();
          })
        }
        className="h-6 min-w-0 rounded border border-edge bg-paper px-1 text-ink pointer-coarse:h-11"
        options={[
          { value: "own", name: words.models.thinks.own },
          ...THINKING_LEVELS.map((level) => ({ value: level, name: words.models.thinks[level] })),
          ...(thinking === "refused"
            ? [{ value: thinking, name: words.models.thinks.refused }]
            : []),
        ]}
      />
      {problem && <span role="alert">{problem}</span>}
    </p>
  );
}
