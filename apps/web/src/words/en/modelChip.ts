export const modelChip = {
  choose: "Choose a model",
  model: "Model",
  modelIs: (label: string) => `Model: ${label}`,
  modelFor: (what: string) => `Model ${what}`,
  modelForIs: (what: string, label: string) => `Model ${what}: ${label}`,
  same: "Same as for building",
  looking: "Looking for models on this machine…",
};
