import type { ProjectPath } from "@treadle/protocol";
import { useState } from "react";
import { holdsEnvironment } from "@treadle/protocol/project-path";
import {
  TextAlignStart,
  Download,
  MessageSquareQuote,
  Eye,
  EyeOff,
  TextCursorInput,
  Trash2,
} from "../ui/icons.ts";
import { rawAddress } from "../api/files.ts";
import { useProjectId } from "../live/live-context.tsx";
import { HelpNote } from "../language/help-note.tsx";
import { Button, IconButton } from "../ui/button.tsx";
import { words } from "../words/words.ts";
import type { FileStatus } from "./file-session.ts";
import { LockButton } from "./lock-button.tsx";
import { visibleName } from "./tree.ts";

/** Hides a button in a narrow pane, such as one beside another file. The tree's menu offers the same action. */
const IF_WIDE = "@max-xs:hidden pointer-coarse:@max-sm:hidden";

/** A label for the file's state, or "" if none is needed. */
function stateWords({ state }: FileStatus): string {
  if (state === "loading") return words.files.reading;
  return state === "gone" || state === "shown" || state === "unreadable"
    ? ""
    : words.files.states[state];
}

/** The open file's name, its state and its actions. */
export function EditorHead({
  path,
  status,
  onSave,
  onFormat,
  onRename,
  onDelete,
  onShowValues,
  onComment,
}: {
  path: ProjectPath;
  status: FileStatus;
  onSave: () => void;
  onFormat: () => void;
  onRename: () => void;
  onDelete: () => void;
  /** Only called for a file that holds secrets. */
  onShowValues: (show: boolean) => void;
  /** Begins a comment on the line of the cursor; false if the person may not comment. */
  onComment: (() => void) | false;
}) {
  const project = useProjectId();
  const [values, setValues] = useState(false);
  const name = visibleName(path);
  const bad = status.state === "problem" || status.state === "conflict";
  return (
    <div className="@container flex h-8 shrink-0 items-center gap-2 pr-1.5 pl-3 pointer-coarse:h-11">
      <span className="min-w-10 truncate font-mono text-small" title={name}>
        {name}
      </span>
      <span
        role="status"
        data-file-state={status.state}
        className={`shrink-0 text-small ${status.state === "saved" ? IF_WIDE : ""} ${
          bad ? "text-failed" : status.state === "written" ? "text-accent" : "text-quiet"
        }`}
      >
        {status.state === "written" && status.asked ? words.files.waits : stateWords(status)}
      </span>
      <span className="flex-1" />
      <HelpNote path={path} />
      {holdsEnvironment(path) && (
        <IconButton
          name={values ? words.editor.hideValues : words.editor.showValues}
          aria-pressed={values}
          onClick={() => {
            setValues(!values);
            onShowValues(!values);
          }}
        >
          {values ? <EyeOff size={15} aria-hidden="true" /> : <Eye size={15} aria-hidden="true" />}
        </IconButton>
      )}
      {onComment && (status.state === "saved" || status.state === "edited") && (
        <IconButton name={words.comments.onLine} onClick={onComment}>
          <MessageSquareQuote size={15} aria-hidden="true" />
        </IconButton>
      )}
      {status.state === "saved" && (
        <a
          href={rawAddress(project, path)}
          download
          aria-label={words.files.downloadOne({ name })}
          title={words.files.downloadOne({ name })}
          className="inline-flex size-7 shrink-0 items-center justify-center rounded text-quiet hover:bg-hover hover:text-ink pointer-coarse:size-11"
        >
          <Download size={15} aria-hidden="true" />
        </a>
      )}
      {status.state === "edited" && <Button onClick={onSave}>{words.files.save}</Button>}
      {status.state !== "written" && status.state !== "unreadable" && (
        <>
          {status.state !== "shown" && (
            <IconButton
              name={words.editor.format}
              aria-keyshortcuts="Shift+Alt+F"
              onClick={onFormat}
            >
              <TextAlignStart size={15} aria-hidden="true" />
            </IconButton>
          )}
          <LockButton path={path} />
          <IconButton name={words.files.rename({ name })} className={IF_WIDE} onClick={onRename}>
            <TextCursorInput size={15} aria-hidden="true" />
          </IconButton>
          <IconButton
            name={words.files.deleteFile({ name })}
            className={IF_WIDE}
            onClick={onDelete}
          >
            <Trash2 size={15} aria-hidden="true" />
          </IconButton>
        </>
      )}
    </div>
  );
}
