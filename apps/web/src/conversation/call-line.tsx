import { PROJECT_FOLDER } from "@treadle/protocol/project-path";
import { callTitle } from "../fold/call-title.ts";
import { callWords, waitingWords } from "../fold/phase.ts";
import type { CallItem } from "../fold/types.ts";
import { useView } from "../live/live-context.tsx";
import { Button } from "../ui/button.tsx";
import { formatBytes, formatDuration } from "../ui/format.ts";
import { useWork } from "../project/work-store.ts";
import { AnswerLine } from "./author-name.tsx";
import { CallDetails } from "./call-details.tsx";
import { ChangeLink } from "./change-link.tsx";
import { LiveOutput } from "./live-output.tsx";
import { Step } from "./step.tsx";
import { words } from "../words/words.ts";

/** Durations shorter than this are not shown, in milliseconds. */
const MIN_SHOWN_MS = 300;

/** One tool call: in the present tense while it runs, in the past tense afterwards. */
export function CallLine({ call }: { call: CallItem }) {
  const openFile = useWork((state) => state.openFile);
  const isActive = call.status === "writing" || call.status === "running";
  const { path } = call;
  // A refused path or the path of a deleted file is not a link.
  const isThere = useView((view) => view.changes.get(path ?? PROJECT_FOLDER)?.kind === "written");
  if (call.status === "waiting")
    return (
      <Step title={waitingWords(call)} quiet>
        {() => <CallDetails call={call} />}
      </Step>
    );
  if (isActive) {
    const content = call.fields.get("content");
    return (
      <Step
        title={`${callWords(call)}…`}
        tone="going"
        number={content ? formatBytes(content.length) : undefined}
        startOpen={call.status === "running" && call.output !== undefined}
      >
        {() => (call.output ? <LiveOutput output={call.output} /> : <CallDetails call={call} />)}
      </Step>
    );
  }
  const failed = call.status === "error";
  const cutOff = call.title === undefined || call.status === "interrupted";
  const took = call.ms !== undefined && call.ms >= MIN_SHOWN_MS ? [formatDuration(call.ms)] : [];
  // Outside the title, because the end of a long command is cut off.
  const number = [...(cutOff ? [words.conversation.interrupted] : []), ...took].join(" · ");
  const line = (
    <Step
      title={cutOff ? callWords(call) : callTitle(call)}
      tone={failed ? "failed" : call.status === "ok" ? undefined : "unsure"}
      number={number}
      action={
        failed && path !== undefined && isThere ? (
          <Button kind="quiet" onClick={() => openFile(path)}>
            {words.conversation.showInFile}
          </Button>
        ) : (
          <ChangeLink path={path} lines={call.lines} />
        )
      }
    >
      {() => <CallDetails call={call} />}
    </Step>
  );
  if (call.answer === undefined && !call.answeredBy) return line;
  return (
    <>
      {line}
      <AnswerLine call={call} />
    </>
  );
}
