/** Number of attempts per model, by its id. */
export type AttemptCounts = Readonly<Record<string, number>>;

/** Maximum attempts per model, and in total. */
export const MAX_ATTEMPTS_EACH = 4;
export const MAX_ATTEMPTS = 8;

/** Adds or removes one attempt of a model; returns the same counts if that would exceed a limit. */
export function changeCount(counts: AttemptCounts, model: string, by: 1 | -1): AttemptCounts {
  const now = counts[model] ?? 0;
  const next = now + by;
  if (next < 0 || next > MAX_ATTEMPTS_EACH || (by > 0 && countOf(counts) >= MAX_ATTEMPTS))
    return counts;
  return { ...counts, [model]: next };
}

export const countOf = (counts: AttemptCounts): number =>
  Object.values(counts).reduce((sum, one) => sum + one, 0);

/** The models of all attempts, in order: the first attempt of each model comes before the second of any. */
export function attemptsOf(counts: AttemptCounts): string[] {
  const models = Object.entries(counts);
  return Array.from({ length: MAX_ATTEMPTS_EACH }, (_, round) =>
    models.flatMap(([model, amount]) => (amount > round ? [model] : [])),
  ).flat();
}

/** The initial choice: the selected model and another one, or the selected one twice if it is the only one. */
export function initialCounts(
  chosen: string | undefined,
  models: readonly string[],
): AttemptCounts {
  const model = chosen ?? models[0];
  if (model === undefined) return {};
  const other = models.some((one) => one !== model);
  return { [model]: other ? 1 : 2 };
}
