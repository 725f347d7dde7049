import { useEffect, useRef } from "react";
import { visible } from "@treadle/protocol/safe-text";
import {
  AtSign,
  File,
  Folder,
  Library,
  Link,
  MessageSquareQuote,
  SquareSlash,
} from "../ui/icons.ts";
import type { Suggestion } from "./suggestions.ts";
import { words } from "../words/words.ts";

const ICONS = {
  word: AtSign,
  file: File,
  folder: Folder,
  link: Link,
  resource: Library,
  prompt: MessageSquareQuote,
  command: SquareSlash,
};

const isCommand = (item: Suggestion | undefined) =>
  item?.kind === "prompt" || item?.kind === "command";

/** The list of mentions or commands beside the field, which keeps the focus. */
export function MentionList({
  id,
  items,
  active,
  side,
  note,
  onChoose,
}: {
  id: string;
  items: readonly Suggestion[];
  active: number;
  side: "above" | "below";
  /** Shown below the items. */
  note: string | undefined;
  onChoose: (item: Suggestion) => void;
}) {
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    list.current?.children[active]?.scrollIntoView({ block: "nearest" });
  }, [active]);
  const place = side === "above" ? "bottom-full mb-1" : "top-full mt-1";
  return (
    <div className={`floating absolute inset-x-0 z-30 ${place}`}>
      {items.length > 0 && (
        <ul
          ref={list}
          id={id}
          role="listbox"
          aria-label={isCommand(items[0]) ? words.prompt.commands : words.prompt.pointAt}
          className="max-h-64 overflow-y-auto py-1"
        >
          {items.map((item, index) => {
            const Icon = ICONS[item.kind];
            return (
              <li
                key={item.text}
                id={`${id}-${index}`}
                role="option"
                aria-selected={index === active}
                // Keeps the focus in the field, and a phone's keyboard open.
                onPointerDown={(event) => event.preventDefault()}
                onClick={() => onChoose(item)}
                className={`flex cursor-pointer items-center gap-2 px-3 py-1 pointer-coarse:min-h-11 ${
                  index === active ? "bg-hover" : "hover:bg-hover"
                }`}
              >
                <Icon size={14} aria-hidden="true" className="shrink-0 text-quiet" />
                <span
                  className={`${item.kind === "command" ? "shrink-0" : "min-w-0 truncate"} ${item.kind === "word" ? "" : "font-mono text-small"}`}
                >
                  {visible(item.label)}
                </span>
                <span
                  className={`ml-auto text-small text-quiet ${
                    isCommand(item) || item.kind === "resource"
                      ? "min-w-[30%] truncate text-right"
                      : "shrink-0"
                  }`}
                >
                  {visible(item.about)}
                </span>
              </li>
            );
          })}
        </ul>
      )}
      {note !== undefined && (
        <p className="border-t border-line px-3 py-1 text-small text-quiet first:border-0">
          {note}
        </p>
      )}
    </div>
  );
}
