import type { KeyboardEvent } from "react";
import { visible } from "@treadle/protocol/safe-text";
import { X } from "../ui/icons.ts";
import { IconButton } from "../ui/button.tsx";
import { RenameField } from "../ui/rename-field.tsx";
import { words } from "../words/words.ts";
import { SERVER_TAB, type Terminals } from "./use-terminals.ts";

const tabId = (id: string) => `terminal-tab-${id}`;

/** The terminals' tabs. A double click or F2 renames one; the arrow keys move between them. */
export function TerminalTabs({
  terminals: { tabs, panes, labelOf, entryOf, isOwn, mayEnd, choose, rename, close },
  renaming,
  onRenaming,
}: {
  terminals: Terminals;
  renaming: string | undefined;
  onRenaming: (tab: string | undefined) => void;
}) {
  const named = (id: string) => {
    const label = labelOf(id);
    const owner = isOwn(id) ? undefined : entryOf(id)?.owner;
    return owner ? words.terminal.ofOwner({ label, owner: visible(owner.name) }) : label;
  };
  const tab = (id: string, label: string, onRename?: () => void) => (
    <button
      type="button"
      role="tab"
      id={tabId(id)}
      aria-selected={panes.chosen === id}
      aria-controls={`terminal-${id}`}
      onClick={() => choose(id)}
      onDoubleClick={onRename}
      onKeyDown={(event) => {
        if (event.key === "F2") onRename?.();
      }}
      className={`max-w-48 shrink-0 truncate border-b-2 px-2.5 text-small -outline-offset-2 ${
        panes.chosen === id
          ? "border-accent text-ink"
          : panes.shown.includes(id)
            ? "border-line text-ink"
            : "border-transparent text-quiet hover:text-ink"
      }`}
    >
      {label}
    </button>
  );
  const ids = [SERVER_TAB, ...(tabs ?? [])].filter((id) => id !== renaming);
  const step = (event: KeyboardEvent<HTMLDivElement>) => {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const at = ids.findIndex((id) => (event.target as Element).id === tabId(id));
    if (by === undefined || at === -1) return;
    event.preventDefault();
    document.getElementById(tabId(ids[(at + by + ids.length) % ids.length]!))?.focus();
  };
  return (
    <div className="flex min-w-0 overflow-x-auto" onKeyDown={step}>
      {/* A tab list may contain only tabs, so it owns them by id, and the close buttons are outside. */}
      <div
        role="tablist"
        aria-label={words.terminal.terminals}
        aria-owns={ids.map(tabId).join(" ")}
      />
      {tab(SERVER_TAB, words.terminal.server)}
      {tabs?.map((one) =>
        renaming === one ? (
          <span key={one} className="flex w-40 shrink-0 items-center px-1">
            <RenameField
              label={words.terminal.name}
              name={labelOf(one)}
              onDone={(label) => {
                onRenaming(undefined);
                return rename(one, label);
              }}
              onCancel={() => onRenaming(undefined)}
            />
          </span>
        ) : (
          <span key={one} className="flex shrink-0 items-stretch">
            {tab(one, named(one), isOwn(one) ? () => onRenaming(one) : undefined)}
            {mayEnd(one) && (
              <IconButton
                name={words.terminal.close({ name: named(one) })}
                className="my-1 size-6"
                onClick={() => close(one)}
              >
                <X size={12} aria-hidden="true" />
              </IconButton>
            )}
          </span>
        ),
      )}
    </div>
  );
}
