import type { FileBody, ProjectPath } from "@treadle/protocol";
import { Button } from "../ui/button.tsx";
import { words } from "../words/words.ts";

/** Both texts, and the choice between them. The person's own stays in the editor below. */
export function FileConflictBar({
  path,
  theirs,
  onMine,
  onTheirs,
}: {
  path: ProjectPath;
  theirs: FileBody | undefined;
  onMine: () => void;
  onTheirs: () => void;
}) {
  return (
    <section aria-label={words.files.conflict} className="shrink-0 border-b border-line">
      <div role="alert" className="flex flex-wrap items-center gap-2 px-3 py-2 text-small">
        <p className="min-w-0 flex-1">
          {theirs ? words.files.changedMeanwhile(path) : words.files.deletedMeanwhile(path)}
        </p>
        <Button kind="primary" onClick={onMine}>
          {words.files.keepMine}
        </Button>
        <Button onClick={onTheirs}>{theirs ? words.files.takeTheirs : words.files.letGo}</Button>
      </div>
      {theirs && (
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
