import { leaveTodo, standingTodo, todoChanged, type StandingTodo } from "../context/todo/todo.ts";
import type { Evidence, ProjectPath } from "@treadle/protocol";
import type { SpokenModel } from "../dialects/spoken-model.ts";
import type { TriedApp } from "../preview/tried-app.ts";
import type { PicturePort } from "../ports/pictures.ts";
import type { RunScope } from "../ports/run-scope.ts";
import type { ReadTemplate } from "../ports/templates.ts";
import { keepStanding } from "../project/keep-checkpoint.ts";
import type { ProjectInRun } from "../project/project-in-run.ts";
import type { Skill } from "../context/skills/types.ts";
import { keepOutput } from "../tools/outputs/keep-output.ts";
import type { OutputPort } from "../tools/outputs/types.ts";
import type { ToolContext } from "../tools/tool.ts";
import type { IsAccepted } from "../trust/protected-files.ts";
import type { PersonsFiles } from "../trust/persons-files.ts";
import type { ToolCall } from "./tool-call.ts";

/** The ports of a run that its tools use. Without a port, tools work in a reduced form. */
export interface ToolPorts {
  readonly personSettled?: ToolContext["personSettled"] | undefined;
  readonly approvals?: PersonsFiles | undefined;
  readonly readTemplate?: ReadTemplate | undefined;
  readonly personal?: { readonly skills?: readonly Skill[] | undefined } | undefined;
  readonly isAccepted?: IsAccepted | undefined;
  readonly pictures?: PicturePort | undefined;
  readonly outputs?: OutputPort | undefined;
}

/** The parts of a run that its tools use. */
export interface ToolSources {
  readonly ports: ToolPorts;
  readonly project: ProjectInRun;
  readonly model: SpokenModel;
  readonly todo: StandingTodo;
  readonly personWrites: ReadonlyMap<ProjectPath, string>;
  /** The copy of the app that the model tries out. */
  readonly tried?: TriedApp | undefined;
  /** Records a file that this run wrote: `ToolContext.wrote`. */
  wrote: ToolContext["wrote"];
  evidence(): Promise<Evidence>;
  showPage?(signal: AbortSignal): Promise<void>;
}

/** Creates the contexts in which the tools of a run are executed, one for each call. */
export const toolContexts =
  (sources: ToolSources, scope: RunScope) =>
  (call: ToolCall, onOutput: ToolContext["onOutput"], answer: string | undefined): ToolContext =>
    toolContext(call, sources, scope, { onOutput, answer });

function toolContext(
  call: ToolCall,
  sources: ToolSources,
  scope: RunScope,
  { onOutput, answer }: Pick<ToolContext, "onOutput" | "answer">,
): ToolContext {
  const { ports, project, model, todo, tried } = sources;
  const { approvals: persons, pictures, outputs } = ports;
  const { signal, clock } = scope;
  return {
    workspace: project.workspace,
    signal,
    personWrites: sources.personWrites,
    personSettled: ports.personSettled,
    isPersons: persons?.isPersons && ((path, version) => persons.isPersons!(path, version)),
    keepStanding: () => keepStanding(project, scope),
    seen: project.seen,
    given: project.given,
    todo: {
      read: () => standingTodo(todo),
      isChanged: () => todoChanged(todo),
      leave: (items) => leaveTodo(todo, items, scope),
    },
    answer,
    readTemplate: ports.readTemplate,
    personSkills: ports.personal?.skills,
    isAccepted: ports.isAccepted,
    keepPicture:
      model.model.seesPictures && pictures
        ? (bytes, undrawn) => pictures.save(bytes, undrawn)
        : undefined,
    keepOutput: outputs && keepOutput(outputs, call.id, model.dialect),
    readOutput: outputs && ((name) => outputs.read(name)),
    usePage: tried && ((use) => tried.use(use)),
    showPage: sources.showPage && (() => sources.showPage!(signal)),
    onOutput,
    wrote: sources.wrote,
    evidence: () => sources.evidence(),
    now: () => clock.now(),
    sleep: (ms) => clock.sleep(ms, signal),
  };
}
