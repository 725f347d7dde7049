import { formatUnifiedDiff, hunksOf, readUnifiedDiff } from "@treadle/dialects/diff";
import { toProjectPath } from "@treadle/protocol/project-path";
import type { ReactNode } from "react";
import { changeKeys } from "../../src/changes/change-key.ts";
import { DiffTable } from "../../src/changes/diff-table.tsx";
import { rowsOf } from "../../src/changes/diff-rows.ts";
import { FileDifference } from "../../src/changes/file-difference.tsx";
import { HunkHead } from "../../src/changes/hunk-head.tsx";
import { linesOfText, segmentsOf } from "../../src/changes/segments.ts";
import { ShowProject } from "./show-project.tsx";

const BEFORE = Array.from({ length: 60 }, (_, at) => `const a${at} = "red";\n`).join("");
const AFTER = BEFORE.replace('a4 = "red"', 'a4 = "blue"').replace('const a40 = "red";\n', "");
const DIFF = formatUnifiedDiff(BEFORE, AFTER);

function Table({ beside }: { beside: boolean }) {
  const hunks = hunksOf(readUnifiedDiff(DIFF));
  return (
    <DiffTable
      name="a.ts"
      beside={beside}
      rows={rowsOf(segmentsOf(hunks, linesOfText(AFTER), new Map()), beside)}
      before={undefined}
      after={undefined}
      hunk={(index) => head(index, index === 1, false)}
      onOpen={() => {}}
    />
  );
}

const head = (index: number, reviewed: boolean, busy: boolean) => (
  <HunkHead
    number={index + 1}
    total={2}
    reviewed={reviewed}
    busy={busy}
    onKeep={() => {}}
    onUndo={() => {}}
  />
);

function File({
  kind,
  isReviewed,
}: {
  kind: "added" | "changed" | "removed";
  isReviewed: boolean;
}) {
  const path = toProjectPath("src/App.tsx");
  const file = { path, kind, binary: false, diff: formatUnifiedDiff("a\n", "b\n") };
  const keys = changeKeys(file);
  return (
    <ShowProject events={[]}>
      <FileDifference
        file={file}
        span={{ from: "c1" }}
        startOpen={!isReviewed}
        beside={false}
        keys={keys}
        reviewed={new Set(isReviewed ? keys : [])}
      />
    </ShowProject>
  );
}

/** Components of the Changes tab. */
export const CHANGE_PARTS: Record<string, () => ReactNode> = {
  "changes inline": () => <Table beside={false} />,
  "changes side by side": () => <Table beside />,
  "a change": () => head(0, false, false),
  "a change that is kept": () => head(0, true, false),
  "a change that is being undone": () => head(0, false, true),
  "a changed file": () => <File kind="changed" isReviewed={false} />,
  "a removed file that is kept": () => <File kind="removed" isReviewed />,
};
