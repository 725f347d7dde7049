import { useEffectEvent, useRef, type RefObject } from "react";
import { useCommand } from "../commands/available.ts";
import { useLostFocus } from "../ui/use-lost-focus.ts";
import { useNarrow } from "../ui/use-narrow.ts";
import { chooseBeside, useBeside } from "./beside-choice.ts";

/** Elements to jump to: each change, and closed files. */
const STOPS = '[data-change], [data-file] > :has(> [aria-expanded="false"])';

/** Keyboard shortcuts of the diff list. @returns a function that jumps to the next or previous change */
export function useChangeCommands(list: RefObject<HTMLElement | null>): (step: 1 | -1) => void {
  const narrow = useNarrow();
  const stops = () => [...(list.current?.querySelectorAll<HTMLElement>(STOPS) ?? [])];
  const here = () =>
    document.activeElement?.closest<HTMLElement>("[data-change], [data-file] > *") ?? undefined;

  // After an undo, the focus moves to the change in its place, or to the pane if none is left.
  const place = useRef(0);
  useLostFocus(
    list,
    () => {
      const all = stops();
      const next = all[Math.min(place.current, all.length - 1)];
      return (
        next?.querySelector<HTMLElement>("[data-expand]") ??
        next ??
        list.current?.closest<HTMLElement>("[role=tabpanel]")
      );
    },
    () =>
      (place.current = Math.max(
        0,
        stops().findIndex((one) => one === here()),
      )),
  );
  /** The target of the last jump, because clicking the button moves the focus away. */
  const last = useRef<HTMLElement>(undefined);
  const isInView = (one: HTMLElement) => {
    const [shown, viewport] = [one, list.current ?? document.body].map((each) =>
      each.getBoundingClientRect(),
    );
    return shown!.bottom > viewport!.top && shown!.top < viewport!.bottom;
  };
  const jump = useEffectEvent((step: 1 | -1) => {
    const all = stops();
    const from = here() ?? (last.current && isInView(last.current) ? last.current : undefined);
    const at = all.findIndex((one) => one === from);
    // If the focus is not on a stop: the first stop below the top edge, or the last above it.
    const edge = list.current?.getBoundingClientRect().top ?? 0;
    const below = all.findIndex((one) => one.getBoundingClientRect().top >= edge);
    const to = at !== -1 ? at + step : step === 1 ? below : (below === -1 ? all.length : below) - 1;
    const next = all[Math.max(0, Math.min(all.length - 1, to))];
    last.current = next;
    const line = next?.querySelector<HTMLElement>("[data-expand]");
    if (line?.ariaExpanded === "false") line.click();
    next?.scrollIntoView({ block: "center" });
    (line ?? next)?.focus({ preventScroll: true });
  });
  const press = useEffectEvent((button: "keep" | "undo") => {
    const change = here() ?? stops()[0];
    change?.querySelector<HTMLElement>(`[data-${button}]`)?.click();
  });

  useCommand("nextChange", () => jump(1));
  useCommand("previousChange", () => jump(-1));
  useCommand("keepChange", () => press("keep"));
  useCommand("undoChange", () => press("undo"));
  useCommand("besideChange", !narrow && (() => chooseBeside(!useBeside.getState().beside)));
  return (step) => jump(step);
}
