import { toolKind } from "@treadle/protocol/tools";
import type {
  PicturesRefusedItem,
  ToolsMissingItem,
  CallItem,
  GroupItem,
  LookItem,
  ProtectedFilesItem,
  RepairItem,
  InterjectionItem,
  TextItem,
  TurnItem,
} from "./types.ts";
import { words } from "../words/words.ts";

/** The conversation's lines for a turn, one line or block each. */
export type StepLine =
  | { kind: "text"; item: TextItem }
  | { kind: "said"; item: InterjectionItem }
  | { kind: "reasoning"; item: TextItem }
  | { kind: "call"; item: CallItem }
  /** Two or more consecutive successful calls of one tool. */
  | { kind: "calls"; key: string; title: string; items: CallItem[] }
  | { kind: "repair"; item: RepairItem }
  | { kind: "pictures-refused"; item: PicturesRefusedItem }
  | { kind: "tools-missing"; item: ToolsMissingItem }
  | { kind: "protected-files"; item: ProtectedFilesItem }
  | { kind: "group"; item: GroupItem }
  | { kind: "look"; item: LookItem };

/** Folds consecutive calls of the same tool into one line. A failed or unfinished call keeps its own line. */
export function stepLines(items: readonly TurnItem[]): StepLine[] {
  const lines: StepLine[] = [];
  for (const item of items) {
    if (item.kind !== "call") {
      if (item.kind === "text" && item.text.length === 0) continue;
      lines.push({ kind: item.kind, item } as StepLine);
      continue;
    }
    if (shownElsewhere(item)) continue;
    const last = lines.at(-1);
    const plural = manyOf(item.tool);
    if (plural && item.status === "ok") {
      if (last?.kind === "call" && last.item.tool === item.tool && last.item.status === "ok") {
        const both = [last.item, item];
        lines[lines.length - 1] = {
          kind: "calls",
          key: last.item.call,
          title: plural({ amount: both.length }),
          items: both,
        };
        continue;
      }
      if (last?.kind === "calls" && last.items[0]?.tool === item.tool) {
        last.items.push(item);
        last.title = plural({ amount: last.items.length });
        continue;
      }
    }
    lines.push({ kind: "call", item });
  }
  return lines;
}

/** The wording for consecutive calls of one tool; undefined if there is none. */
function manyOf(tool: string): ((values: { amount: number }) => string) | undefined {
  return Object.hasOwn(words.fold.many, tool)
    ? words.fold.many[tool as keyof typeof words.fold.many]
    : undefined;
}

/**
 * Whether a call is shown elsewhere: the to-do list has its own block, and the call that ends a turn is on its card.
 */
function shownElsewhere({ tool, status }: CallItem): boolean {
  const kind = toolKind(tool);
  return (kind === "plans" || kind === "ends") && status !== "error" && status !== "denied";
}
