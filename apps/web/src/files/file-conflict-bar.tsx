import type { ProjectPath } from "@treadle/protocol";
import { Button } from "../ui/button.tsx";
import { words } from "../words/words.ts";
import { canMerge } from "./can-merge.ts";
import type { FileStatus } from "./file-session.ts";

/** Shows both texts of a conflict and the choice between them. The person's own text stays in the editor below. */
export function FileConflictBar({
  path,
  conflict: { theirs, base, marked },
  onKeepOwn,
  onBoth,
  onTheirs,
}: {
  path: ProjectPath;
  conflict: Extract<FileStatus, { state: "conflict" }>;
  onKeepOwn: () => void;
  onBoth: () => void;
  onTheirs: () => void;
}) {
  const may = theirs?.text !== undefined && base !== undefined && canMerge(theirs.text, base);
  const message = theirs
    ? words.files.changedMeanwhile({ path })
    : words.files.deletedMeanwhile({ path });
  return (
    <section aria-label={words.files.conflict} className="shrink-0 border-b border-line">
      <div role="alert" className="flex flex-wrap items-center gap-2 px-3 py-2 text-small">
        <p className="min-w-60 flex-1">{marked ? words.files.bothStand : message}</p>
        {may && (
          <Button kind="primary" onClick={onBoth}>
            {words.files.takeBoth}
          </Button>
        )}
        <Button kind={may ? "plain" : "primary"} onClick={onKeepOwn}>
          {marked ? words.files.keepBoth : words.files.keepMine}
        </Button>
        <Button onClick={onTheirs}>{theirs ? words.files.takeTheirs : words.files.letGo}</Button>
      </div>
      {theirs && !marked && (
        <pre
          aria-label={words.files.onDisk}
          tabIndex={0}
          className="max-h-[30vh] overflow-auto border-t border-line bg-hover px-3 py-2 font-mono text-small"
        >
          {theirs.text ?? words.files.noText}
        </pre>
      )}
    </section>
  );
}
