import type { ProjectPath } from "@treadle/protocol";
import { CHECKS_FILE } from "@treadle/protocol/checks";
import { useEffect, useEffectEvent, useRef, useState, type RefObject } from "react";
import { useLiveStore, useProjectId } from "../live/live-context.tsx";
import { openEditor } from "../project/unsaved.ts";
import { useWork } from "../project/work-store.ts";
import { FileSession, type FileStatus } from "./file-session.ts";
import { openFilesOf } from "./tabs-store.ts";
import { sentence } from "../api/request.ts";
import { notice, noticeError } from "../ui/notice.ts";
import { words } from "../words/words.ts";
import type { OpenSession } from "./shared-session.ts";
import { useSharing } from "./use-sharing.ts";
import { useCommentMarks } from "./use-comment-marks.ts";
import { useTurnMarks } from "./use-turn-marks.ts";
import { whenIdle } from "./when-idle.ts";
import { useSearch } from "../search/search-store.ts";
import type { TextEditor } from "./text-editor.ts";
import { openWatchedEditor, type WatchedEditor } from "./watched-editor.ts";

/**
 * Opens a file in an editor inside `box` for as long as the component is mounted.
 * @param shown whether the pane is visible; only then does it scroll to a requested position
 */
export function useFileEditor(
  box: RefObject<HTMLDivElement | null>,
  { path, shown, onGone }: { path: ProjectPath; shown: boolean; onGone: () => void },
) {
  const project = useProjectId();
  const store = useLiveStore();
  const session = useRef<OpenSession>(undefined);
  const editor = useRef<WatchedEditor>(undefined);
  const [made, setMade] = useState(false);
  const goTo = useRef<() => void>(undefined);
  const place = useWork((state) => state.place);
  const [status, setStatus] = useState<FileStatus>({ state: "loading" });
  const isShown = useEffectEvent(() => shown);

  const { sharing, mayEdit, isPending, leave: leaveSharing, retry } = useSharing(path);
  useEffect(() => {
    if (!box.current || isPending) return;
    const files = openFilesOf(project);
    let isEdited = true;
    let open = true;
    let leaveHelp: (() => void) | undefined;
    let leaveCompletions: (() => void) | undefined;
    const text = openWatchedEditor({
      parent: box.current,
      path,
      onEdit() {
        // An edit makes the tab permanent.
        files.getState().keepOpen(path);
        useWork.getState().holdFile();
        file.edited();
      },
      onFormat: () => void format(text.view, project, path),
      onSave: () => void file.save(),
      onBlur: () => void file.save(),
      onMade(view) {
        setMade(true);
        // The text is shown before the language server starts, and a run that is being watched takes precedence.
        leaveHelp = whenIdle(store, view.dom, () => {
          if (path === CHECKS_FILE)
            void import("../language/checks-help.ts").then(({ helpWithChecks }) => {
              if (open && isEdited) helpWithChecks(view);
            }, ignoreError);
          void import("../language/language-help.ts").then(({ helpWithLanguage }) => {
            if (open && isEdited) leaveHelp = helpWithLanguage(view, { project, path, onUses });
          }, ignoreError);
          void import("./complete-as-typed.ts").then(({ completeAsTyped }) => {
            if (open && isEdited) leaveCompletions = completeAsTyped(view, { project, path });
          }, ignoreError);
        });
      },
    });
    const onStatus = (next: FileStatus) => {
      setStatus(next);
      isEdited = next.state !== "shown" && next.state !== "unreadable";
      files.getState().setEdited(path, isUnsaved(next));
      if (next.state === "saved") retry();
    };
    const file: OpenSession = sharing
      ? sharing.open({ project, path, mayEdit, editor: text, onStatus, onEnded: leaveSharing })
      : new FileSession({ project, path, editor: text, onStatus });
    session.current = file;
    editor.current = text;
    void file.open(store.getState().view).then(() => {
      if (!open) return;
      goTo.current = () => {
        const asked = isShown() ? useWork.getState().takePlace() : undefined;
        if (asked) text.goTo(asked.line, asked.column);
      };
      goTo.current();
    });
    const unsubscribe = store.subscribe(({ view }) => file.follow(view));
    const shut = openEditor(file);
    return () => {
      open = false;
      leaveHelp?.();
      leaveCompletions?.();
      goTo.current = undefined;
      shut();
      unsubscribe();
      file.close();
      text.close();
      files.getState().setEdited(path, false);
      setMade(false);
    };
  }, [box, path, project, store, sharing, mayEdit, isPending, leaveSharing, retry]);
  // Scrolls to the requested position; a file that is still loading does so itself once it is loaded.
  useEffect(() => goTo.current?.(), [place, shown]);

  useEffect(() => {
    if (shown) editor.current?.reveal();
  }, [shown]);

  const isGone = status.state === "gone";
  const leave = useEffectEvent(onGone);
  useEffect(() => {
    if (isGone) leave();
  }, [isGone]);
  useTurnMarks(editor, path, made && shown && status.state === "saved");
  useCommentMarks(editor, path, made && shown && status.state === "saved");
  return { status, session, editor };
}

const onUses = useSearch.getState().showUses;

/** Formats the file; shows a notice if no formatter is available. */
export async function format(view: TextEditor["view"], project: string, path: ProjectPath) {
  try {
    const { formatText } = await import("./format-text.ts");
    if (!(await formatText(view, project, path))) notice(words.editor.noFormatter);
  } catch (error) {
    noticeError(sentence(error));
  }
}

/** Ignores that a helper failed to load: the editor works without it. */
const ignoreError = () => undefined;

const isUnsaved = ({ state }: FileStatus) =>
  state === "edited" || state === "saving" || state === "conflict" || state === "problem";
