import { SearchAddon, type ISearchOptions } from "@xterm/addon-search";
import type { Terminal } from "@xterm/xterm";
import { useEffect, useRef, useState } from "react";
import { ArrowDown, ArrowUp, X } from "../ui/icons.ts";
import { IconButton } from "../ui/button.tsx";
import { isComposing } from "../ui/composing.ts";
import { words } from "../words/words.ts";
import { hexColour } from "./page-colours.ts";

/** Matches are counted and highlighted up to this number. */
const MAX_MATCHES = 1000;

/** Searches a terminal's screen and scrollback. */
export default function SearchBar({
  terminal,
  onClose,
}: {
  terminal: Terminal;
  onClose: () => void;
}) {
  const [text, setText] = useState("");
  const [regex, setRegex] = useState(false);
  const [caseSensitive, setCaseSensitive] = useState(false);
  const [found, setFound] = useState<{ at: number; total: number }>();
  const field = useRef<HTMLInputElement>(null);
  const addon = useRef<SearchAddon>(undefined);

  useEffect(() => {
    const search = new SearchAddon({ highlightLimit: MAX_MATCHES });
    terminal.loadAddon(search);
    addon.current = search;
    search.onDidChangeResults(({ resultIndex, resultCount }) =>
      setFound({ at: resultIndex + 1, total: resultCount }),
    );
    field.current?.focus();
    return () => {
      search.clearDecorations();
      search.dispose();
    };
  }, [terminal]);

  const isWrong = regex && !isExpression(text);
  const go = (forward: boolean, incremental = false) => {
    const search = addon.current;
    if (!search || isWrong) return;
    const options: ISearchOptions = {
      regex,
      caseSensitive,
      incremental,
      decorations: {
        matchBackground: hexColour("--line"),
        activeMatchBackground: hexColour("--line"),
        activeMatchBorder: hexColour("--accent"),
        matchOverviewRuler: hexColour("--accent"),
        activeMatchColorOverviewRuler: hexColour("--accent"),
      },
    };
    if (forward) search.findNext(text, options);
    else search.findPrevious(text, options);
  };
  useEffect(() => {
    if (text === "") {
      addon.current?.clearDecorations();
      terminal.clearSelection();
      setFound(undefined);
    } else go(false, true);
    // Searches for the newest match only when the query changes.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [text, regex, caseSensitive]);

  const count = isWrong
    ? words.terminal.noExpression
    : text === "" || !found
      ? ""
      : found.total === 0
        ? words.terminal.noMatch
        : words.terminal.matchOf({
            at: found.at,
            total: found.total,
            more: found.total >= MAX_MATCHES,
          });
  const toggle = (label: string, name: string, on: boolean, set: (on: boolean) => void) => (
    <button
      type="button"
      aria-label={name}
      title={name}
      aria-pressed={on}
      onClick={() => set(!on)}
      className="size-7 shrink-0 rounded font-mono text-small text-quiet hover:bg-hover aria-pressed:bg-hover aria-pressed:text-accent pointer-coarse:size-11"
    >
      {label}
    </button>
  );
  return (
    <div
      role="search"
      className="flex shrink-0 items-center gap-1 border-b border-line bg-raised px-2 py-1"
      onKeyDown={(event) => {
        if (isComposing(event.nativeEvent)) return;
        if (event.key === "Escape") onClose();
        else if (event.key === "Enter" && event.target === field.current) go(event.shiftKey);
      }}
    >
      <input
        ref={field}
        type="search"
        aria-label={words.terminal.find}
        placeholder={words.terminal.find}
        aria-invalid={isWrong}
        spellCheck={false}
        autoComplete="off"
        value={text}
        onChange={(event) => setText(event.target.value)}
        className="h-7 w-48 min-w-0 flex-initial rounded border border-edge bg-paper px-2 font-mono text-small"
      />
      {toggle("Aa", words.terminal.matchCase, caseSensitive, setCaseSensitive)}
      {toggle(".*", words.terminal.expression, regex, setRegex)}
      <span role="status" className="numbers min-w-0 flex-1 truncate text-small text-quiet">
        {count}
      </span>
      <IconButton name={words.terminal.findBefore} onClick={() => go(false)}>
        <ArrowUp size={14} aria-hidden="true" />
      </IconButton>
      <IconButton name={words.terminal.findNext} onClick={() => go(true)}>
        <ArrowDown size={14} aria-hidden="true" />
      </IconButton>
      <IconButton name={words.terminal.endSearch} onClick={onClose}>
        <X size={14} aria-hidden="true" />
      </IconButton>
    </div>
  );
}

function isExpression(text: string): boolean {
  try {
    new RegExp(text);
    return true;
  } catch {
    return false;
  }
}
