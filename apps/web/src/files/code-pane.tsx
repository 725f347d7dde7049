import type { ProjectPath } from "@treadle/protocol";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { PROJECT_FOLDER } from "@treadle/protocol/project-path";
import { Suspense, useEffect, useMemo, useState } from "react";
import { PanelLeft } from "../ui/icons.ts";
import { listFiles } from "../api/files.ts";
import { sentence } from "../api/request.ts";
import { writingCall } from "../fold/select.ts";
import { useProjectId, useView } from "../live/live-context.tsx";
import { Button, IconButton } from "../ui/button.tsx";
import { OpenFiles } from "./open-files.tsx";
import { FileTree } from "./file-tree.tsx";
import { isGone } from "./is-gone.ts";
import { PathField } from "./path-field.tsx";
import { guardUnsaved } from "../project/unsaved.ts";
import { visibleName } from "./tree.ts";
import { matchPath } from "../prompt/match-path.ts";
import { TreeHead } from "./tree-head.tsx";
import { Confirm } from "../ui/confirm.tsx";
import { useDelete } from "./use-delete.ts";
import { useUploads } from "./use-uploads.ts";
import { useFileActions } from "./use-file-actions.ts";
import { useWork } from "../project/work-store.ts";
import { useSearch } from "../search/search-store.ts";
import { words } from "../words/words.ts";
import { lazyPart } from "../ui/lazy-part.tsx";

export { warmEditor } from "./warm-editor.ts";

const { Part: SearchPane } = lazyPart(() => import("../search/search-pane.tsx"));

/** Delay before a burst of changes refetches the list once. */
const SETTLE_MS = 250;

/** The file tree and the open files. */
export default function Code({ narrow }: { narrow: boolean }) {
  const project = useProjectId();
  const client = useQueryClient();
  const filesSeq = useView((view) => view.filesSeq);
  const writing = useView((view) => writingCall(view)?.path);
  const path = useWork((state) => state.path);
  const pathChosen = useWork((state) => state.pathChosen);
  const { openFile, letFollow } = useWork.getState();
  const [missingPath, setMissingPath] = useState<ProjectPath>();
  const changed = useView((view) =>
    missingPath === undefined ? undefined : view.changes.get(missingPath)?.kind,
  );
  const [tree, setTree] = useState(!narrow);
  const [filter, setFilter] = useState("");
  const [naming, setNaming] = useState<{ kind: "file" | "folder"; folder: ProjectPath }>();
  const [renaming, setRenaming] = useState<ProjectPath>();
  const { data, error, refetch } = useQuery({
    queryKey: ["files", project],
    queryFn: ({ signal }) => listFiles(project, signal),
  });
  useEffect(guardUnsaved, []);
  if (missingPath !== undefined && path !== undefined) setMissingPath(undefined);
  useEffect(() => {
    const timer = setTimeout(
      () => void client.invalidateQueries({ queryKey: ["files", project] }),
      SETTLE_MS,
    );
    return () => clearTimeout(timer);
  }, [client, filesSeq, project]);

  // Adds the file that the model is writing from its first character on.
  const files = useMemo(() => {
    const known = data ?? [];
    if (writing === undefined || known.some((file) => file.path === writing)) return known;
    return [...known, { path: writing, kind: "file" as const, size: 0 }];
  }, [data, writing]);

  const shown = useMemo(() => {
    const query = filter.trim();
    return query === ""
      ? files
      : files.filter(
          ({ kind, path: one }) => kind !== "folder" && matchPath(one, query) !== undefined,
        );
  }, [files, filter]);

  const { create, createFolder, rename } = useFileActions(files, refetch);
  const { uploads, upload } = useUploads(refetch);
  const deleting = useDelete(files, refetch);
  const open = (next: ProjectPath) => {
    openFile(next);
    if (narrow) setTree(false);
  };
  const search = useSearch((state) => state.shown);
  const column = search || tree || (narrow && path === undefined);

  return (
    <div className="flex h-full">
      {column && (
        <div
          className={`flex flex-col ${narrow ? "w-full" : `${search ? "w-80" : "w-55"} shrink-0 border-r border-line`}`}
        >
          {search ? (
            <Suspense fallback={null}>
              <SearchPane onOpened={() => narrow && useSearch.getState().close()} />
            </Suspense>
          ) : (
            <>
              <TreeHead
                filter={filter}
                onFilter={setFilter}
                uploads={uploads}
                onNew={(kind) => setNaming({ kind, folder: PROJECT_FOLDER })}
                onUpload={(added) => void upload(PROJECT_FOLDER, added)}
              />
              {missingPath !== undefined &&
                path === undefined &&
                isGone(missingPath, files, changed) && (
                  <p role="status" className="px-3 pb-2 text-small break-all text-quiet">
                    {words.files.gone({ path: visibleName(missingPath) })}
                  </p>
                )}
              {deleting.asking !== undefined && (
                <Confirm
                  open
                  onClose={deleting.dontAsk}
                  title={words.files.deleteOne({ name: visibleName(deleting.asking) })}
                  action={words.files.delete}
                  onConfirm={deleting.removeAsked}
                >
                  {words.files.tooManyToUndo({ amount: deleting.count })}
                </Confirm>
              )}
              {naming && (
                <PathField
                  key={`${naming.kind} ${naming.folder}`}
                  label={naming.kind === "file" ? words.files.newPath : words.editor.newFolderPath}
                  start={naming.folder === PROJECT_FOLDER ? "" : `${naming.folder}/`}
                  onTake={async (next) =>
                    (await (naming.kind === "file" ? create(next) : createFolder(next))).reason
                  }
                  onDone={() => setNaming(undefined)}
                  onCancel={() => setNaming(undefined)}
                />
              )}
              {error && !data ? (
                <p role="alert" className="px-3 text-small text-failed">
                  {sentence(error)}{" "}
                  <Button onClick={() => void refetch()}>{words.files.tryAgain}</Button>
                </p>
              ) : (
                <FileTree
                  files={shown}
                  allOpen={shown !== files}
                  onDelete={(gone) => void deleting.remove(gone)}
                  onUpload={(folder, added) => void upload(folder, added)}
                  selected={path}
                  writing={writing}
                  renaming={renaming}
                  onOpen={open}
                  onRenaming={setRenaming}
                  onNew={(kind, folder) => setNaming({ kind, folder })}
                  onRename={rename}
                />
              )}
            </>
          )}
        </div>
      )}
      {!(narrow && column) && (
        <div className="flex min-w-0 flex-1">
          <OpenFiles
            lead={
              <IconButton
                name={tree ? words.files.hide : words.files.show}
                onClick={() => setTree(!tree)}
              >
                <PanelLeft size={15} aria-hidden="true" />
              </IconButton>
            }
            notice={
              writing !== undefined &&
              pathChosen &&
              writing !== path && (
                <p className="flex items-center gap-2 border-b border-line px-3 py-1 text-small text-quiet">
                  <span className="min-w-0 truncate">
                    {words.files.writing} <span className="font-mono">{writing}</span>
                  </span>
                  <Button kind="quiet" onClick={letFollow}>
                    {words.files.follow}
                  </Button>
                </p>
              )
            }
            empty={
              <p className="p-4 text-quiet">
                {files.length === 0 ? words.files.none : words.files.choose}
              </p>
            }
            onGone={setMissingPath}
            onRename={(renamed) => {
              setTree(true);
              setRenaming(renamed);
            }}
            onDelete={(gone) => void deleting.remove(gone)}
          />
        </div>
      )}
    </div>
  );
}
