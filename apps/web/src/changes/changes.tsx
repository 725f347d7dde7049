import { useQuery } from "@tanstack/react-query";
import { readChanges } from "../api/projects.ts";
import { sentence } from "../api/request.ts";
import { lastTurnStart } from "../fold/select.ts";
import { useProjectId, useView } from "../live/live-context.tsx";
import { Button } from "../ui/button.tsx";
import { FileDifference } from "./file-difference.tsx";
import { useWork } from "../project/work-store.ts";
import { words } from "../words/words.ts";

/** What is different between two checkpoints, or between one and now. */
export function Changes() {
  const project = useProjectId();
  const { span, showChanges } = useWork();
  const first = useView((view) => view.checkpoints[0]?.checkpoint);
  const lastTurn = useView(lastTurnStart);
  const filesSeq = useView((view) => view.filesSeq);
  const from = span?.from ?? lastTurn ?? first;
  const to = span?.to;
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ["changes", project, from, to, to === undefined ? filesSeq : 0],
    queryFn: ({ signal }) => readChanges(project, from ?? "", to, signal),
    enabled: from !== undefined,
    placeholderData: (before) => before,
  });
  if (from === undefined) return <p className="p-4 text-quiet">{words.changes.nothingYet}</p>;

  const chosen =
    span === undefined || (to === undefined && from === lastTurn)
      ? "turn"
      : to === undefined && from === first
        ? "start"
        : "span";
  return (
    <div className="flex h-full flex-col">
      <div className="flex h-9 shrink-0 items-center gap-2 border-b border-line px-3 text-small">
        <label className="flex items-center gap-2 text-quiet">
          {words.changes.changes}
          <select
            value={chosen}
            onChange={(event) => {
              if (event.target.value === "turn" && lastTurn !== undefined) showChanges(undefined);
              if (event.target.value === "start" && first !== undefined)
                showChanges({ from: first });
            }}
            className="h-7 rounded border border-line bg-raised px-1 text-ink"
          >
            <option value="turn">{words.changes.sinceLastTurn}</option>
            <option value="start">{words.changes.sinceFirst}</option>
            {chosen === "span" && <option value="span">{words.changes.ofChosen}</option>}
          </select>
        </label>
        <span className="numbers ml-auto text-quiet">
          {data && words.changes.files(data.length)}
        </span>
      </div>
      <div className="min-h-0 flex-1 overflow-y-auto">
        {isPending && <p className="p-4 text-quiet">{words.changes.comparing}</p>}
        {error && (
          <p role="alert" className="p-4 text-failed">
            {sentence(error)}{" "}
            <Button onClick={() => void refetch()}>{words.changes.tryAgain}</Button>
          </p>
        )}
        {data?.length === 0 && <p className="p-4 text-quiet">{words.changes.noDifferences}</p>}
        {data?.map((file) => (
          <FileDifference key={file.path} file={file} startOpen={data.length <= 8} />
        ))}
      </div>
    </div>
  );
}
