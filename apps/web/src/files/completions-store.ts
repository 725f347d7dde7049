import { create } from "zustand";
import { readSetting, writeSetting } from "../ui/browser-settings.ts";

const ON = "treadle.completions";
const MODEL = "treadle.completions-model";

interface Completions {
  on: boolean;
  /** `provider:model`; undefined uses the project's model. */
  model: string | undefined;
  set: (on: boolean) => void;
  choose: (model: string | undefined) => void;
}

/**
 * Whether a model suggests text in the editor, and which. Off by default, because each pause in typing costs tokens.
 */
export const useCompletions = create<Completions>((set) => ({
  on: readSetting(ON) === "on",
  model: readSetting(MODEL),
  set: (on) => {
    writeSetting(ON, on ? "on" : undefined);
    set({ on });
  },
  choose: (model) => {
    writeSetting(MODEL, model);
    set({ model });
  },
}));
