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
import { lineKey, lineName } from "./find-texts.ts";
import { FoundLine } from "./found-line.tsx";
import { TurnMessage } from "./turn-message.ts";
import { UserMessage } from "./user-message.tsx";

/** One turn: a message and everything that followed it. Drawn again only when this turn changes. */
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
          <FoundLine name={lineName(turn, "message")}>
            <UserMessage
              message={turn.message}
              text={turn.text}
              by={turn.by}
              toCarryOut={turn.toCarryOut}
              pictures={turn.pictures}
              mentioned={turn.mentioned}
            />
          </FoundLine>
        )}
        {lines.length > 0 && <h2 className="sr-only">Treadle</h2>}
        {lines.map((line, index) => (
          <FoundLine key={lineKey(line, index)} name={lineName(turn, lineKey(line, index))}>
            <StepLineView
              line={line}
              message={turn.message}
              streaming={open && index === lines.length - 1}
              latest={last && index === lines.length - 1}
              isOver={!open}
              isInCard={line === restsOn && (isSound(end?.verdict) || end?.verdict === "failed")}
            />
          </FoundLine>
        ))}
      </TurnMessage>
      {turn.plan !== undefined && last && <PlanCard plan={turn.plan} message={turn.message} />}
      {turn.end && (
        <FoundLine name={lineName(turn, "end")}>
          <EndCard turn={turn} end={turn.end} last={last} />
        </FoundLine>
      )}
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
