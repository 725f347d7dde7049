import type { McpProblem } from "@treadle/protocol";
import { Button } from "../ui/button.tsx";
import { visible } from "@treadle/protocol/safe-text";
import { codedWords } from "../words/coded-words.ts";
import { words } from "../words/words.ts";

/** Why a server does not answer, what was tried, and the possible actions. */
export function ServerProblem({
  problem,
  disabled,
  onAgain,
  onLog,
}: {
  problem: McpProblem;
  disabled: boolean;
  onAgain: () => void;
  /** Undefined if its log is already visible. */
  onLog: (() => void) | undefined;
}) {
  return (
    <div className="mt-1 space-y-1 text-small">
      <p className="break-words text-failed">
        {visible(codedWords(problem.message, problem.messageCode))}
      </p>
      {problem.said !== undefined && (
        <pre className="max-h-32 overflow-auto border-l-2 border-line pl-2 font-mono break-all whitespace-pre-wrap text-quiet">
          {visible(problem.said)}
        </pre>
      )}
      <p className="break-words">{visible(codedWords(problem.next, problem.nextCode))}</p>
      <p className="break-words text-quiet">
        {visible(codedWords(problem.tried, problem.triedCode))}
      </p>
      <div className="flex flex-wrap gap-2">
        {problem.code !== "no-project" && (
          <Button disabled={disabled} onClick={onAgain}>
            {words.mcp.tryAgain}
          </Button>
        )}
        {onLog && (
          <Button kind="quiet" onClick={onLog}>
            {words.mcp.showLog}
          </Button>
        )}
      </div>
    </div>
  );
}
