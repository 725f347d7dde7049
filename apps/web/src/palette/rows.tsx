import { useEffect, useRef, type ReactNode } from "react";
import {
  Braces,
  File,
  FolderKanban,
  MessageSquare,
  Settings,
  TextSearch,
  Zap,
} from "../ui/icons.ts";
import type { Icon } from "../ui/make-icon.tsx";
import { keysOf } from "../commands/list.ts";
import { KeyCaps } from "../commands/shortcut-list.tsx";
import { words } from "../words/words.ts";
import { COMMAND_ICONS } from "./command-icons.ts";
import type { Item, ItemGroup } from "./items.ts";

const ICONS: Record<Item["kind"], Icon> = {
  command: Zap,
  settings: Settings,
  project: FolderKanban,
  file: File,
  message: MessageSquare,
  line: TextSearch,
  symbol: Braces,
};

/** A group of rows with a heading, or without one if it has no name. */
export function Group({
  id,
  group: { name, items },
  children,
}: {
  id: string;
  group: ItemGroup;
  children: (item: Item) => ReactNode;
}) {
  if (name === undefined) return items.map(children);
  return (
    <div role="group" aria-labelledby={`${id}-${name}`} className="pb-1">
      <div id={`${id}-${name}`} role="presentation" className="px-4 pt-1 text-small text-quiet">
        {words.commands[name]}
      </div>
      {items.map(children)}
    </div>
  );
}

/** One item that can be chosen. */
export function Row({
  id,
  item,
  active,
  onPoint,
  onChoose,
}: {
  id: string | undefined;
  item: Item;
  active: boolean;
  onPoint: () => void;
  onChoose: () => void;
}) {
  const row = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (active) row.current?.scrollIntoView({ block: "nearest" });
  }, [active]);
  const Icon = item.command === undefined ? ICONS[item.kind] : COMMAND_ICONS[item.command];
  const [keys] = item.command === undefined ? [] : keysOf(item.command);
  return (
    <div
      ref={row}
      id={id}
      role="option"
      aria-selected={active}
      // Ignores a row that scrolls under a resting pointer.
      onPointerMove={() => !active && onPoint()}
      // Keeps the focus in the field, and a phone's keyboard open.
      onPointerDown={(event) => event.preventDefault()}
      onClick={onChoose}
      className={`mx-1 flex min-h-8 items-center gap-3 rounded px-3 pointer-coarse:min-h-11 ${active ? "bg-hover" : ""}`}
    >
      <Icon size={15} aria-hidden="true" className="shrink-0 text-quiet" />
      <span
        dir="auto"
        className={`min-w-0 truncate ${item.kind === "file" || item.kind === "line" ? "font-mono text-small" : ""}`}
      >
        {item.title}
      </span>
      {item.detail !== undefined && (
        <span className="ml-auto max-w-1/2 shrink-0 truncate text-small text-quiet">
          {item.detail}
        </span>
      )}
      {keys !== undefined && (
        <span className="ml-auto">
          <KeyCaps keys={keys} />
        </span>
      )}
    </div>
  );
}
