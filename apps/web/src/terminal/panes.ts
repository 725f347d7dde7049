/** What is shown side by side, from the left, and which of it is typed into. */
export interface Panes {
  shown: readonly string[];
  chosen: string;
}

/** Terminals that are shown side by side at most. */
export const PANES = 3;

/** Shows one where the chosen one was; one that is shown already is chosen. */
export function withPane({ shown, chosen }: Panes, name: string): Panes {
  if (shown.includes(name)) return { shown, chosen: name };
  return { shown: shown.map((one) => (one === chosen ? name : one)), chosen: name };
}

/** Shows one more, to the right of the chosen one. */
export function besideOthers({ shown, chosen }: Panes, name: string): Panes {
  const at = shown.indexOf(chosen) + 1;
  return { shown: shown.toSpliced(at, 0, name).slice(0, PANES), chosen: name };
}

/** Without one that is closed. @param next what is shown where it was the only one */
export function withoutPane({ shown, chosen }: Panes, name: string, next: string): Panes {
  const left = shown.filter((one) => one !== name);
  if (left.length === 0) return { shown: [next], chosen: next };
  return { shown: left, chosen: chosen === name ? left[0]! : chosen };
}

/** What was shown before a reload, as far as it is there still. @param first shown where nothing is */
export function readPanes(
  stored: string | undefined,
  there: readonly string[],
  first: string,
): Panes {
  try {
    const { shown, chosen } = JSON.parse(stored ?? "{}") as Partial<Panes>;
    const left = (shown ?? []).filter((name) => there.includes(name)).slice(0, PANES);
    if (left.length > 0)
      return { shown: left, chosen: left.find((name) => name === chosen) ?? left[0]! };
  } catch {
    // Nothing of use was kept.
  }
  return { shown: [first], chosen: first };
}
