import type { ProjectPath } from "@treadle/protocol";
import { useDeferredValue, useEffect, useRef, useState, type ReactNode } from "react";
import { Group, Panel } from "react-resizable-panels";
import { X } from "../ui/icons.ts";
import { useProjectId } from "../live/live-context.tsx";
import { useWork } from "../project/work-store.ts";
import { IconButton } from "../ui/button.tsx";
import { Splitter } from "../ui/splitter.tsx";
import { useStoredLayout } from "../ui/use-stored-layout.ts";
import { useLostFocus } from "../ui/use-lost-focus.ts";
import { useNarrow } from "../ui/use-narrow.ts";
import { words } from "../words/words.ts";
import { EditorPane } from "./editor-pane.tsx";
import { FileTabs } from "./file-tabs.tsx";
import { openFilesOf } from "./tabs-store.ts";

/** Number of editors that stay mounted while others are shown. */
const MAX_MOUNTED_FILES = 6;

/** The open files in tabs, and optionally one beside them. */
export function OpenFiles({
  lead,
  notice,
  empty,
  onGone,
  onRename,
  onDelete,
}: {
  lead: ReactNode;
  notice: ReactNode;
  empty: ReactNode;
  onGone: (path: ProjectPath) => void;
  onRename: (path: ProjectPath) => void;
  onDelete: (path: ProjectPath) => void;
}) {
  const project = useProjectId();
  const path = useWork((state) => state.path);
  const { openFile, closeFile, followFile } = useWork.getState();
  const files = openFilesOf(project)();
  const { show, showBeside } = files;
  // A narrow page has no room for two files; the second returns when the page is wide again.
  const narrow = useNarrow();
  const beside = narrow ? undefined : files.beside;
  // Shows the file that was open last time, until another one is opened.
  const [last] = useState(files.recent[0]);
  useEffect(() => {
    if (useWork.getState().path === undefined && last !== undefined) followFile(last);
  }, [followFile, last]);
  useEffect(() => {
    if (path !== undefined) show(path);
  }, [path, show]);

  const close = (closed: ProjectPath) => {
    const next = files.close(closed);
    if (closed !== path) return;
    if (next === undefined) closeFile();
    else openFile(next);
  };
  const actions = (path: ProjectPath) => ({
    onRename: () => onRename(path),
    onDelete: () => {
      close(path);
      onDelete(path);
    },
  });
  const recent = files.recent.slice(0, MAX_MOUNTED_FILES);
  const live = path === undefined || recent.includes(path) ? recent : [path, ...recent];
  // Draws the pane first and its editors in a separate task, because both together block the page too long.
  const isDrawn = useDeferredValue(true, false);
  // When a file closes, the focus moves to the tab of the file shown next, or to the element before the tabs.
  const container = useRef<HTMLDivElement>(null);
  useLostFocus(
    container,
    () =>
      container.current?.querySelector<HTMLElement>('[data-tab][aria-current="true"]') ??
      container.current?.querySelector("button"),
  );
  const layout = useStoredLayout("split", beside === undefined ? ["files"] : ["files", "beside"]);
  return (
    <Group {...layout} elementRef={container} orientation="horizontal" className="min-w-0 flex-1">
      <Panel id="files" minSize={160} className="flex flex-col">
        <FileTabs files={files} path={path} lead={lead} onShow={openFile} onClose={close} />
        {notice}
        {path === undefined && empty}
        {(isDrawn ? live.toSorted() : []).map((one) => (
          <EditorPane
            key={one}
            path={one}
            shown={one === path}
            onGone={() => {
              close(one);
              if (one === path) onGone(one);
            }}
            {...actions(one)}
          />
        ))}
      </Panel>
      {beside !== undefined && (
        <>
          <Splitter name={words.workbench.splitters.files} />
          <Panel id="beside" minSize={160} className="flex flex-col">
            <div className="flex h-9 shrink-0 items-center justify-end border-b border-line pr-1">
              <IconButton name={words.editor.closeBeside} onClick={() => showBeside(undefined)}>
                <X size={15} aria-hidden="true" />
              </IconButton>
            </div>
            <EditorPane
              key={beside}
              path={beside}
              shown
              onGone={() => showBeside(undefined)}
              {...actions(beside)}
            />
          </Panel>
        </>
      )}
    </Group>
  );
}
