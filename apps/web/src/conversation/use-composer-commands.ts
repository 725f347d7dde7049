import type { RunMode } from "@treadle/protocol";
import type { RefObject } from "react";
import { useCommand } from "../commands/available.ts";
import { useWork } from "../project/work-store.ts";
import { useNarrow } from "../ui/use-narrow.ts";

/** Offers the palette commands and keyboard shortcuts for the message being typed and the active turn. */
export function useComposerCommands({
  field,
  mode,
  working,
  onMode,
  onModel,
  onStop,
}: {
  field: RefObject<HTMLTextAreaElement | null>;
  mode: RunMode;
  working: boolean;
  onMode: (mode: RunMode) => void;
  /** Undefined if the model cannot be changed now. */
  onModel: (() => void) | undefined;
  onStop: () => Promise<void>;
}): void {
  const narrow = useNarrow();
  const showPane = useWork((state) => state.showPane);
  const write = () => {
    if (narrow) showPane("chat");
    // A hidden pane cannot take the focus until it is shown.
    requestAnimationFrame(() => field.current?.focus());
  };
  const toggle = (requestedMode: RunMode) => {
    onMode(mode === requestedMode ? "act" : requestedMode);
    field.current?.focus();
  };
  useCommand("say", write);
  useCommand("model", onModel);
  useCommand("plan", !working && (() => toggle("plan")));
  useCommand("discuss", !working && (() => toggle("discuss")));
  useCommand("stop", working && onStop);
}
