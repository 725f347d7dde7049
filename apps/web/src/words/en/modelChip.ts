export const modelChip = {
  choose: "Choose a model",
  model: "Model",
  modelIs: (label: string) => `Model: ${label}`,
  forPlanning: "Model for planning",
  forPlanningIs: (label: string) => `Model for planning: ${label}`,
  same: "Same as for building",
  looking: "Looking for models on this machine…",
};
