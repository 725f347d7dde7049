import { PROJECT_FOLDER } from "@treadle/protocol/project-path";
import { callTitle } from "../fold/call-title.ts";
import { callWords, waitingWords } from "../fold/phase.ts";
import type { CallItem } from "../fold/types.ts";
import { useView } from "../live/live-context.tsx";
import { Button } from "../ui/button.tsx";
import { bytes, duration } from "../ui/format.ts";
import { useWork } from "../project/work-store.ts";
import { CallDetails } from "./call-details.tsx";
import { ChangeLink } from "./change-link.tsx";
import { LiveOutput } from "./live-output.tsx";
import { Step } from "./step.tsx";
import { words } from "../words/words.ts";

/** A duration is worth its place from here on, in milliseconds. */
const WORTH_SAYING = 300;

/** One tool call: present tense while it goes on, past tense when it is over. */
export function CallLine({ call }: { call: CallItem }) {
  const openFile = useWork((state) => state.openFile);
  const going = call.status === "writing" || call.status === "running";
  const { path, answer } = call;
  // A path that was refused leads nowhere, and neither does that of a file that is gone.
  const isThere = useView((view) => view.changes.get(path ?? PROJECT_FOLDER)?.kind === "written");
  if (call.status === "waiting")
    return (
      <Step title={waitingWords(call)} quiet>
        {() => <CallDetails call={call} />}
      </Step>
    );
  if (going) {
    const content = call.fields.get("content");
    return (
      <Step
        title={`${callWords(call)}…`}
        tone="going"
        number={content ? bytes(content.length) : undefined}
        startOpen={call.status === "running" && call.output !== undefined}
      >
        {() => (call.output ? <LiveOutput output={call.output} /> : <CallDetails call={call} />)}
      </Step>
    );
  }
  const failed = call.status === "error";
  const cutOff = call.title === undefined || call.status === "interrupted";
  const took = call.ms !== undefined && call.ms >= WORTH_SAYING ? [duration(call.ms)] : [];
  // Outside the title, of which a long command's end is not shown.
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
  if (answer === undefined) return line;
  return (
    <>
      {line}
      <p className="mt-1 ml-1.5 max-h-60 overflow-auto border-l border-line pl-3.5 break-words whitespace-pre-wrap">
        <span className="text-quiet">{words.conversation.youSaid}</span> <bdi>{answer}</bdi>
      </p>
    </>
  );
}
