/** The terminals shown side by side, from the left, and which of them receives input. */
export interface Panes {
  shown: readonly string[];
  chosen: string;
}

/** Maximum number of terminals side by side. */
export const MAX_PANES = 3;

/** Shows a terminal in place of the selected one; selects it if it is already shown. */
export function withPane({ shown, chosen }: Panes, name: string): Panes {
  if (shown.includes(name)) return { shown, chosen: name };
  return { shown: shown.map((one) => (one === chosen ? name : one)), chosen: name };
}

/** Adds a terminal to the right of the selected one, and selects it. Only the first `MAX_PANES` stay. */
export function besideOthers({ shown, chosen }: Panes, name: string): Panes {
  const at = shown.indexOf(chosen) + 1;
  return { shown: shown.toSpliced(at, 0, name).slice(0, MAX_PANES), chosen: name };
}

/** Removes a closed terminal. @param next the terminal to show if the closed one was the only one */
export function withoutPane({ shown, chosen }: Panes, name: string, next: string): Panes {
  const remaining = shown.filter((one) => one !== name);
  if (remaining.length === 0) return { shown: [next], chosen: next };
  return { shown: remaining, chosen: chosen === name ? remaining[0]! : chosen };
}

/** Restores those terminals shown before a reload that still exist. @param first the one to show if none does */
export function readPanes(
  stored: string | undefined,
  there: readonly string[],
  first: string,
): Panes {
  try {
    const { shown, chosen } = JSON.parse(stored ?? "{}") as Partial<Panes>;
    const remaining = (shown ?? []).filter((name) => there.includes(name)).slice(0, MAX_PANES);
    if (remaining.length > 0)
      return {
        shown: remaining,
        chosen: remaining.find((name) => name === chosen) ?? remaining[0]!,
      };
  } catch {
    // The stored value is invalid.
  }
  return { shown: [first], chosen: first };
}
