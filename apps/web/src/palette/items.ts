import { fuzzy } from "../commands/fuzzy.ts";
import type { CommandId } from "../commands/list.ts";

/** An item of the palette. */
export interface Item {
  /** Kind and id: `command check`, `file src/App.tsx`. */
  id: string;
  kind: "command" | "settings" | "project" | "file" | "message" | "line" | "symbol";
  title: string;
  /** The item's location, shown beside the title. */
  detail?: string;
  /** Also searched, but not shown. */
  alias?: string;
  command?: CommandId;
  run: () => unknown;
}

export interface ItemGroup {
  /** Undefined for search results, all kinds together. */
  name: "recent" | "actions" | "projects" | "files" | "foundEverywhere" | undefined;
  items: readonly Item[];
}

/** Maximum number of rows; the person can type more to narrow them. */
const MAX_ITEMS = 60;
/** Bonus points per kind: a command's name is rarely meant as part of a path. */
const RANK: Partial<Record<Item["kind"], number>> = { command: 8, project: 6, settings: 4 };
/** Number of recent choices shown first. */
const MAX_RECENT_ITEMS = 5;

/**
 * The items to show: without a query the recent choices, then everything else by kind; with a query the matches, the
 * best first.
 * @param recent ids of recent choices, the newest first
 */
export function offeredItems(
  items: readonly Item[],
  query: string,
  recent: readonly string[],
): readonly ItemGroup[] {
  if (query.trim() !== "") {
    const found = items
      .flatMap((item) => {
        const score = scoreOf(item, query);
        if (score === undefined) return [];
        const rank = RANK[item.kind] ?? 0;
        return [{ item, score: score + rank + (recent.includes(item.id) ? 12 : 0) }];
      })
      .toSorted((a, b) => b.score - a.score)
      .slice(0, MAX_ITEMS)
      .map(({ item }) => item);
    return found.length === 0 ? [] : [{ name: undefined, items: found }];
  }
  const byId = new Map(items.map((item) => [item.id, item]));
  const last = recent.flatMap((id) => byId.get(id) ?? []).slice(0, MAX_RECENT_ITEMS);
  const rest = (kinds: readonly Item["kind"][]) =>
    items.filter((item) => kinds.includes(item.kind) && !last.includes(item)).slice(0, MAX_ITEMS);
  const groups: ItemGroup[] = [
    { name: "recent", items: last },
    { name: "actions", items: rest(["command", "settings"]) },
    { name: "projects", items: rest(["project"]) },
    { name: "files", items: rest(["file"]) },
  ];
  return groups.filter((group) => group.items.length > 0);
}

function scoreOf({ kind, title, alias }: Item, query: string): number | undefined {
  if (kind !== "file")
    return best(fuzzy(title, query), alias === undefined ? undefined : fuzzy(alias, query), 20);
  // People type the file's name first; its folders distinguish files of the same name.
  const score = best(
    fuzzy(title.slice(title.lastIndexOf("/") + 1), query),
    fuzzy(title, query),
    30,
  );
  // Of two equal matches, the shorter path wins.
  return score === undefined ? undefined : score - title.length / 20;
}

/** The better of two scores, of which the second is lowered by `less`; undefined if neither text matched. */
function best(
  first: number | undefined,
  second: number | undefined,
  less: number,
): number | undefined {
  if (second === undefined) return first;
  return Math.max(first ?? -Infinity, second - less);
}
