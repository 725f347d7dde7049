import { Popover } from "@base-ui/react/popover";
import { useRef, type ReactNode } from "react";
import { words } from "../words/words.ts";
import type { ModelChipProps } from "./model-chip.tsx";
import ModelMenu from "./model-menu.tsx";

interface ModelPopoverProps extends ModelChipProps {
  /** The button's contents. */
  children: ReactNode;
  /** The button's accessible name. */
  name: string;
  className: string;
  /** The selected `provider:model`. */
  shown: string | undefined;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** The menu of models, with its button. */
export default function ModelPopover({
  children,
  name,
  className,
  shown,
  onChoose,
  onCompare,
  planning,
  open,
  onOpenChange,
}: ModelPopoverProps) {
  const popup = useRef<HTMLDivElement>(null);
  /**
   * The search field, to be focused first. `true`, the popover's default, on touch screens, where a keyboard would cover
   * the list, and while the list has not loaded; it then takes the focus itself.
   */
  const beginning = () =>
    matchMedia("(pointer: coarse)").matches ||
    (popup.current?.querySelector<HTMLElement>('input[type="search"]') ?? true);
  return (
    <Popover.Root open={open} onOpenChange={onOpenChange}>
      <Popover.Trigger aria-label={name} className={className}>
        {children}
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Positioner sideOffset={4} align="start" collisionPadding={8} className="z-40">
          {/* The list of models loads later, so the popover's position is computed for its final height. */}
          <Popover.Popup ref={popup} initialFocus={beginning} className="floating min-h-60 w-90">
            <Popover.Title className={planning ? "px-3 pt-2 text-small text-quiet" : "sr-only"}>
              {planning ? words.modelChip.forPlanning : words.modelChip.model}
            </Popover.Title>
            {planning?.onSame && (
              <button
                type="button"
                onClick={() => void planning.onSame!().then(() => onOpenChange(false))}
                className="w-full px-3 py-1 text-left -outline-offset-2 hover:bg-hover pointer-coarse:min-h-11"
              >
                {words.modelChip.same}
              </button>
            )}
            <ModelMenu
              chosen={shown}
              begins
              onCompare={
                onCompare && shown !== undefined
                  ? () => {
                      onOpenChange(false);
                      onCompare();
                    }
                  : undefined
              }
              onChoose={async (next) => {
                await onChoose(next);
                onOpenChange(false);
              }}
            />
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}
