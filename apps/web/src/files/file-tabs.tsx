import type { ProjectPath } from "@treadle/protocol";
import { nameOf } from "./name-of.ts";
import { useEffect, useRef, useState, type KeyboardEvent, type ReactNode } from "react";
import { Columns2, X } from "../ui/icons.ts";
import { IconButton } from "../ui/button.tsx";
import { words } from "../words/words.ts";
import { TabMenu } from "./tab-menu.tsx";
import type { TabsState } from "./tabs-store.ts";
import { visibleName } from "./tree.ts";

/** A private media type, so that nothing but the tab bar accepts a dragged tab. */
const CARRIED = "application/x-treadle-tab";

/** The tabs of the open files. On the keyboard, Delete closes a tab and Alt with an arrow key moves it. */
export function FileTabs({
  files: { tabs, edited, keepOpen, move, showBeside },
  path: shown,
  lead,
  onShow,
  onClose,
}: {
  files: TabsState;
  path: ProjectPath | undefined;
  lead: ReactNode;
  onShow: (path: ProjectPath) => void;
  onClose: (path: ProjectPath) => void;
}) {
  const [dropPlace, setDropPlace] = useState<number>();
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    list.current
      ?.querySelector('[aria-current="true"]')
      ?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, [shown, tabs.length]);
  const names = tabs.map(({ path }) => nameOf(path));
  const labelOf = (path: ProjectPath) => {
    const name = nameOf(path);
    // Two files with the same name are shown with their paths.
    return names.indexOf(name) === names.lastIndexOf(name) ? name : path;
  };
  const press = (event: KeyboardEvent, path: ProjectPath, place: number) => {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (event.key === "Delete") onClose(path);
    else if (step !== 0 && event.altKey) move(path, place + step);
    else if (step !== 0)
      list.current?.querySelectorAll<HTMLElement>("[data-tab]")[place + step]?.focus();
    else return;
    event.preventDefault();
  };
  return (
    <div className="flex h-9 shrink-0 items-center border-b border-line">
      <span className="shrink-0 px-1">{lead}</span>
      <TabMenu tabs={tabs} onClose={onClose}>
        <ul
          ref={list}
          aria-label={words.editor.openFiles}
          className="flex h-full overflow-x-auto [scrollbar-width:none]"
        >
          {tabs.map(({ path, kept: isPermanent }, place) => (
            <li
              key={path}
              data-tab-of={path}
              draggable
              onDragStart={(event) => event.dataTransfer.setData(CARRIED, path)}
              onDragOver={(event) => {
                if (!event.dataTransfer.types.includes(CARRIED)) return;
                event.preventDefault();
                setDropPlace(place);
              }}
              onDragLeave={() => setDropPlace(undefined)}
              onDrop={(event) => {
                setDropPlace(undefined);
                const from = event.dataTransfer.getData(CARRIED) as ProjectPath;
                if (from === "") return;
                event.preventDefault();
                event.stopPropagation();
                move(from, place);
              }}
              className={`group/tab flex shrink-0 items-center border-r border-line pr-1 text-small ${
                path === shown ? "bg-raised text-ink" : "text-quiet hover:bg-hover hover:text-ink"
              } ${dropPlace === place ? "shadow-[inset_2px_0_var(--accent)]" : ""}`}
            >
              <button
                type="button"
                data-tab
                aria-current={path === shown}
                title={visibleName(path)}
                onKeyDown={(event) => press(event, path, place)}
                onClick={(event) => (event.altKey ? showBeside(path) : onShow(path))}
                onDoubleClick={() => keepOpen(path)}
                onAuxClick={(event) => {
                  if (event.button === 1) onClose(path);
                }}
                className={`h-full max-w-50 truncate pr-1 pl-3 -outline-offset-2 ${isPermanent ? "" : "italic"}`}
              >
                {visibleName(labelOf(path))}
                {edited.has(path) && <span className="sr-only"> {words.editor.notSaved}</span>}
              </button>
              <button
                type="button"
                aria-label={words.editor.close({ name: visibleName(path) })}
                title={words.editor.close({ name: visibleName(path) })}
                onClick={() => onClose(path)}
                className="relative flex size-6 items-center justify-center rounded text-quiet -outline-offset-2 hover:bg-hover hover:text-ink pointer-coarse:size-11"
              >
                {edited.has(path) && (
                  <span
                    aria-hidden="true"
                    className="size-2 rounded-full bg-accent group-focus-within/tab:hidden group-hover/tab:hidden"
                  />
                )}
                <X
                  size={13}
                  aria-hidden="true"
                  className={
                    edited.has(path)
                      ? "hidden group-focus-within/tab:block group-hover/tab:block"
                      : path === shown
                        ? ""
                        : "opacity-0 group-focus-within/tab:opacity-100 group-hover/tab:opacity-100 pointer-coarse:opacity-100"
                  }
                />
              </button>
            </li>
          ))}
        </ul>
      </TabMenu>
      {shown !== undefined && (
        <IconButton
          name={words.editor.split}
          className="mx-1 max-wide:hidden"
          onClick={() => showBeside(shown)}
        >
          <Columns2 size={15} aria-hidden="true" />
        </IconButton>
      )}
    </div>
  );
}
