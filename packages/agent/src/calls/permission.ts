import type { Answer, ProjectPath, Question, RunMode } from "@treadle/protocol";
import { readProjectPath } from "@treadle/protocol/project-path";
import { asSentence, sentence, type Sentence } from "@treadle/protocol/sentences";
import { spokenTool, toolEntry } from "@treadle/protocol/tools";
import { clipLine } from "../text/clip.ts";
import type { Workspace } from "@treadle/workspace";
import { prose } from "../text/prose.ts";
import type { Tool } from "../tools/tool.ts";
import { lockedWords, lockIn, lockOver, type Locks } from "../trust/locks.ts";
import type { IsAccepted } from "../trust/protected-files.ts";
import type { Approvals } from "./approvals.ts";
import { callDigest } from "./call-digest.ts";
import type { ToolCall, CallOutcome } from "./tool-call.ts";
import { needApproval } from "./need-approval.ts";
import type { CallsSoFar } from "./calls-so-far.ts";
import { subjectOf } from "./subject-of.ts";

const DENIED = prose(new URL("./denied.md", import.meta.url));
const DISCUSS_REFUSAL = prose(new URL("./discuss-refusal.md", import.meta.url));
const PLAN_REFUSAL = prose(new URL("./plan-refusal.md", import.meta.url));

/**
 * Whether a call may run now. `run`: yes, with the person's answer if the tool asked a question. `ask`: the person has
 * to answer first.
 */
export type Permission =
  | { go: "run"; answer?: string }
  | { go: "refuse"; outcome: CallOutcome }
  | { go: "ask"; question: Question };

/** The rules and state on which the decision depends. */
export interface Rules {
  readonly mode: RunMode;
  /** Absent: no call needs approval. */
  readonly approvals?: Approvals | undefined;
  readonly workspace: Workspace;
  /** The text of a package.json as the person last knew it, if it may have changed since. */
  stood(path: ProjectPath): string | undefined;
  readonly isAccepted?: IsAccepted | undefined;
  /** Absent: no file is locked. */
  readonly locks?: Locks | undefined;
}

/**
 * Decides whether a call may run, by the mode, the project's policy and the tool itself, in this order. May reject as
 * the workspace does.
 * @param calls holds the person's answer, which the call that asked for it removes
 */
export async function permissionFor(
  call: ToolCall,
  tool: Tool,
  rules: Rules,
  calls: Pick<CallsSoFar, "answer">,
  run: string,
): Promise<Permission> {
  const input = call.input ?? {};
  if (rules.mode !== "act" && (tool.changes || tool.commands))
    return refuse(
      sentence("call-left", { what: wouldHave(call) }),
      rules.mode === "plan" ? PLAN_REFUSAL : DISCUSS_REFUSAL,
    );
  const locked = lockedBy(call, tool, input, rules.locks?.() ?? []);
  if (locked) return { go: "refuse", outcome: locked };
  const { approvals } = rules;
  const asked = approvals && (await approvalQuestion(call, tool, input, approvals, rules));
  if (asked) {
    const answer = takeAnswer(calls, asked.id);
    if (answer?.kind === "deny") return denied(call, answer);
    // A forged approval is ignored: the person is asked again.
    const signed =
      answer?.kind === "approve" &&
      approvals.isSigned({
        run,
        call: call.id,
        digest: asked.digest,
        signature: answer.signature,
      });
    if (!signed) return { go: "ask", question: asked };
  }
  const words = tool.asks?.(input);
  if (!words) return { go: "run" };
  const question: Question = {
    kind: "words",
    id: `${call.id}.words`,
    call: call.id,
    text: words.text,
    choices: words.choices ?? [],
  };
  const answer = takeAnswer(calls, question.id);
  if (answer?.kind === "deny") return denied(call, answer);
  return answer?.kind === "words" ? { go: "run", answer: answer.text } : { go: "ask", question };
}

/** The refusal of a call that would change a locked file; undefined if it would change none. */
function lockedBy(
  call: ToolCall,
  tool: Tool,
  input: Record<string, unknown>,
  locks: readonly ProjectPath[],
): CallOutcome | undefined {
  if (locks.length === 0 || !tool.changes) return undefined;
  const { kind, what } = subjectOf(tool, input);
  if (kind !== "write" && kind !== "remove") return undefined;
  const takesAlong = kind === "remove" || input["from"] !== undefined;
  for (const written of what) {
    const read = readProjectPath(written);
    if (!read.ok) continue;
    const lock = takesAlong ? lockIn(locks, read.path) : lockOver(locks, read.path);
    if (lock === undefined) continue;
    const title = sentence("call-locked", { what: wouldHave(call) });
    return refusal(title, lockedWords(read.path, lock));
  }
  return undefined;
}

/** The approval question for the person; undefined if the call needs none. */
async function approvalQuestion(
  call: ToolCall,
  tool: Tool,
  input: Record<string, unknown>,
  approvals: Approvals,
  { workspace, stood, isAccepted }: Rules,
): Promise<(Question & { kind: "approval" }) | undefined> {
  const subject = subjectOf(tool, input);
  const policy = approvals.policy();
  const need = await needApproval(subject, input, policy, workspace, stood, isAccepted);
  if (!need) return undefined;
  // An approval of a foreign tool is also bound to the tool's description (A36).
  const bound = tool.reason
    ? { input, what: subject.what }
    : // What is renamed or edited may be written anew while the person looks at it.
      need.versions
      ? { input, versions: need.versions }
      : input;
  return {
    kind: "approval",
    id: `${call.id}.approval`,
    call: call.id,
    tool: tool.name,
    ...whyFields(tool.reason?.() ?? need.why),
    subject,
    digest: callDigest(tool.name, bound),
    mayRemember: need.mayRemember && subject.what.length > 0,
    shown: need.moved?.shown,
  };
}

function whyFields(reason: string | Sentence) {
  const { text, coded } = asSentence(reason);
  return { why: text, whyCode: coded };
}

/** Returns the person's answer if it is for this question, and clears it, so that it is used once. */
function takeAnswer(calls: Pick<CallsSoFar, "answer">, question: string): Answer | undefined {
  if (calls.answer?.question !== question) return undefined;
  const { answer } = calls.answer;
  calls.answer = undefined;
  return answer;
}

/** Describes a call that was not made, such as "writing src/App.tsx" or "using echo of notes". */
function wouldHave({ tool, input }: ToolCall): string {
  const entry = toolEntry(tool);
  if (!entry) return `using ${spokenTool(tool)}`;
  const about = entry.about === undefined ? undefined : input?.[entry.about];
  const words = entry.doing(typeof about === "string" ? clipLine(about, 80) : undefined);
  return words.charAt(0).toLowerCase() + words.slice(1);
}

const denied = (call: ToolCall, { words }: Answer & { kind: "deny" }): Permission =>
  refuse(
    sentence("call-denied", { what: wouldHave(call) }),
    words ? `The person denied this and said: ${words}` : DENIED,
  );

const refuse = (title: Sentence, result: string): Permission => ({
  go: "refuse",
  outcome: refusal(title, result),
});

const refusal = ({ text, coded }: Sentence, result: string): CallOutcome => ({
  status: "denied",
  title: text,
  titleCode: coded,
  result,
});
