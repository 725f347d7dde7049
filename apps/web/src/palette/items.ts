import { fuzzy } from "../commands/fuzzy.ts";
import type { CommandId } from "../commands/list.ts";

/** One thing that can be chosen. */
export interface Item {
  /** What it is and which: `command check`, `file src/App.tsx`. */
  id: string;
  kind: "command" | "settings" | "project" | "file" | "message" | "line" | "symbol";
  title: string;
  /** Where it stands, beside it. */
  detail?: string;
  /** Found by it too, and not shown. */
  alias?: string;
  command?: CommandId;
  run: () => unknown;
}

export interface ItemGroup {
  /** Undefined: what was found, all kinds together. */
  name: "recent" | "actions" | "projects" | "files" | "foundEverywhere" | undefined;
  items: readonly Item[];
}

/** So many rows at the most: whoever looks for more types on. */
const MOST = 60;
/**
 * Points by which a kind comes before files that fit as well: a word that is a command's is seldom meant as a piece of a path.
 */
const RANK: Partial<Record<Item["kind"], number>> = { command: 8, project: 6, settings: 4 };
/** So many of what was chosen last stand above all else. */
const RECENT = 5;

/**
 * What is offered: with nothing typed what was chosen last, then all the rest by its kind; else what fits, the best first.
 * @param recent ids of what was chosen, the newest first
 */
export function offered(
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
      .slice(0, MOST)
      .map(({ item }) => item);
    return found.length === 0 ? [] : [{ name: undefined, items: found }];
  }
  const byId = new Map(items.map((item) => [item.id, item]));
  const last = recent.flatMap((id) => byId.get(id) ?? []).slice(0, RECENT);
  const rest = (kinds: readonly Item["kind"][]) =>
    items.filter((item) => kinds.includes(item.kind) && !last.includes(item)).slice(0, MOST);
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
  // A file's own name is what is typed first; its folders help where there are several of that name.
  const score = best(
    fuzzy(title.slice(title.lastIndexOf("/") + 1), query),
    fuzzy(title, query),
    30,
  );
  // Of two that fit alike, the one that lies less deep.
  return score === undefined ? undefined : score - title.length / 20;
}

/** The better of two; the second counts for less. */
function best(
  first: number | undefined,
  second: number | undefined,
  less: number,
): number | undefined {
  if (second === undefined) return first;
  return Math.max(first ?? -Infinity, second - less);
}
