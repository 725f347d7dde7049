import type { ModelHabits } from "@treadle/protocol";
import type { Model } from "../../ports/model.ts";

/** A model, and the callback that stores its habits for later turns. */
export interface ObservedModel {
  readonly model: Model;
  /** Called with the new habits, which replace the earlier ones. */
  learn?: ((habits: ModelHabits) => void) | undefined;
}

/** Stores what was observed of the model. */
export function learnHabits({ model, learn }: ObservedModel, habits: ModelHabits): void {
  model.habits = habits;
  learn?.(habits);
}
