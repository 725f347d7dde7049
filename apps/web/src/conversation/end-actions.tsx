import type { SendMessage } from "@treadle/protocol";
import { isSound } from "@treadle/protocol/evidence";
import { verdictOf, isRunning } from "@treadle/protocol/fold";
import { runCommand } from "../commands/available.ts";
import { checkAgain, continueRun, sendMessage } from "../api/projects.ts";
import { filesOfTurn, linesOfTurn } from "../fold/line-counts.ts";
import { bestRevision, shortRevision, turnCheckpoints } from "../fold/select.ts";
import type { RunEnd, Turn } from "../fold/types.ts";
import { useProjectId, useView } from "../live/live-context.tsx";
import { AllowHosts } from "../evidence/allow-hosts.tsx";
import { AgreeChecks } from "../evidence/agree-checks.tsx";
import { useIsFixLeading } from "../evidence/fix-button.tsx";
import { askRepair } from "../project/ask-repair.ts";
import { useGoBack } from "../history/use-go-back.ts";
import { LineCountView } from "../ui/line-count.tsx";
import { Button } from "../ui/button.tsx";
import { useAct } from "../ui/use-act.ts";
import { showChanges } from "../project/changes-store.ts";
import { words } from "../words/words.ts";

/** Error codes that need another key or model; trying again does not help. */
const MODEL_CODES = new Set(["model-missing", "model-unknown", "key-wrong", "quota"]);

/** The next actions for a turn's result. Actions on the current project are offered for the last turn only. */
export function EndActions({ turn, end, last }: { turn: Turn; end: RunEnd; last: boolean }) {
  const project = useProjectId();
  const working = useView(isRunning);
  const before = useView((view) => turnCheckpoints(view, turn).before);
  const after = useView((view) => turnCheckpoints(view, turn).after);
  const requestedHosts = useView((view) => view.evidence?.wanted);
  // The actions follow the current files, because the person may have restored a checkpoint or fixed the files by hand.
  const verdict = useView((view) => verdictOf(view)?.verdict) ?? end.verdict;
  const goBack = useGoBack();
  const { act, busy, problem } = useAct();

  const ofModel = last && end.error !== undefined && MODEL_CODES.has(end.error.code);
  const files = filesOfTurn(turn);
  const off = busy || working;
  const best = useView((view) => (last ? bestRevision(view, end) : undefined));
  // A turn that was undone can be neither undone nor checked again, because its files are no longer the current ones.
  const wentBack = turn.after.at(-1);
  const isBack = wentBack !== undefined && wentBack.checkpoint !== after;
  // A turn that failed is continued from here. If it worked and broke later, the header's button repairs it.
  const mayGoOn = end.verdict === "failed";
  const leads = useIsFixLeading();
  return (
    <>
      <div className="mt-2 flex flex-wrap items-center gap-2 empty:hidden">
        {ofModel && (
          <Button kind="primary" disabled={off} onClick={() => runCommand("model")}>
            {words.conversation.otherModel}
          </Button>
        )}
        {last && mayContinue(end) && (
          <Button
            kind={ofModel ? "plain" : "primary"}
            disabled={off}
            onClick={() => void act(() => continueRun(project))}
          >
            {words.conversation.continue}
          </Button>
        )}
        {last && end.outcome === "error" && turn.text !== "" && !mayContinue(end) && (
          <Button
            disabled={off}
            onClick={() => void act(() => sendMessage(project, repeatedMessage(turn)))}
          >
            {words.conversation.tryAgain}
          </Button>
        )}
        {last && end.outcome === "done" && verdict === "failed" && (mayGoOn || !leads) && (
          <Button
            kind="primary"
            disabled={off}
            onClick={() => void act(() => sendMessage(project, askRepair()))}
          >
            {mayGoOn ? words.conversation.goOn : words.evidence.fix}
          </Button>
        )}
        {last && best !== undefined && !isSound(verdict) && (
          <Button
            disabled={off}
            title={end.best?.reason}
            onClick={() =>
              void goBack({ checkpoint: best.checkpoint, label: words.conversation.theBest })
            }
          >
            {words.conversation.goToBest({ revision: shortRevision(best.revision) })}
          </Button>
        )}
        {last && !isBack && (verdict === "failed" || verdict === "unverified") && (
          <Button disabled={off} onClick={() => void act(() => checkAgain(project))}>
            {words.conversation.checkAgain}
          </Button>
        )}
        {last && verdict === "unverified" && <AgreeChecks />}
        {last && verdict !== undefined && <AllowHosts requestedHosts={requestedHosts} />}
        {before !== undefined && (
          <Button
            kind="quiet"
            className="first:-ml-2"
            title={words.changes.ofTurn}
            onClick={() => showChanges({ from: before, to: after })}
          >
            {files > 0 ? words.changes.files({ amount: files }) : words.conversation.changes}
            <LineCountView lines={linesOfTurn(turn)} />
          </Button>
        )}
        {last && before !== undefined && !isBack && (
          <Button
            kind="quiet"
            disabled={off}
            onClick={() =>
              void goBack({ checkpoint: before, label: words.conversation.beforeTurn })
            }
          >
            {words.conversation.undo}
          </Button>
        )}
      </div>
      {problem && (
        <p role="alert" className="mt-2 text-small text-failed">
          {problem}
        </p>
      )}
    </>
  );
}

/** The message of a turn, to be sent again. Fields that the person did not set are dropped. */
const repeatedMessage = ({ text, fix, prove, toCarryOut }: Turn): SendMessage => ({
  text,
  fix,
  prove,
  plan: toCarryOut,
});

function mayContinue(end: RunEnd): boolean {
  if (end.error) return end.error.canContinue;
  return end.outcome === "stopped" || end.outcome === "interrupted" || end.outcome === "budget";
}
