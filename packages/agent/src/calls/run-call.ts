import { asMessage, sentence } from "@treadle/protocol/sentences";
import { headOf } from "@treadle/protocol/safe-text";
import { isForeignTool, toolEntry, toolKind } from "@treadle/protocol/tools";
import { WorkspaceError } from "@treadle/workspace";
import { abortable } from "../async/waiting.ts";
import { createCoalescer, type Coalescer } from "../async/coalesce.ts";
import { noteEdit } from "../models/habits/note-edit.ts";
import type { ObservedModel } from "../models/habits/observed-model.ts";
import type { RecordedWork } from "../ports/recorded-work.ts";
import type { RunScope } from "../ports/run-scope.ts";
import type { ProjectInRun } from "../project/project-in-run.ts";
import { prose } from "../text/prose.ts";
import { findTool } from "../tools/all-tools.ts";
import type { Tool, ToolContext, ToolOutcome } from "../tools/tool.ts";
import { putBackChanged, type ProtectedWatch } from "../trust/put-back.ts";
import { endCall, interrupt, type ToolCall } from "./tool-call.ts";
import { failedTitle } from "./failed-title.ts";
import { judgeProposal } from "./judge-proposal.ts";
import { editFile } from "../tools/edit-file.ts";
import { putBackWords, type LockWatch } from "../trust/locks.ts";
import { permissionFor, type Rules } from "./permission.ts";
import type { CallsSoFar } from "./calls-so-far.ts";
import { OUTPUT_LOGGED } from "./limits.ts";

const REPEATED = prose(new URL("./repeated-call.md", import.meta.url));
const STOPPED = "the run was ended before this call was done";

/** The surroundings in which a run's calls are executed. */
export interface CallRunner {
  readonly calls: CallsSoFar;
  /** Tools of external servers. */
  readonly foreign: readonly Tool[];
  readonly rules: Rules;
  readonly project: ProjectInRun;
  readonly model: ObservedModel;
  /** Absent if the run asks for no approvals. */
  readonly protectedFiles?: ProtectedWatch | undefined;
  readonly locks: LockWatch;
  /** Recorded outcomes that replace the execution of calls. Absent if calls are executed. */
  readonly recorded?: RecordedWork | undefined;
  /** The context for a tool. @param answer the person's answer to the tool's question */
  contextOf(
    call: ToolCall,
    onOutput: (text: string) => void,
    answer: string | undefined,
  ): ToolContext;
}

/** Runs one complete call and records its result, unless the person has to be asked first. Never rejects. */
export async function runCall(call: ToolCall, runner: CallRunner, scope: RunScope): Promise<void> {
  const { calls, foreign } = runner;
  // Calls run in order: those after a waiting one wait as well.
  if (calls.waitsFor) return;
  const tool = findTool(call.tool, foreign);
  if (scope.signal.aborted || calls.fatal) return interrupt(calls, call, STOPPED, scope);
  if (call.invalid !== undefined || !tool) {
    calls.guard.check(call.tool, call.input ?? call.invalid);
    const title = call.refused?.replace(/\.$/, "") ?? `Could not understand ${call.tool}`;
    const result = call.invalid ?? `There is no tool called ${call.tool}.`;
    return endCall(calls, call, { status: "error", title, result }, scope);
  }
  // A call that ends the turn gets a verdict, however often it is repeated.
  const guard = toolKind(call.tool) === "ends" ? "go" : calls.guard.check(call.tool, call.input);
  if (guard === "stop") {
    calls.fatal = {
      code: "loop",
      ...asMessage(sentence("same-call", { tool: call.tool })),
      canContinue: true,
    };
    const why = "the same call was made too often without any effect";
    return interrupt(calls, call, why, scope);
  }
  await runTool(call, tool, guard === "told", runner, scope);
}

async function runTool(
  call: ToolCall,
  asked: Tool,
  repeated: boolean,
  runner: CallRunner,
  scope: RunScope,
): Promise<void> {
  const { calls, project, protectedFiles } = runner;
  const { run, signal, clock, emit } = scope;
  const output = createCoalescer(clock);
  try {
    const ruling = await abortable(judgeProposal(call, project.workspace), signal);
    if (ruling.go === "refuse") return endCall(calls, call, ruling.outcome, scope);
    const [tool, input] = ruling.go === "edit" ? [editFile, ruling.input] : [asked, call.input];
    const may = await abortable(permissionFor(call, asked, runner.rules, calls, run), signal);
    if (may.go === "refuse") return endCall(calls, call, may.outcome, scope);
    if (may.go === "ask") {
      calls.waitsFor = may.question;
      return emit({ type: "question", run, question: may.question });
    }
    if (tool.commands) {
      await abortable(scope.settled(), signal);
      project.commanded = true;
      if (protectedFiles) await abortable(protectedFiles.guard.begin(), signal);
    }
    const mayWrite = tool.commands || isForeignTool(call.tool);
    if (mayWrite) await abortable(runner.locks.begin(), signal);
    call.startedAt = clock.now();
    emit({ type: "call-start", call: call.id });
    const context = runner.contextOf(call, tellOutput(call, output, scope), may.answer);
    const known: ToolOutcome | undefined = runner.recorded?.result(call.tool);
    const outcome = known ?? (await abortable(tool.execute(input, context), signal));
    output.flush();
    if (tool.commands && protectedFiles)
      outcome.result += await abortable(putBackChanged(protectedFiles, scope), signal);
    if (mayWrite) outcome.result += await abortable(putBackLocked(call, runner, scope), signal);
    if (toolKind(tool.name) === "serves" && outcome.ok)
      project.served = await abortable(project.workspace.revision(), signal);
    endCall(calls, call, toldOutcome(call, outcome, repeated, runner), scope);
  } catch (error) {
    output.flush();
    if (signal.aborted) return interrupt(calls, call, STOPPED, scope);
    fail(calls, call, error, scope);
  }
}

/** Restores locked files, with a note for the person below the command's output. @returns the note for the model */
async function putBackLocked(call: ToolCall, { locks }: CallRunner, scope: RunScope) {
  const words = putBackWords(await locks.putBack());
  if (words !== "") scope.emit({ type: "output", call: call.id, text: words });
  return words;
}

/** The outcome of a tool that ran, with additional notes for the model. */
function toldOutcome(
  call: ToolCall,
  { ok, title, titleCode, result, missed, picture, lines, needsMending }: ToolOutcome,
  repeated: boolean,
  { calls, model }: CallRunner,
) {
  const note = repeated ? `\n${REPEATED}` : "";
  const isEdit = toolEntry(call.tool)?.arguments?.["edits"] !== undefined;
  const habit = isEdit && (ok || missed) ? noteEdit(model, ok) : "";
  return {
    status: ok ? ("ok" as const) : ("error" as const),
    title,
    titleCode,
    result: result + note + habit + noteOnce(calls, call),
    picture,
    lines,
    needsMending,
  };
}

/** The note about an irregularity in how the call was written; empty if the run has already given it. */
function noteOnce({ noted }: CallsSoFar, { note }: ToolCall): string {
  if (note === undefined || noted.has(note)) return "";
  noted.add(note);
  return `\n${note}`;
}

function fail(calls: CallsSoFar, call: ToolCall, error: unknown, scope: RunScope): void {
  const message = error instanceof Error ? error.message : String(error);
  if (!(error instanceof WorkspaceError))
    calls.fatal = {
      code: "internal",
      ...asMessage(sentence("call-broke", { tool: call.tool, why: message })),
      canContinue: true,
    };
  else if (error.code === "stopped" || error.code === "sandbox")
    calls.fatal = { code: "workspace", ...asMessage(error.sentence), canContinue: true };
  const { text: title, coded } = failedTitle(call);
  const outcome = {
    status: "error" as const,
    title,
    titleCode: coded,
    result: message,
  };
  endCall(calls, call, outcome, scope);
}

/** Logs a command's output up to a limit, which is announced once, so that an endless loop cannot fill the disk. */
export function tellOutput(
  call: ToolCall,
  output: Coalescer,
  { emit }: RunScope,
): (text: string) => void {
  let left = OUTPUT_LOGGED;
  const notify = (text: string) => {
    if (!call.outcome) emit({ type: "output", call: call.id, text });
  };
  return (text) => {
    if (left <= 0) return;
    output.push(call.id, headOf(text, left), notify);
    left -= text.length;
    if (left <= 0) output.push(call.id, "\n… more was printed and is not shown here …\n", notify);
  };
}
