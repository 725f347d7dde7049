import { create } from "zustand";
import { readSetting, writeSetting } from "../ui/browser-settings.ts";

const ON = "treadle.completions";
const MODEL = "treadle.completions-model";

interface Completions {
  on: boolean;
  /** `provider:model`; absent: the project's own. */
  model: string | undefined;
  set: (on: boolean) => void;
  choose: (model: string | undefined) => void;
}

/** Whether a model is asked what the person would type next. Off until they want it: each pause in typing costs. */
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
