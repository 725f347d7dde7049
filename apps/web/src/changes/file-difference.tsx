import { useState } from "react";
import { ChevronRight } from "lucide-react";
import type { FileChangeText } from "../api/projects.ts";
import { visibleName } from "../files/tree.ts";
import { useWork } from "../project/work-store.ts";
import { Button } from "../ui/button.tsx";
import { words } from "../words/words.ts";
import { DiffView } from "./diff-view.tsx";

/** One changed file. Its lines are made once it is open: of a thousand files few are ever looked at. */
export function FileDifference({ file, startOpen }: { file: FileChangeText; startOpen: boolean }) {
  const openFile = useWork((state) => state.openFile);
  const [open, setOpen] = useState(startOpen);
  return (
    <details
      open={open}
      onToggle={(event) => setOpen(event.currentTarget.open)}
      className="group border-b border-line"
    >
      <summary className="flex h-8 items-center gap-2 px-3 text-small -outline-offset-2 hover:bg-hover">
        <ChevronRight
          size={14}
          aria-hidden="true"
          className="shrink-0 text-quiet group-open:rotate-90"
        />
        <span className="min-w-0 truncate font-mono">{visibleName(file.path)}</span>
        <span className="shrink-0 text-quiet">{words.changes.kinds[file.kind]}</span>
        {file.kind !== "removed" && (
          <Button
            kind="quiet"
            className="ml-auto"
            aria-label={words.changes.openFile(visibleName(file.path))}
            onClick={(event) => {
              event.preventDefault();
              openFile(file.path);
            }}
          >
            {words.changes.open}
          </Button>
        )}
      </summary>
      {!open ? null : file.binary || file.diff === "" ? (
        <p className="px-9 pb-2 text-small text-quiet">{why(file)}</p>
      ) : (
        <DiffView diff={file.diff} />
      )}
    </details>
  );
}

function why({ binary, cut }: FileChangeText): string {
  if (cut) return words.changes.tooMuch;
  return binary ? words.changes.notText : words.changes.noLines;
}
