import type { RunScope } from "../../ports/run-scope.ts";
import { learnHabits, type ObservedModel } from "./observed-model.ts";

/** Stops sending pictures to the model, from its next request on and in later turns. */
export function forgoPictures(observed: ObservedModel, { run, emit }: RunScope): void {
  const { model } = observed;
  model.seesPictures = false;
  learnHabits(observed, { ...model.habits, pictures: "refused" });
  emit({ type: "pictures-refused", run, model: model.id });
}
