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

/** What a run has for its tools. What is absent in it is absent for them. */
export interface ToolSources {
  readonly project: ProjectInRun;
  readonly model: SpokenModel;
  readonly todo: StandingTodo;
  readonly personWrites: ReadonlyMap<ProjectPath, string>;
  readonly personSettled?: ToolContext["personSettled"] | undefined;
  readonly persons?: PersonsFiles | undefined;
  readonly readTemplate?: ReadTemplate | undefined;
  readonly personSkills?: readonly Skill[] | undefined;
  readonly isAccepted?: IsAccepted | undefined;
  /** The app as the model tries it out. */
  readonly tried?: TriedApp | undefined;
  readonly pictures?: PicturePort | undefined;
  readonly outputs?: OutputPort | undefined;
  /** The run wrote this content: `ToolContext.wrote`. */
  wrote: ToolContext["wrote"];
  evidence(): Promise<Evidence>;
  showPage?(signal: AbortSignal): Promise<void>;
}

/** What one call's tool works with. */
export function toolContext(
  call: ToolCall,
  sources: ToolSources,
  scope: RunScope,
  { onOutput, answer }: Pick<ToolContext, "onOutput" | "answer">,
): ToolContext {
  const { project, model, todo, persons, tried, pictures, outputs } = sources;
  const { signal, clock } = scope;
  return {
    workspace: project.workspace,
    signal,
    personWrites: sources.personWrites,
    personSettled: sources.personSettled,
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
    readTemplate: sources.readTemplate,
    personSkills: sources.personSkills,
    isAccepted: sources.isAccepted,
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
