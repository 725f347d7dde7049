export const history = {
  nothingYet: "Nothing was kept yet. Each change makes a checkpoint.",
  checkpoints: "Checkpoints",
  changesOf: (title: string) => `Changes of ${title}`,
  changes: "Changes",
  now: "now",
  asNow: "as now",
  stopFirst: "Stop the work first",
  goBackTo: (title: string) => `Go back to ${title}`,
  goBack: "Go back",
  history: "History",
};
