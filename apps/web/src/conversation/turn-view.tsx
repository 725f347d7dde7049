import { memo } from "react";
import { isSound } from "@treadle/protocol/evidence";
import { describeRestore } from "../fold/history-lines.ts";
import { stepLines } from "../fold/step-lines.ts";
import type { Turn } from "../fold/types.ts";
import { StepLineView } from "./step-line-view.tsx";
import { useView } from "../live/live-context.tsx";
import { visible } from "@treadle/protocol/safe-text";
import { PlanCard } from "./plan-card.tsx";
import { EndCard } from "./end-card.tsx";
import { TurnMessage } from "./turn-message.ts";
import { UserMessage } from "./user-message.tsx";

/** One message and everything that followed. Drawn again only when this turn changes. */
export const TurnView = memo(function TurnView({ turn, last }: { turn: Turn; last: boolean }) {
  const lines = stepLines(turn.items);
  const open = turn.end === undefined;
  // The card repeats the result of the look that it is based on.
  const { end } = turn;
  const restsOn = lines.findLast(
    (line) => line.kind === "look" && line.item.evidence.revision === end?.revision,
  );
  return (
    // Turns far out of sight are not laid out, so a long conversation opens as fast as a short one.
    <article
      data-message={turn.message}
      // Adjacent steps look like one list.
      className={`space-y-2 [&>[data-opens]:has(+[data-opens])]:mb-0 ${last ? "" : "[contain-intrinsic-block-size:auto_300px] [content-visibility:auto]"}`}
    >
      <TurnMessage value={turn.text === "" ? undefined : turn.message}>
        {turn.text !== "" && (
          <UserMessage
            text={turn.text}
            toCarryOut={turn.toCarryOut}
            pictures={turn.pictures}
            mentioned={turn.mentioned}
          />
        )}
        {lines.length > 0 && <h2 className="sr-only">Treadle</h2>}
        {lines.map((line, index) => (
          <StepLineView
            key={lineKey(line, index)}
            line={line}
            streaming={open && index === lines.length - 1}
            latest={last && index === lines.length - 1}
            isOver={!open}
            isInCard={line === restsOn && (isSound(end?.verdict) || end?.verdict === "failed")}
          />
        ))}
      </TurnMessage>
      {turn.plan !== undefined && last && <PlanCard plan={turn.plan} message={turn.message} />}
      {turn.end && <EndCard turn={turn} end={turn.end} last={last} />}
      {turn.after.map((note) => (
        <WentBack key={note.at} {...note} />
      ))}
    </article>
  );
});

function WentBack(note: Turn["after"][number]) {
  const text = useView((view) => describeRestore(view, note));
  return <p className="text-small text-quiet">{visible(text)}</p>;
}

function lineKey(line: ReturnType<typeof stepLines>[number], index: number): string {
  switch (line.kind) {
    case "call":
      return line.item.call;
    case "calls":
      // The key of the first call, so that a folding line keeps its identity.
      return line.key;
    default:
      return `${line.kind}-${index}`;
  }
}
