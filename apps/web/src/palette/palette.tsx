import { Dialog } from "@base-ui/react/dialog";
import {
  File,
  FolderKanban,
  MessageSquare,
  Settings,
  TextSearch,
  Zap,
  type LucideIcon,
} from "lucide-react";
import { useEffect, useId, useRef, useState, type KeyboardEvent } from "react";
import { readPress, sameKeys } from "../commands/keys.ts";
import { keysOf, type CommandId } from "../commands/list.ts";
import { showOverPage } from "../commands/open-store.ts";
import { readRecent, rememberChosen } from "../commands/recent.ts";
import { KeyCaps } from "../commands/shortcut-list.tsx";
import { words } from "../words/words.ts";
import { foundItems } from "./found-items.ts";
import { useOpenFound } from "./open-found.ts";
import { useFoundEverywhere } from "./use-found-everywhere.ts";
import { offered, type Item, type ItemGroup } from "./items.ts";
import { useItems } from "./use-items.ts";

const ICONS: Record<Item["kind"], LucideIcon> = {
  command: Zap,
  settings: Settings,
  project: FolderKanban,
  file: File,
  message: MessageSquare,
  line: TextSearch,
};

/** Everything that the page does and leads to, by a few letters of its name. */
export default function Palette({ shown }: { shown: "all" | "files" | undefined }) {
  const chosen = useRef<Item>(undefined);
  return (
    <Dialog.Root
      open={shown !== undefined}
      onOpenChange={(open) => !open && showOverPage(undefined)}
      onOpenChangeComplete={(open) => {
        const item = chosen.current;
        chosen.current = undefined;
        // The palette gives the focus back as it goes; what was chosen may take it from there.
        if (!open && item) requestAnimationFrame(() => void item.run());
      }}
    >
      <Dialog.Portal>
        <Dialog.Backdrop className="dim z-50" />
        <Dialog.Popup
          aria-label={words.commands.palette}
          className="floating fixed top-[12vh] left-1/2 z-50 flex max-h-[70vh] w-150 -translate-x-1/2 flex-col overflow-hidden"
        >
          <Search
            key={shown}
            files={shown === "files"}
            onChoose={(item) => {
              chosen.current = item;
              // What was found once is no place that people come back to.
              if (item.kind !== "message" && item.kind !== "line") rememberChosen(item.id);
              showOverPage(undefined);
            }}
          />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

const isPress = (event: KeyboardEvent, id: CommandId) => {
  const press = readPress(event.nativeEvent);
  return keysOf(id).some((keys) => sameKeys(keys) === press);
};

function Search({ files, onChoose }: { files: boolean; onChoose: (item: Item) => void }) {
  const id = useId();
  const [query, setQuery] = useState("");
  const [active, setActive] = useState(0);
  const [recent] = useState(readRecent);
  const items = useItems(files);
  const open = useOpenFound();
  const everywhere = useFoundEverywhere(files ? "" : query, "awake");
  const found = foundItems(everywhere, open);
  const groups = [
    ...offered(items, query, recent),
    ...(found.length > 0 ? [{ name: "foundEverywhere" as const, items: found }] : []),
  ];
  const rows = groups.flatMap((group) => group.items);
  const at = Math.min(active, rows.length - 1);
  const rowId = (item: Item | undefined) => item && `${id}-${rows.indexOf(item)}`;

  const keys = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || event.keyCode === 229) return;
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 }[event.key];
    if (step !== undefined && rows.length > 0) {
      const paged = Math.abs(step) > 1;
      const next = at + step;
      setActive(
        paged ? Math.max(0, Math.min(rows.length - 1, next)) : (next + rows.length) % rows.length,
      );
    } else if (event.key === "Enter") {
      const item = rows[at];
      if (item) onChoose(item);
    } else if (isPress(event, "palette")) showOverPage(files ? "all" : undefined);
    else if (isPress(event, "file")) showOverPage(files ? undefined : "files");
    else return;
    event.preventDefault();
  };

  return (
    <>
      <input
        role="combobox"
        aria-label={files ? words.commands.filesHint : words.commands.hint}
        aria-expanded={rows.length > 0}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={rowId(rows[at])}
        placeholder={files ? words.commands.filesHint : words.commands.hint}
        value={query}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        onChange={(event) => {
          setQuery(event.target.value);
          setActive(0);
        }}
        onKeyDown={keys}
        className="h-12 shrink-0 border-b border-line bg-transparent px-4 text-large outline-none"
      />
      <div
        id={`${id}-list`}
        role="listbox"
        aria-label={words.commands.palette}
        className="min-h-0 overflow-y-auto py-1"
      >
        {groups.map((group) => (
          <Group key={group.name ?? ""} id={id} group={group}>
            {(item) => (
              <Row
                key={item.id}
                id={rowId(item)}
                item={item}
                active={item === rows[at]}
                onPoint={() => setActive(rows.indexOf(item))}
                onChoose={() => onChoose(item)}
              />
            )}
          </Group>
        ))}
      </div>
      {rows.length === 0 && (
        <p className="px-4 pt-1 pb-4 text-quiet">
          {everywhere.going ? words.commands.stillLooking : words.commands.none}
        </p>
      )}
      <p role="status" className="sr-only">
        {query !== "" && words.commands.found(rows.length)}
      </p>
    </>
  );
}

function Group({
  id,
  group: { name, items },
  children,
}: {
  id: string;
  group: ItemGroup;
  children: (item: Item) => React.ReactNode;
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

function Row({
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
  const Icon = ICONS[item.kind];
  const [keys] = item.command === undefined ? [] : keysOf(item.command);
  return (
    <div
      ref={row}
      id={id}
      role="option"
      aria-selected={active}
      // Not by coming to lie under a pointer that rests.
      onPointerMove={() => !active && onPoint()}
      // The field keeps the focus, and a phone its keyboard.
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
