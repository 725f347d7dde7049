import { useRef } from "react";
import { FilePlus, FolderPlus, Search, TextSearch, Upload, X } from "../ui/icons.ts";
import { withNames, type AddedFile } from "../attachments/added-files.ts";
import type { DraftFile } from "../attachments/place-files.ts";
import { keysHint } from "../commands/hint.ts";
import { useSearch } from "../search/search-store.ts";
import { IconButton } from "../ui/button.tsx";
import { isComposing } from "../ui/composing.ts";
import { words } from "../words/words.ts";

/** The search field and the buttons above the tree. */
export function TreeHead({
  filter,
  onFilter,
  uploads,
  onNew,
  onUpload,
}: {
  filter: string;
  onFilter: (filter: string) => void;
  /** Files being uploaded. */
  uploads: readonly DraftFile[];
  onNew: (kind: "file" | "folder") => void;
  onUpload: (added: AddedFile[]) => void;
}) {
  const input = useRef<HTMLInputElement>(null);
  const share = uploads.reduce((sum, one) => sum + (one.placed ? 1 : (one.share ?? 0)), 0);
  return (
    <>
      <div className="flex h-9 shrink-0 items-center gap-1 pr-1 pl-2 text-small text-quiet">
        <label className="flex min-w-0 flex-1 items-center gap-1.5 rounded px-1 focus-within:bg-raised hover:bg-hover">
          <Search size={13} aria-hidden="true" className="shrink-0" />
          <input
            aria-label={words.files.filter}
            placeholder={words.files.files}
            value={filter}
            spellCheck={false}
            autoComplete="off"
            onChange={(event) => onFilter(event.target.value)}
            onKeyDown={(event) => {
              if (event.key !== "Escape" || isComposing(event.nativeEvent)) return;
              event.stopPropagation();
              onFilter("");
            }}
            className="h-7 min-w-0 flex-1 bg-transparent text-ink outline-none"
          />
          {filter !== "" && (
            <button type="button" aria-label={words.files.showAll} onClick={() => onFilter("")}>
              <X size={13} aria-hidden="true" />
            </button>
          )}
        </label>
        <IconButton
          name={words.editor.searchAll}
          {...keysHint("searchAll", words.editor.searchAll)}
          onClick={() => useSearch.getState().open()}
        >
          <TextSearch size={15} aria-hidden="true" />
        </IconButton>
        <IconButton name={words.files.upload} onClick={() => input.current?.click()}>
          <Upload size={15} aria-hidden="true" />
        </IconButton>
        <input
          ref={input}
          type="file"
          multiple
          hidden
          aria-label={words.files.toUpload}
          onChange={(event) => {
            onUpload(withNames(event.target.files ?? []));
            event.target.value = "";
          }}
        />
        <IconButton name={words.editor.newFolder} onClick={() => onNew("folder")}>
          <FolderPlus size={15} aria-hidden="true" />
        </IconButton>
        <IconButton name={words.files.newFile} onClick={() => onNew("file")}>
          <FilePlus size={15} aria-hidden="true" />
        </IconButton>
      </div>
      {uploads.length > 0 && (
        <p role="status" className="numbers px-3 pb-1 text-small text-quiet">
          {words.files.uploading({
            amount: uploads.length,
            percent: Math.floor((share / uploads.length) * 100),
          })}
        </p>
      )}
    </>
  );
}
