import { useEffect, useRef, useState, type ReactNode } from "react";
import { CaseSensitive, ChevronRight, Regex, Replace, WholeWord, X } from "../ui/icons.ts";
import { Button, IconButton } from "../ui/button.tsx";
import { isComposing } from "../ui/composing.ts";
import { words } from "../words/words.ts";
import type { Query } from "./line-match.ts";
import { useSearch } from "./search-store.ts";

const FIELD =
  "h-7 min-w-0 flex-1 rounded border border-edge bg-paper px-2 font-mono text-small pointer-coarse:h-11";

/** The search text, its options and the replacement. */
export function SearchFields({
  broken,
  replaceAll,
}: {
  /** Whether the regular expression is invalid. */
  broken: boolean;
  /** Replaces all matches shown; undefined if there are none. */
  replaceAll: { count: number; act: () => void } | undefined;
}) {
  const { query, to, asked, change, setTo, close } = useSearch();
  const [files, setFiles] = useState(query.only !== "" || query.leaveOut !== "");
  const field = useRef<HTMLInputElement>(null);
  /** The element that gets the focus back. */
  const before = useRef<Element>(null);
  useEffect(() => {
    if (document.activeElement !== field.current) before.current = document.activeElement;
    field.current?.select();
  }, [asked]);
  const leave = () => {
    close();
    if (before.current instanceof HTMLElement) before.current.focus();
  };
  return (
    <search
      aria-label={words.editor.searchAll}
      className="shrink-0 space-y-1 px-2 pt-1 pb-2"
      onKeyDown={(event) => {
        if (event.key === "Escape" && !isComposing(event.nativeEvent)) leave();
      }}
    >
      <div className="flex items-center gap-1">
        <IconButton
          name={words.editor.withReplace}
          aria-expanded={to !== undefined}
          onClick={() => setTo(to === undefined ? "" : undefined)}
        >
          <ChevronRight
            size={14}
            aria-hidden="true"
            className={to === undefined ? "" : "rotate-90"}
          />
        </IconButton>
        <input
          ref={field}
          aria-label={words.editor.searchAll}
          placeholder={words.editor.searchAll}
          aria-invalid={broken}
          value={query.text}
          maxLength={1_000}
          spellCheck={false}
          autoComplete="off"
          onChange={(event) => change({ text: event.target.value })}
          className={`${FIELD} aria-invalid:border-failed`}
        />
        <IconButton name={words.editor.endSearch} onClick={leave}>
          <X size={14} aria-hidden="true" />
        </IconButton>
      </div>
      <div className="flex items-center gap-1 pl-8 pointer-coarse:pl-12">
        <Switch name={words.editor.matchCase} flag="caseSensitive">
          <CaseSensitive size={15} aria-hidden="true" />
        </Switch>
        <Switch name={words.editor.wholeWord} flag="word">
          <WholeWord size={15} aria-hidden="true" />
        </Switch>
        <Switch name={words.editor.expression} flag="regex">
          <Regex size={14} aria-hidden="true" />
        </Switch>
        <span className="flex-1" />
        <Button kind="quiet" aria-expanded={files} onClick={() => setFiles(!files)}>
          {words.editor.whichFiles}
        </Button>
      </div>
      {to !== undefined && (
        <div className="flex items-center gap-1 pl-8 pointer-coarse:pl-12">
          <input
            aria-label={words.editor.replaceWith}
            placeholder={words.editor.replaceWith}
            value={to}
            spellCheck={false}
            autoComplete="off"
            onChange={(event) => setTo(event.target.value)}
            className={FIELD}
          />
          <IconButton
            name={words.editor.replaceCount({ lines: replaceAll?.count ?? 0 })}
            disabled={!replaceAll}
            onClick={() => replaceAll?.act()}
          >
            <Replace size={15} aria-hidden="true" />
          </IconButton>
        </div>
      )}
      {files && (
        <div className="space-y-1 pl-8 pointer-coarse:pl-12">
          <Files
            name={words.editor.onlyFiles}
            field="only"
            placeholder={words.editor.folderExample}
          />
          <Files
            name={words.editor.leaveOut}
            field="leaveOut"
            placeholder={words.editor.leftExample}
          />
        </div>
      )}
    </search>
  );
}

type Flag = { [Key in keyof Query]: Query[Key] extends boolean ? Key : never }[keyof Query];

function Switch({ name, flag, children }: { name: string; flag: Flag; children: ReactNode }) {
  const { query, change } = useSearch();
  return (
    <IconButton
      name={name}
      aria-pressed={query[flag]}
      onClick={() => change({ [flag]: !query[flag] })}
      className="aria-pressed:bg-accent/16 aria-pressed:text-ink"
    >
      {children}
    </IconButton>
  );
}

function Files({
  name,
  field,
  placeholder,
}: {
  name: string;
  field: "only" | "leaveOut";
  placeholder: string;
}) {
  // prettier-ignore
  const { query, change } = useSearch();
  return (
    <label className="flex flex-col text-small text-quiet">
      {name}
      <input
        value={query[field]}
        placeholder={placeholder}
        spellCheck={false}
        autoComplete="off"
        onChange={(event) => change({ [field]: event.target.value })}
        className={`${FIELD} flex-none text-ink`}
      />
    </label>
  );
}
