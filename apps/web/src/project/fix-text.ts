/** What the model is asked when a person wants repaired what a look saw. */
export const fixText = (reason: string) =>
  `The check failed: ${reason}\n\nFind the cause and fix it.`;
