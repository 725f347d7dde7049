import { AtSign, File, Folder, Link } from "lucide-react";
import { useEffect, useRef } from "react";
import { visible } from "../ui/visible.ts";
import type { Suggestion } from "./suggestions.ts";

const ICONS = { word: AtSign, file: File, folder: Folder, link: Link };

/** What can be pointed at, beside the field that is typed in: the focus stays there. */
export function MentionList({
  id,
  items,
  active,
  side,
  onChoose,
}: {
  id: string;
  items: readonly Suggestion[];
  active: number;
  side: "above" | "below";
  onChoose: (item: Suggestion) => void;
}) {
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    list.current?.children[active]?.scrollIntoView({ block: "nearest" });
  }, [active]);
  const place = side === "above" ? "bottom-full mb-1" : "top-full mt-1";
  return (
    <ul
      ref={list}
      id={id}
      role="listbox"
      aria-label="Point at"
      className={`floating absolute inset-x-0 z-30 max-h-64 overflow-y-auto py-1 ${place}`}
    >
      {items.map((item, index) => {
        const Icon = ICONS[item.kind];
        return (
          <li
            key={item.text}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === active}
            // The field must keep the focus, and a phone its keyboard.
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => onChoose(item)}
            className={`flex cursor-pointer items-center gap-2 px-3 py-1 pointer-coarse:min-h-11 ${
              index === active ? "bg-hover" : "hover:bg-hover"
            }`}
          >
            <Icon size={14} aria-hidden="true" className="shrink-0 text-quiet" />
            <span
              className={`min-w-0 truncate ${item.kind === "word" ? "" : "font-mono text-small"}`}
            >
              {visible(item.label)}
            </span>
            <span className="ml-auto shrink-0 text-small text-quiet">{item.about}</span>
          </li>
        );
      })}
    </ul>
  );
}
