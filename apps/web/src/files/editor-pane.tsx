import type { ProjectPath } from "@treadle/protocol";
import { Download, TextCursorInput, Trash2 } from "lucide-react";
import { lazy, Suspense, useEffect, useEffectEvent, useRef, useState, type ReactNode } from "react";
import { notice, noticeError } from "../ui/notice.ts";
import { rawAddress, readFile, removeFile, writeFile } from "../api/files.ts";
import { sentence } from "../api/request.ts";
import { useLiveStore, useProjectId } from "../live/live-context.tsx";
import { Button, IconButton } from "../ui/button.tsx";
import { FileConflictBar } from "./file-conflict-bar.tsx";
import { FileSession, type FileStatus } from "./file-session.ts";
import { openTextEditor } from "./text-editor.ts";
import { visibleName } from "./tree.ts";
import { openEditor } from "../project/unsaved.ts";
import { useWork } from "../project/work-store.ts";
import { words } from "../words/words.ts";

const OtherFile = lazy(() => import("./other-file.tsx"));

/** What its state is called, where it is worth a word. */
function stateWords({ state }: FileStatus): string {
  if (state === "loading") return words.files.reading;
  return state === "gone" || state === "shown" || state === "unreadable"
    ? ""
    : words.files.states[state];
}

/** One file in the editor, with its state. */
export function EditorPane({
  path,
  lead,
  onRename,
  onGone,
}: {
  path: ProjectPath;
  lead: ReactNode;
  onRename: () => void;
  /** Another hand has removed it. */
  onGone: () => void;
}) {
  const project = useProjectId();
  const store = useLiveStore();
  const closeFile = useWork((state) => state.closeFile);
  const box = useRef<HTMLDivElement>(null);
  const session = useRef<FileSession>(undefined);
  const place = useWork((state) => state.place);
  const goTo = useRef<() => void>(undefined);
  const [status, setStatus] = useState<FileStatus>({ state: "loading" });

  useEffect(() => {
    if (!box.current) return;
    const editor = openTextEditor({
      parent: box.current,
      path,
      onEdit: () => file.edited(),
      onSave: () => void file.save(),
      onBlur: () => void file.save(),
    });
    const file = new FileSession({ project, path, editor, tell: setStatus });
    session.current = file;
    let shown = true;
    void file.open(store.getState().view).then(() => {
      if (!shown) return;
      goTo.current = () => {
        const asked = useWork.getState().takePlace();
        if (asked) editor.goTo(asked.line, asked.column);
      };
      goTo.current();
    });
    const unsubscribe = store.subscribe(({ view }) => file.follow(view));
    const shut = openEditor(() => file.save());
    return () => {
      shown = false;
      goTo.current = undefined;
      shut();
      unsubscribe();
      file.close();
      editor.close();
    };
  }, [path, project, store]);
  // A file that is not read yet goes there when it is.
  useEffect(() => goTo.current?.(), [place]);

  const gone = status.state === "gone";
  /** The person removes it here. */
  const removing = useRef(false);
  const leave = useEffectEvent(() => {
    if (!removing.current) onGone();
  });
  useEffect(() => {
    if (gone) leave();
  }, [gone]);

  const remove = async () => {
    try {
      const before = await readFile(project, path);
      removing.current = true;
      await removeFile(project, path, before.version);
      closeFile();
      const { text } = before;
      notice(words.files.deleted(visibleName(path)), {
        duration: 10_000,
        ...(text === undefined
          ? {}
          : {
              action: {
                label: words.files.undo,
                onClick: () =>
                  void writeFile(project, path, text, undefined).catch((error: unknown) =>
                    noticeError(sentence(error)),
                  ),
              },
            }),
      });
    } catch (error) {
      removing.current = false;
      noticeError(sentence(error));
    }
  };

  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <div className="flex h-9 shrink-0 items-center gap-2 border-b border-line px-1.5">
        {lead}
        <span className="min-w-0 truncate font-mono text-small" title={visibleName(path)}>
          {visibleName(path)}
        </span>
        <span
          role="status"
          data-file-state={status.state}
          className={`shrink-0 text-small ${
            status.state === "problem" || status.state === "conflict"
              ? "text-failed"
              : status.state === "written"
                ? "text-accent"
                : "text-quiet"
          }`}
        >
          {status.state === "written" && status.asked ? words.files.waits : stateWords(status)}
        </span>
        <span className="flex-1" />
        {status.state === "saved" && (
          <a
            href={rawAddress(project, path)}
            download
            aria-label={words.files.downloadOne(visibleName(path))}
            title={words.files.downloadOne(visibleName(path))}
            className="inline-flex size-7 shrink-0 items-center justify-center rounded text-quiet hover:bg-hover hover:text-ink pointer-coarse:size-11"
          >
            <Download size={15} aria-hidden="true" />
          </a>
        )}
        {status.state === "edited" && (
          <Button onClick={() => void session.current?.save()}>{words.files.save}</Button>
        )}
        {status.state !== "written" && status.state !== "unreadable" && (
          <>
            <IconButton
              name={words.files.rename(visibleName(path))}
              onClick={() => void session.current?.save().then(onRename)}
            >
              <TextCursorInput size={15} aria-hidden="true" />
            </IconButton>
            <IconButton
              name={words.files.deleteFile(visibleName(path))}
              onClick={() => void remove()}
            >
              <Trash2 size={15} aria-hidden="true" />
            </IconButton>
          </>
        )}
      </div>
      {status.state === "problem" && (
        <p
          role="alert"
          className="flex items-center gap-2 border-b border-line px-3 py-1.5 text-small text-failed"
        >
          {words.files.kept(status.reason)}
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
          theirs={status.theirs}
          onMine={() => void session.current?.keepMine()}
          onTheirs={() => session.current?.takeTheirs()}
        />
      )}
      <div
        ref={box}
        className={`min-h-0 flex-1 overflow-hidden ${status.state === "unreadable" || status.state === "shown" ? "hidden" : ""}`}
      />
    </div>
  );
}
