import { visible } from "@treadle/protocol/safe-text";
import type { Item } from "./items.ts";
import type { Found } from "./use-found-everywhere.ts";

/** Converts results from all projects to palette items. */
export function foundItems(
  { found }: Found,
  open: (one: Found["found"][number]) => void,
): readonly Item[] {
  return found.flatMap((one, index): Item[] => {
    if (one.kind === "project") return [];
    const where = one.kind === "line" ? `${one.path}:${one.line}` : undefined;
    return [
      {
        id: `found ${index} ${one.project}`,
        kind: one.kind,
        title: visible(one.text),
        detail: visible([one.name, where].filter(Boolean).join(" · ")),
        run: () => open(one),
      },
    ];
  });
}
