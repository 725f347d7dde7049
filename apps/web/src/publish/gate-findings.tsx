import { useQueryClient } from "@tanstack/react-query";
import type { Gate, GateFinding, Release } from "@treadle/protocol";
import { visible, visibleProse } from "@treadle/protocol/safe-text";
import { publicationKey, publishAnyway, reportAddress } from "../api/publication.ts";
import { sendMessage } from "../api/projects.ts";
import { codedWords } from "../words/coded-words.ts";
import { useProjectId } from "../live/live-context.tsx";
import { Button } from "../ui/button.tsx";
import { useAct } from "../ui/use-act.ts";
import { words } from "../words/words.ts";

/**
 * The problems that were found in a release before publication, if there are any, each with a repair; and a button to
 * publish a release that was held back for them anyway.
 */
export function GateFindings({
  release: { number, state, review },
  gate,
  onFix,
}: {
  release: Release;
  gate: Gate;
  onFix: () => void;
}) {
  const { findings, unchecked, decided } = gate;
  if (findings.length === 0 && unchecked.length === 0) return null;
  const held = state === "held" && review === undefined;
  return (
    <div className="pl-8 text-small">
      {held && <Held number={number} />}
      {decided && (
        <p className="text-quiet">{words.publish.decidedBy({ who: visible(decided.by) })}</p>
      )}
      <details open={held}>
        <summary className="text-accent hover:underline pointer-coarse:min-h-11">
          {words.publish.found({ amount: findings.length })}
        </summary>
        <ul className="mt-1 space-y-2">
          {findings.map((finding) => (
            <Finding key={finding.id} finding={finding} onFix={onFix} />
          ))}
          {unchecked.map((text) => (
            <li key={text} className="break-words text-quiet">
              {words.publish.notChecked} {visibleProse(text)}
            </li>
          ))}
        </ul>
        <Report number={number} />
      </details>
    </div>
  );
}

function Held({ number }: { number: number }) {
  const project = useProjectId();
  const client = useQueryClient();
  const { act, busy, problem } = useAct();
  const publish = () =>
    act(async () =>
      client.setQueryData(publicationKey(project), await publishAnyway(project, number)),
    );
  return (
    <div className="my-1 space-y-1">
      <p className="text-failed">{words.publish.held}</p>
      <Button disabled={busy} onClick={() => void publish()}>
        {words.publish.anyway}
      </Button>
      {problem && (
        <p role="alert" className="text-failed">
          {problem}
        </p>
      )}
    </div>
  );
}

function Finding({ finding, onFix }: { finding: GateFinding; onFix: () => void }) {
  const project = useProjectId();
  const { act, busy, problem } = useAct();
  const { severity, title, titleCode, where, todo, todoCode } = finding;
  const titleText = codedWords(title, titleCode);
  const fix = () =>
    act(async () => {
      await sendMessage(project, {
        text: words.publish.askFixFound({ found: `${title} (${where}) ${todo}` }),
      });
      onFix();
    });
  return (
    <li className="flex items-start gap-2" data-finding={severity}>
      <div className="min-w-0 flex-1 break-words">
        <p className={severity === "serious" ? "text-failed" : ""}>{visibleProse(titleText)}</p>
        <p className="text-quiet">
          <bdi className="font-mono">{visible(where)}</bdi>{" "}
          {visibleProse(codedWords(todo, todoCode))}
        </p>
        {problem && (
          <p role="alert" className="text-failed">
            {problem}
          </p>
        )}
      </div>
      <Button
        disabled={busy}
        aria-label={words.publish.fixFound({ title: visible(titleText) })}
        onClick={() => void fix()}
      >
        {words.publish.fix}
      </Button>
    </li>
  );
}

function Report({ number }: { number: number }) {
  const project = useProjectId();
  return (
    <a
      href={reportAddress(project, number)}
      download
      className="mt-2 inline-block text-accent hover:underline"
    >
      {words.publish.report}
    </a>
  );
}
