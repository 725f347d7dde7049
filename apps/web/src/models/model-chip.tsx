import { Suspense, useState } from "react";
import { ChevronDown } from "../ui/icons.ts";
import { modelLabel, useModels } from "../api/queries.ts";
import { withWords, words } from "../words/words.ts";
import { lazyPart } from "../ui/lazy-part.tsx";

// Loaded lazily: most people have chosen a model already, and popovers are a fifth of the first page's scripts.
const { Part: ModelPopover, load: loadPopover } = lazyPart(() =>
  withWords(import("./model-popover.tsx")),
);

export interface ModelChipProps {
  /** `provider:model` that will answer; undefined: the server's default. */
  model?: string | undefined;
  /** Resolves when the choice is stored. */
  onChoose: (model: string) => Promise<void>;
  /** Opens the comparison of several models. */
  onCompare?: () => void;
  /** Set for the planning model, with a function that returns to the general model. */
  planning?: { onSame: (() => Promise<void>) | undefined } | undefined;
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
}

/** Shows which model will answer, and opens the menu that changes it. The menu is loaded on demand. */
export function ModelChip(props: ModelChipProps) {
  const { data: models } = useModels();
  const [isOpenHere, setOpenHere] = useState(false);
  const [wasOpened, setWasOpened] = useState(false);
  const { model, planning, open = isOpenHere } = props;
  if (open && !wasOpened) setWasOpened(true);
  const onOpenChange = props.onOpenChange ?? setOpenHere;
  const shown = model ?? models?.chosen;
  const label = shown === undefined ? words.modelChip.choose : modelLabel(models, shown);
  const name =
    shown === undefined
      ? words.modelChip.choose
      : planning
        ? words.modelChip.forPlanningIs({ label })
        : words.modelChip.modelIs({ label });
  const className = `inline-flex h-7 max-w-60 min-w-0 items-center gap-1 rounded px-2 text-small hover:bg-hover pointer-coarse:min-h-11 ${
    shown === undefined ? "text-accent" : "text-quiet hover:text-ink"
  }`;
  const content = (
    <>
      <span className="truncate">{label}</span>
      <ChevronDown size={14} aria-hidden="true" className="shrink-0" />
    </>
  );
  const button = (
    <button
      type="button"
      aria-label={name}
      aria-haspopup="dialog"
      aria-expanded={false}
      className={className}
      onPointerEnter={() => void loadPopover()}
      onFocus={() => void loadPopover()}
      onClick={() => onOpenChange(true)}
    >
      {content}
    </button>
  );
  if (!wasOpened) return button;
  return (
    <Suspense fallback={button}>
      <ModelPopover {...props} {...{ name, className, shown, open, onOpenChange }}>
        {content}
      </ModelPopover>
    </Suspense>
  );
}
