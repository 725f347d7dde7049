import type { FileBody, ProjectPath } from "@treadle/protocol";
import { Button } from "../ui/button.tsx";

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
    <section aria-label="Conflict" className="shrink-0 border-b border-line">
      <div role="alert" className="flex flex-wrap items-center gap-2 px-3 py-2 text-small">
        <p className="min-w-0 flex-1">
          {theirs
            ? `${path} was changed by another hand while you edited it. Nothing was overwritten: this is the text on disk, yours is in the editor below.`
            : `${path} was deleted by another hand while you edited it. Your text is in the editor below.`}
        </p>
        <Button kind="primary" onClick={onMine}>
          Keep mine
        </Button>
        <Button onClick={onTheirs}>{theirs ? "Take the one on disk" : "Let it go"}</Button>
      </div>
      {theirs && (
        <pre
          aria-label="Text on disk"
          tabIndex={0}
          className="max-h-[30vh] overflow-auto border-t border-line bg-hover px-3 py-2 font-mono text-small"
        >
          {theirs.text ?? "(not text)"}
        </pre>
      )}
    </section>
  );
}
