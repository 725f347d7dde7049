import { Dialog } from "@base-ui/react/dialog";
import { useId, useRef, useState, type KeyboardEvent } from "react";
import { readPress, sameKeys } from "../commands/keys.ts";
import { keysOf, type CommandId } from "../commands/list.ts";
import { showOverlay } from "../commands/overlay-store.ts";
import { readRecent, rememberChosen } from "../commands/recent.ts";
import { isComposing } from "../ui/composing.ts";
import { words } from "../words/words.ts";
import { foundItems } from "./found-items.ts";
import { useOpenFound } from "./open-found.ts";
import { useFoundEverywhere } from "./use-found-everywhere.ts";
import { offeredItems, type Item, type ItemGroup } from "./items.ts";
import { Group, Row } from "./rows.tsx";
import { useItems } from "./use-items.ts";
import { SYMBOL, useSymbols } from "./use-symbols.ts";

/** Finds every command and destination of the page by a few letters of its name. */
export default function Palette({ shown }: { shown: "all" | "files" | "symbols" | undefined }) {
  const chosen = useRef<Item>(undefined);
  return (
    <Dialog.Root
      open={shown !== undefined}
      onOpenChange={(open) => !open && showOverlay(undefined)}
      onOpenChangeComplete={(open) => {
        const item = chosen.current;
        chosen.current = undefined;
        // The palette restores the focus as it closes; the chosen command may then move it.
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
            begins={shown === "symbols" ? SYMBOL : ""}
            onChoose={(item) => {
              chosen.current = item;
              // A search result is not a destination that people return to.
              if (item.kind !== "message" && item.kind !== "line" && item.kind !== "symbol")
                rememberChosen(item.id);
              showOverlay(undefined);
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

function Search({
  files,
  begins,
  onChoose,
}: {
  files: boolean;
  /** Initial text of the field. */
  begins: string;
  onChoose: (item: Item) => void;
}) {
  const id = useId();
  const [query, setQuery] = useState(begins);
  const [active, setActive] = useState(0);
  const [recent] = useState(readRecent);
  const items = useItems(files);
  const open = useOpenFound();
  const symbols = useSymbols(query);
  const everywhere = useFoundEverywhere(files || symbols ? "" : query, "awake");
  const found = foundItems(everywhere, open);
  const groups: readonly ItemGroup[] = symbols
    ? [{ name: undefined, items: symbols.items }]
    : [
        ...offeredItems(items, query, recent),
        ...(found.length > 0 ? [{ name: "foundEverywhere" as const, items: found }] : []),
      ];
  const rows = groups.flatMap((group) => group.items);
  const at = Math.min(active, rows.length - 1);
  const rowId = (item: Item | undefined) => item && `${id}-${rows.indexOf(item)}`;

  const keys = (event: KeyboardEvent) => {
    if (isComposing(event.nativeEvent)) return;
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
    } else if (isPress(event, "palette")) showOverlay(files ? "all" : undefined);
    else if (isPress(event, "file")) showOverlay(files ? undefined : "files");
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
          {everywhere.isSearching || symbols?.isSearching
            ? words.commands.stillLooking
            : words.commands.none}
        </p>
      )}
      <p role="status" className="sr-only">
        {query !== "" && words.commands.found({ amount: rows.length })}
      </p>
    </>
  );
}
