import type { ProjectPath } from "@treadle/protocol";
import { holdsSecrets } from "@treadle/protocol/project-path";
import { Suspense, useRef } from "react";
import { Button } from "../ui/button.tsx";
import { EditorHead } from "./editor-head.tsx";
import { FileConflictBar } from "./file-conflict-bar.tsx";
import { words } from "../words/words.ts";
import { commentOn } from "../project/comments-store.ts";
import { useMay } from "../project/use-may.ts";
import { useProjectId } from "../live/live-context.tsx";
import { format, useFileEditor } from "./use-file-editor.ts";
import { lazyPart } from "../ui/lazy-part.tsx";

const { Part: OtherFile } = lazyPart(() => import("./other-file.tsx"));

/**
 * One file in the editor, with its state. A hidden pane stays mounted and keeps its cursor, undo history and unsaved text.
 */
export function EditorPane({
  path,
  shown,
  onRename,
  onDelete,
  onGone,
}: {
  path: ProjectPath;
  shown: boolean;
  onRename: () => void;
  onDelete: () => void;
  /** The file no longer exists. */
  onGone: () => void;
}) {
  const project = useProjectId();
  const box = useRef<HTMLDivElement>(null);
  const { status, session, editor } = useFileEditor(box, { path, shown, onGone });
  const mayComment = useMay("project.comment") && !holdsSecrets(path);
  const comment = async () => {
    // The server quotes the saved line.
    await session.current?.save();
    const state = editor.current?.view?.state;
    if (!state) return;
    const { number, text } = state.doc.lineAt(state.selection.main.head);
    commentOn({ kind: "line", path, line: number, text });
  };
  const notText = status.state === "unreadable" || status.state === "shown";
  return (
    <div className={`min-h-0 flex-1 flex-col ${shown ? "flex" : "hidden"}`}>
      {shown && (
        <EditorHead
          path={path}
          status={status}
          onSave={() => void session.current?.save()}
          onFormat={() => {
            const view = editor.current?.view;
            if (view) void format(view, project, path);
          }}
          onRename={() => void session.current?.save().then(onRename)}
          onDelete={() => void session.current?.save().then(onDelete)}
          onComment={mayComment && (() => void comment())}
          onShowValues={(show) => editor.current?.showValues(show)}
        />
      )}
      {status.state === "problem" && (
        <p
          role="alert"
          className="flex items-center gap-2 border-b border-line px-3 py-1.5 text-small text-failed"
        >
          {words.files.kept({ why: status.reason })}
          <Button onClick={() => void session.current?.save()}>{words.files.tryAgain}</Button>
        </p>
      )}
      {status.state === "shown" && (
        <Suspense fallback={<p className="p-4 text-quiet">{words.files.reading}</p>}>
          <OtherFile key={status.body.version} body={status.body} />
        </Suspense>
      )}
      {status.state === "unreadable" && <p className="p-4 text-quiet">{status.reason}</p>}
      {status.state === "conflict" && (
        <FileConflictBar
          path={path}
          conflict={status}
          onKeepOwn={() => void session.current?.keepOwn()}
          onBoth={() => void session.current?.merge()}
          onTheirs={() => session.current?.takeTheirs()}
        />
      )}
      <div
        ref={box}
        className={`relative min-h-0 flex-1 overflow-hidden ${notText ? "hidden" : ""}`}
      />
    </div>
  );
}
