import { ContextMenu } from "@base-ui/react/context-menu";
import type { ProjectPath } from "@treadle/protocol";
import { folderOf, PROJECT_FOLDER } from "@treadle/protocol/project-path";
import { useState, type ReactNode } from "react";
import { rawAddress } from "../api/files.ts";
import { folderAddress } from "../api/projects.ts";
import { useProjectId } from "../live/live-context.tsx";
import { showFileHistory } from "../project/changes-store.ts";
import { copyText } from "../ui/copy-text.ts";
import { MENU_ITEM } from "../ui/menu-item.ts";
import { words } from "../words/words.ts";
import type { TreeRow } from "./tree.ts";
import { useLock } from "./use-locks.ts";

export interface RowActions {
  onNew: (kind: "file" | "folder", folder: ProjectPath) => void;
  onRenaming: (path: ProjectPath) => void;
  onDelete: (path: ProjectPath) => void;
}

/** The context menu of a row, opened by a right click, a long press or the menu key. */
export function RowMenu({
  rows,
  children,
  ...actions
}: RowActions & { rows: readonly TreeRow[]; children: ReactNode }) {
  const [path, setPath] = useState<string>();
  const row = rows.find((one) => one.path === path);
  return (
    <ContextMenu.Root>
      <ContextMenu.Trigger
        className="flex min-h-0 flex-1 flex-col"
        onContextMenu={({ target }) =>
          setPath((target as Element).closest<HTMLElement>("[data-path]")?.dataset["path"])
        }
      >
        {children}
      </ContextMenu.Trigger>
      <ContextMenu.Portal>
        <ContextMenu.Positioner collisionPadding={8} className="z-40">
          <ContextMenu.Popup className="floating min-w-44 py-1">
            <Items row={row} {...actions} />
          </ContextMenu.Popup>
        </ContextMenu.Positioner>
      </ContextMenu.Portal>
    </ContextMenu.Root>
  );
}

function Items({ row, onNew, onRenaming, onDelete }: RowActions & { row: TreeRow | undefined }) {
  const folder = row ? (row.folder ? row.path : folderOf(row.path)) : PROJECT_FOLDER;
  return (
    <>
      <ContextMenu.Item className={MENU_ITEM} onClick={() => onNew("file", folder)}>
        {words.files.newFile}
      </ContextMenu.Item>
      <ContextMenu.Item className={MENU_ITEM} onClick={() => onNew("folder", folder)}>
        {words.editor.newFolder}
      </ContextMenu.Item>
      {row && (
        <>
          <ContextMenu.Separator className="my-1 h-px bg-line" />
          <ContextMenu.Item className={MENU_ITEM} onClick={() => onRenaming(row.path)}>
            {words.editor.renameItem}
          </ContextMenu.Item>
          <LockItem path={row.path} />
          {!row.folder && (
            <ContextMenu.Item className={MENU_ITEM} onClick={() => showFileHistory(row.path)}>
              {words.changes.overTimeItem}
            </ContextMenu.Item>
          )}
          <DownloadItem row={row} />
          <ContextMenu.Item className={MENU_ITEM} onClick={() => void copyText(row.path)}>
            {words.editor.copyPath}
          </ContextMenu.Item>
          <ContextMenu.Item
            className={`${MENU_ITEM} text-failed`}
            onClick={() => onDelete(row.path)}
          >
            {words.files.delete}
          </ContextMenu.Item>
        </>
      )}
    </>
  );
}

function LockItem({ path }: { path: ProjectPath }) {
  const { state, toggle } = useLock(path);
  return (
    <ContextMenu.Item className={MENU_ITEM} disabled={state === "folder"} onClick={toggle}>
      {state === undefined
        ? words.editor.lockItem
        : state === "own"
          ? words.editor.unlockItem
          : words.editor.inLockedFolder}
    </ContextMenu.Item>
  );
}

function DownloadItem({ row }: { row: TreeRow }) {
  const project = useProjectId();
  const address = row.folder ? folderAddress(project, row.path) : rawAddress(project, row.path);
  return (
    <ContextMenu.Item className={MENU_ITEM} render={<a href={address} download />}>
      {row.folder ? words.editor.downloadZip : words.files.download}
    </ContextMenu.Item>
  );
}
