import { isRunning, verdictOn } from "@treadle/protocol/fold";
import { visible } from "@treadle/protocol/safe-text";
import { useState } from "react";
import { Bookmark } from "../ui/icons.ts";
import { nameCheckpoint } from "../api/projects.ts";
import { sentence } from "../api/request.ts";
import { VerdictMark } from "../evidence/verdict-mark.tsx";
import type { HistoryLine } from "../fold/history-lines.ts";
import { shortRevision } from "../fold/select.ts";
import { useProjectId, useView } from "../live/live-context.tsx";
import { Button } from "../ui/button.tsx";
import { formatAgo } from "../ui/format.ts";
import { noticeError } from "../ui/notice.ts";
import { RenameField } from "../ui/rename-field.tsx";
import { words } from "../words/words.ts";
import { CheckpointMore } from "./checkpoint-more.tsx";
import { SeenPicture } from "./seen-picture.tsx";
import { useGoBack } from "./use-go-back.ts";

/** One checkpoint: its picture, request and author, with its actions. */
export function CheckpointRow({
  line,
  now,
  match,
  onDone,
}: {
  line: HistoryLine;
  now: number;
  /** `now`: the current checkpoint. `as-now`: an earlier one with the same files. */
  match: "now" | "as-now" | undefined;
  onDone: () => void;
}) {
  const { checkpoint, revision, at, note, name, thinned, by } = line;
  const project = useProjectId();
  const working = useView(isRunning);
  const goBack = useGoBack();
  const [naming, setNaming] = useState(false);
  const title = visible(line.title);
  const verdict = useView((view) => verdictOn(view, revision)?.verdict);
  const rename = async (next: string | null) => {
    setNaming(false);
    await nameCheckpoint(project, checkpoint, next).catch((error: unknown) =>
      noticeError(sentence(error)),
    );
  };
  const who =
    typeof by === "object" ? by.model.slice(by.model.indexOf(":") + 1) : words.history[by];
  return (
    <li className="flex items-center gap-2 px-3 py-1.5">
      <span className="w-3.5 shrink-0" title={verdict && words.verdict[verdict]}>
        {verdict && (
          <>
            <VerdictMark state={verdict} />
            <span className="sr-only">{words.verdict[verdict]}</span>
          </>
        )}
      </span>
      <SeenPicture revision={revision} />
      <div className="min-w-0 flex-1">
        {naming ? (
          <RenameField
            name={name ?? ""}
            label={words.history.nameOf({ title })}
            onDone={rename}
            onCancel={() => setNaming(false)}
          />
        ) : (
          <p dir="auto" className={`truncate ${thinned ? "text-quiet" : ""}`} title={title}>
            {name !== undefined && (
              <Bookmark
                size={12}
                aria-label={words.history.named}
                className="mr-1 inline text-accent"
              />
            )}
            {title}
          </p>
        )}
        <p className="numbers truncate text-small text-quiet">
          {formatAgo(at, now)} · {who} ·{" "}
          <span className="font-mono">{shortRevision(revision)}</span>
          {note !== undefined && ` · ${visible(note)}`}
        </p>
      </div>
      {match && (
        <span className="px-2 text-small text-quiet">
          {match === "now" ? words.history.now : words.history.asNow}
        </span>
      )}
      {thinned && !match && (
        <span className="px-2 text-small text-quiet" title={words.history.thinnedHint}>
          {words.history.thinned}
        </span>
      )}
      {!match && !thinned && (
        <Button
          disabled={working}
          title={working ? words.history.stopFirst : undefined}
          aria-label={words.history.goBackTo({ title })}
          onClick={() => {
            void goBack({ checkpoint, label: title });
            onDone();
          }}
        >
          {words.history.goBack}
        </Button>
      )}
      {!thinned && (
        <CheckpointMore
          line={line}
          title={title}
          isCurrent={match !== undefined}
          onName={() => setNaming(true)}
          onUnname={() => void rename(null)}
          onDone={onDone}
        />
      )}
    </li>
  );
}
