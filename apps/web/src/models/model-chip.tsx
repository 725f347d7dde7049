import { Popover } from "@base-ui/react/popover";
import { ChevronDown } from "lucide-react";
import { Suspense } from "react";
import { modelLabel, useModels } from "../api/queries.ts";
import { withWords, words } from "../words/words.ts";
import { lazyPart } from "../ui/lazy-part.tsx";

// Most people who come have chosen theirs.
const { Part: ModelMenu, load: loadMenu } = lazyPart(() => withWords(import("./model-menu.tsx")));

export interface ModelChipProps {
  /** `provider:model` that will be asked; absent: the server's choice. */
  model?: string | undefined;
  /** Resolves when the choice is kept. */
  onChoose: (model: string) => Promise<void>;
  /** Several are to build the same. */
  onCompare?: () => void;
  /** It is for planning alone; with what goes back to the model of all else. */
  planning?: { onSame: (() => Promise<void>) | undefined } | undefined;
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
}

/** Says which model will be asked, and opens the menu that changes it. */
export function ModelChip({
  model,
  onChoose,
  onCompare,
  planning,
  open,
  onOpenChange,
}: ModelChipProps) {
  const { data: models } = useModels();
  const shown = model ?? models?.chosen;
  const label = shown === undefined ? words.modelChip.choose : modelLabel(models, shown);
  return (
    <Popover.Root open={open} onOpenChange={onOpenChange}>
      <Popover.Trigger
        onPointerEnter={() => void loadMenu()}
        onFocus={() => void loadMenu()}
        aria-label={
          shown === undefined
            ? words.modelChip.choose
            : planning
              ? words.modelChip.forPlanningIs({ label })
              : words.modelChip.modelIs({ label })
        }
        className={`inline-flex h-7 max-w-60 min-w-0 items-center gap-1 rounded px-2 text-small hover:bg-hover pointer-coarse:min-h-11 ${
          shown === undefined ? "text-accent" : "text-quiet hover:text-ink"
        }`}
      >
        <span className="truncate">{label}</span>
        <ChevronDown size={14} aria-hidden="true" className="shrink-0" />
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Positioner sideOffset={4} align="start" collisionPadding={8} className="z-40">
          {/* What it holds comes later, and a place that is too low for it would have been chosen by then. */}
          <Popover.Popup className="floating min-h-60 w-90">
            <Popover.Title className={planning ? "px-3 pt-2 text-small text-quiet" : "sr-only"}>
              {planning ? words.modelChip.forPlanning : words.modelChip.model}
            </Popover.Title>
            {planning?.onSame && (
              <button
                type="button"
                onClick={() => void planning.onSame!().then(() => onOpenChange?.(false))}
                className="w-full px-3 py-1 text-left -outline-offset-2 hover:bg-hover pointer-coarse:min-h-11"
              >
                {words.modelChip.same}
              </button>
            )}
            <Suspense fallback={<p className="p-3 text-quiet">{words.modelChip.looking}</p>}>
              <ModelMenu
                chosen={shown}
                begins
                onCompare={
                  onCompare && shown !== undefined
                    ? () => {
                        onOpenChange?.(false);
                        onCompare();
                      }
                    : undefined
                }
                onChoose={async (next) => {
                  await onChoose(next);
                  onOpenChange?.(false);
                }}
              />
            </Suspense>
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}
