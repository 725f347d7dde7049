import { toolEntry, toolKind } from "@treadle/protocol/tools";
import { WorkspaceError } from "@treadle/workspace";
import { gate } from "./permission.ts";
import { putBackObeyed } from "../trust/put-back-obeyed.ts";
import { noteEdit } from "../models/habits/note-edit.ts";
import type { ToolContext, ToolOutcome } from "../tools/tool.ts";
import { abortable } from "../async/abortable.ts";
import { endCall, interrupt, type Call } from "./call.ts";
import { createCoalescer, type Coalescer } from "../async/coalesce.ts";
import { OUTPUT_LOGGED } from "../loop/limits.ts";
import { keepOutput } from "../tools/outputs/keep-output.ts";
import { lookAtProject } from "../verdict/look-at-project.ts";
import { leaveTodo, standingTodo, todoChanged } from "../context/todo/standing-todo.ts";
import type { Run } from "../loop/state.ts";
import { toolOf } from "./tool-of.ts";

const STOPPED = "the run was ended before this call was done";

/** Runs one complete call and gives it its result, unless the person has to be asked first. Never rejects. */
export async function runCall(run: Run, call: Call): Promise<void> {
  // Calls are run in order: what follows one that waits, waits too.
  if (run.waitsFor) return;
  const tool = toolOf(run, call.tool);
  if (run.signal.aborted || run.fatal) return interrupt(run, call, STOPPED);
  if (call.invalid !== undefined || !tool) {
    run.guard.check(call.tool, call.input ?? call.invalid);
    return endCall(run, call, {
      status: "error",
      title: call.refused?.replace(/\.$/, "") ?? `Could not understand ${call.tool}`,
      result: call.invalid ?? `There is no tool called ${call.tool}.`,
    });
  }
  // What ends the turn is answered with a verdict, however often it is said.
  const guard = toolKind(call.tool) === "ends" ? "go" : run.guard.check(call.tool, call.input);
  if (guard === "stop") {
    run.fatal = {
      code: "loop",
      message: `The model asked for the same thing again and again (${call.tool}) without any effect, so the run was stopped.`,
      canContinue: true,
    };
    return interrupt(run, call, "the same call was made too often without any effect");
  }
  const output = createCoalescer(run.ports.clock);
  try {
    const may = await abortable(gate(run, call, tool), run.signal);
    if (may.go !== "run") return;
    if (tool.commands) {
      await abortable(run.ports.log.settled(), run.signal);
      run.commanded = true;
      if (run.obeyed) await abortable(run.obeyed.begin(), run.signal);
    }
    call.startedAt = run.ports.clock.now();
    run.emit({ type: "call-start", call: call.id });
    const work = tool.execute(call.input, contextOf(run, call, output, may.answer));
    const outcome = await abortable(work, run.signal);
    output.flush();
    if (tool.commands && run.obeyed) {
      const note = await abortable(putBackObeyed(run), run.signal);
      if (note !== "") outcome.result += note;
    }
    if (toolKind(tool.name) === "serves" && outcome.ok)
      run.served = await abortable(run.ports.workspace.revision(), run.signal);
    finish(run, call, outcome, guard === "told");
  } catch (error) {
    output.flush();
    if (run.signal.aborted) return interrupt(run, call, STOPPED);
    fail(run, call, error);
  }
}

function finish(run: Run, call: Call, outcome: ToolOutcome, repeated: boolean): void {
  const note = repeated
    ? "\nNote: this is the same call as before, with the same result and no file changed in between. Do something else."
    : "";
  const habit =
    toolEntry(call.tool)?.arguments?.["edits"] && (outcome.ok || outcome.missed)
      ? noteEdit(run, outcome.ok)
      : "";
  endCall(run, call, {
    status: outcome.ok ? "ok" : "error",
    title: outcome.title,
    result: outcome.result + note + habit + noteOnce(run, call),
    ...(outcome.picture ? { picture: outcome.picture } : {}),
  });
}

/** What was odd about how the call was written, once in a run. */
function noteOnce(run: Run, { note }: Call): string {
  if (note === undefined || run.noted.has(note)) return "";
  run.noted.add(note);
  return `\n${note}`;
}

function fail(run: Run, call: Call, error: unknown): void {
  const message = error instanceof Error ? error.message : String(error);
  if (!(error instanceof WorkspaceError))
    run.fatal = {
      code: "internal",
      message: `Something went wrong in ${call.tool}: ${message}`,
      canContinue: true,
    };
  else if (error.code === "stopped" || error.code === "sandbox")
    run.fatal = { code: "workspace", message, canContinue: true };
  endCall(run, call, { status: "error", title: failedTitle(call), result: message });
}

function failedTitle({ tool, input }: Call): string {
  const act = toolEntry(tool)?.verb;
  const path = (input as { path?: unknown } | undefined)?.path;
  if (act === undefined || typeof path !== "string") return `${tool} failed`;
  // Escaped where it has to be seen what it is: a line break, or a character that turns the text around (A42).
  const shown = /[\p{Cc}\p{Cf}]/u.test(path)
    ? JSON.stringify(path).replace(INVISIBLE, escaped)
    : path;
  return `Did not ${act} ${shown}`;
}

const INVISIBLE = /\p{Cf}/gu;
const escaped = (character: string) => `\\u{${character.codePointAt(0)!.toString(16)}}`;

function contextOf(
  run: Run,
  call: Call,
  output: Coalescer,
  answer: string | undefined,
): ToolContext {
  const { workspace, clock, readTemplate, looker, model, pictures, outputs } = run.ports;
  const { personal, isAccepted, personSettled, approvals } = run.ports;
  return {
    workspace,
    signal: run.signal,
    personWrites: run.request.personWrites,
    ...(personSettled ? { personSettled } : {}),
    ...(approvals?.isPersons
      ? { isPersons: (path, version) => approvals.isPersons?.(path, version) ?? true }
      : {}),
    seen: run.seen,
    todo: {
      read: () => standingTodo(run),
      isChanged: () => todoChanged(run),
      leave: (items) => leaveTodo(run, items),
    },
    ...(answer === undefined ? {} : { answer }),
    ...(readTemplate ? { readTemplate } : {}),
    ...(personal ? { personSkills: personal.skills } : {}),
    ...(isAccepted ? { isAccepted } : {}),
    ...(pictures && model.seesPictures ? { keepPicture: (bytes) => pictures.keep(bytes) } : {}),
    ...(outputs
      ? {
          keepOutput: keepOutput(outputs, call.id, run.dialect),
          readOutput: (name) => outputs.read(name),
        }
      : {}),
    ...(looker?.use ? { usePage: (use) => looker.use!(use) } : {}),
    onOutput: outputTo(run, call, output),
    wrote(path, version, unseen) {
      run.touched.add(path);
      run.obeyed?.agreed(path, version);
      run.ports.wrote(path, version, unseen);
    },
    evidence: () => lookAtProject(run),
    now: () => clock.now(),
    sleep: (ms) => clock.sleep(ms, run.signal),
  };
}

/** Logs what a command prints, up to a limit that is said once: a loop that prints for ever must not fill the disk. */
function outputTo(run: Run, call: Call, output: Coalescer): (text: string) => void {
  let left = OUTPUT_LOGGED;
  const emit = (text: string) => {
    if (!call.outcome) run.emit({ type: "output", call: call.id, text });
  };
  return (text) => {
    if (left <= 0) return;
    left -= text.length;
    output.push(call.id, text, emit);
    if (left <= 0) output.push(call.id, "\n… more was printed and is not shown here …\n", emit);
  };
}
