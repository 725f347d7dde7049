/** How many attempts of each model are wanted, by its id. */
export type Wanted = Readonly<Record<string, number>>;

/** Attempts of one model, and of all together. */
export const MOST_EACH = 4;
export const MOST = 8;

/** One more or one less of a model, as far as there may be. */
export function changeWanted(counts: Wanted, model: string, by: 1 | -1): Wanted {
  const now = counts[model] ?? 0;
  const next = now + by;
  if (next < 0 || next > MOST_EACH || (by > 0 && countOf(counts) >= MOST)) return counts;
  return { ...counts, [model]: next };
}

export const countOf = (counts: Wanted): number =>
  Object.values(counts).reduce((sum, one) => sum + one, 0);

/** Every attempt by its model, the first of each before the second of any. */
export function attemptsOf(counts: Wanted): string[] {
  const models = Object.entries(counts);
  return Array.from({ length: MOST_EACH }, (_, round) =>
    models.flatMap(([model, amount]) => (amount > round ? [model] : [])),
  ).flat();
}

/** To begin with: the model that is chosen, twice where there is no other. */
export function firstWanted(chosen: string | undefined, models: readonly string[]): Wanted {
  const model = chosen ?? models[0];
  if (model === undefined) return {};
  const other = models.some((one) => one !== model);
  return { [model]: other ? 1 : 2 };
}
