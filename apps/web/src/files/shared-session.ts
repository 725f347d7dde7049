import { EditorState } from "@codemirror/state";
import type { ProjectPath } from "@treadle/protocol";
import { ySyncAnnotation } from "y-codemirror.next";
import { storeUnsaved } from "../project/unsaved.ts";
import type { TogetherLine } from "../together/together-store.ts";
import { words } from "../words/words.ts";
import type { FileSession, FileStatus } from "./file-session.ts";
import { SharedDocument, type SharedStatus } from "./shared-document.ts";
import { isExternal } from "./text-editor.ts";
import type { WatchedEditor } from "./watched-editor.ts";

/** The part of a session that the editor's pane uses, whether one person edits the file or several. */
export type OpenSession = Pick<
  FileSession,
  | "open"
  | "follow"
  | "edited"
  | "hasUnsaved"
  | "save"
  | "keepOwn"
  | "merge"
  | "takeTheirs"
  | "close"
>;

/** One open file that several people edit. The server saves it, and merges changes by the model and on the disk. */
export function openSharedSession(options: {
  project: string;
  path: ProjectPath;
  line: TogetherLine;
  mayEdit: boolean;
  editor: Pick<WatchedEditor, "show" | "share" | "setReadOnly" | "text">;
  onStatus(status: FileStatus): void;
  /** The file cannot be edited together (`refused`), or this copy is outdated (`replaced`): open the file again. */
  onEnded(reason: "refused" | "replaced"): void;
}): OpenSession {
  const { project, path, editor, onStatus, onEnded } = options;
  let isClosed = false;
  const shared = new SharedDocument({ line: options.line, path, onStatus: showStatus });

  /** Stores text that the server may not have, for the next time the file is opened. */
  function storeRest(): void {
    if (!shared.hasUnsaved) return;
    storeUnsaved(project, path, {
      text: shared.text(),
      source: { version: shared.version, base: undefined },
    });
  }

  function showStatus(status: SharedStatus): void {
    if (isClosed) return;
    if (status === "ended" || (status === "gone" && shared.hasUnsaved)) {
      storeRest();
      return onEnded("replaced");
    }
    if (status === "failed") onStatus({ state: "problem", reason: words.together.notWritten });
    else onStatus({ state: status });
  }

  return {
    async open() {
      if (!(await shared.open())) return isClosed ? undefined : onEnded("refused");
      if (isClosed) return;
      editor.show(shared.text());
      editor.share([shared.extension(), fromOthers]);
      editor.setReadOnly(!options.mayEdit);
      onStatus({ state: "saved" });
    },
    follow: () => {},
    edited: () => {},
    hasUnsaved: () => shared.hasUnsaved,
    save: async () => shared.save(),
    keepOwn: async () => {},
    merge: async () => {},
    takeTheirs: () => {},
    close() {
      isClosed = true;
      if (!options.line.isOpen) storeRest();
      shared.close();
    },
  };
}

/** Marks changes by others as external, so that they do not count as edits of this person. */
const fromOthers = EditorState.transactionExtender.of((transaction) =>
  transaction.annotation(ySyncAnnotation) ? { annotations: isExternal.of(true) } : null,
);
