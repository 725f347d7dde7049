import type { ProjectPath } from "@treadle/protocol";
import { useMemo } from "react";
import type { Span } from "../api/changes.ts";
import { sentence } from "../api/request.ts";
import { useNarrow } from "../ui/use-narrow.ts";
import { words } from "../words/words.ts";
import { useBeside } from "./beside-choice.ts";
import { changeKeys } from "./change-key.ts";
import { FileDifference } from "./file-difference.tsx";
import { useReviewed } from "./reviewed.ts";
import { useChangedFile } from "./use-changed-file.ts";

const NONE: readonly string[] = [];

/** The changes of one file between two checkpoints. */
export function OneDifference({ path, span }: { path: ProjectPath; span: Span }) {
  const { data, error } = useChangedFile(span, path);
  const marks = useReviewed((state) => state.marks[span.from]) ?? NONE;
  const reviewed = useMemo(() => new Set(marks), [marks]);
  const narrow = useNarrow();
  const beside = useBeside((state) => state.beside) && !narrow;
  const file = data?.difference;
  const keys = useMemo(() => (file ? changeKeys(file) : NONE), [file]);
  if (error)
    return (
      <p role="alert" className="p-4 text-failed">
        {sentence(error)}
      </p>
    );
  if (!data) return <p className="p-4 text-quiet">{words.changes.comparing}</p>;
  if (!file) return <p className="p-4 text-quiet">{words.changes.noDifferences}</p>;
  return (
    <FileDifference
      file={file}
      span={span}
      startOpen
      beside={beside}
      keys={keys}
      reviewed={reviewed}
    />
  );
}
