import type { Answer, Question } from "@treadle/protocol";
import { spokenTool } from "@treadle/protocol/tools";
import { endCall, type Call } from "./call.ts";
import type { Run } from "../loop/state.ts";
import { prose } from "../text/prose.ts";
import type { Tool } from "../tools/tool.ts";
import { callDigest } from "./call-digest.ts";
import { needApproval } from "./need-approval.ts";
import { subjectOf } from "./subject-of.ts";

const PLAN_REFUSAL = prose(new URL("./plan-refusal.md", import.meta.url));

/**
 * Whether a call may be run now: `run`, with the person's words where the tool asked for some; `over`, it has its result;
 * `waits`, the person was asked.
 */
export type Gate = { go: "run"; answer?: string } | { go: "over" } | { go: "waits" };

/** Asks the mode, the project's policy and the tool itself, in this order. May reject as the workspace does. */
export async function gate(run: Run, call: Call, tool: Tool): Promise<Gate> {
  const input = call.input ?? {};
  if (run.request.mode === "plan" && (tool.changes || tool.commands)) {
    endCall(run, call, {
      status: "denied",
      title: `Left for later: ${spokenTool(tool.name)}`,
      result: PLAN_REFUSAL,
    });
    return { go: "over" };
  }
  const { approvals, workspace } = run.ports;
  if (approvals) {
    const subject = subjectOf(tool, input);
    const need = await needApproval(
      subject,
      input,
      approvals.policy(),
      workspace,
      (path) => run.obeyed?.stood(path),
      run.ports.isAccepted,
    );
    if (need) {
      // Of a foreign tool, it holds for what the tool is as well (A36).
      const bound = tool.reason
        ? { input, what: subject.what }
        : // What is renamed may be written anew while the person looks at it.
          need.moved
          ? { input, versions: need.moved.versions }
          : input;
      const digest = callDigest(tool.name, bound);
      const question: Question = {
        kind: "approval",
        id: `${call.id}.approval`,
        call: call.id,
        tool: tool.name,
        why: tool.reason?.() ?? need.why,
        subject,
        digest,
        mayRemember: need.mayRemember && subject.what.length > 0,
        ...(need.moved && { shown: need.moved.shown }),
      };
      const answer = takeAnswer(run, question.id);
      if (answer?.kind === "deny") return deny(run, call, answer);
      // A forged approval is none: it is asked again.
      const signed =
        answer?.kind === "approve" &&
        approvals.isSigned({
          run: run.request.run,
          call: call.id,
          digest,
          signature: answer.signature,
        });
      if (!signed) return ask(run, question);
    }
  }
  const asked = tool.asks?.(input);
  if (!asked) return { go: "run" };
  const question: Question = {
    kind: "words",
    id: `${call.id}.words`,
    call: call.id,
    text: asked.text,
    choices: asked.choices ?? [],
  };
  const answer = takeAnswer(run, question.id);
  if (answer?.kind === "deny") return deny(run, call, answer);
  return answer?.kind === "words" ? { go: "run", answer: answer.text } : ask(run, question);
}

/** The answer with which the run goes on, once. */
function takeAnswer(run: Run, question: string): Answer | undefined {
  if (run.answer?.question !== question) return undefined;
  const { answer } = run.answer;
  run.answer = undefined;
  return answer;
}

function ask(run: Run, question: Question): Gate {
  run.waitsFor = question;
  run.emit({ type: "question", run: run.request.run, question });
  return { go: "waits" };
}

function deny(run: Run, call: Call, { words }: Answer & { kind: "deny" }): Gate {
  endCall(run, call, {
    status: "denied",
    title: `Denied: ${spokenTool(call.tool)}`,
    result: words
      ? `The person denied this and said: ${words}`
      : "The person denied this. Find another way, or ask them what they want instead.",
  });
  return { go: "over" };
}
