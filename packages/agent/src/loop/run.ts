import type { LastWords } from "@treadle/protocol";
import type { UIMessage } from "ai";
import type { ModelRequest } from "../model-call/model-request.ts";
import type { RunBudget } from "../budget/budget.ts";
import type { CallRunner } from "../calls/run-call.ts";
import type { CallsSoFar } from "../calls/calls-so-far.ts";
import type { Conversation } from "../context/conversation/conversation.ts";
import type { MentionedFrom } from "../context/mentions/with-mentions.ts";
import type { StandingTodo } from "../context/todo/todo.ts";
import type { SpokenModel } from "../dialects/spoken-model.ts";
import type { TriedApp } from "../preview/tried-app.ts";
import type { RunScope } from "../ports/run-scope.ts";
import type { ProjectInRun } from "../project/project-in-run.ts";
import type { ProtectedWatch } from "../trust/put-back.ts";
import type { Looks } from "../verdict/look-at-project.ts";
import type { Repairs } from "../verdict/repairs.ts";
import type { RunRequest } from "./types.ts";

/**
 * The state of a run: created by `beginRun`, changed by `execute` and read by `finalize`. Code below the loop receives only
 * the parts that it needs, never the whole state.
 */
export interface Run {
  readonly request: RunRequest;
  readonly scope: RunScope;
  readonly budget: RunBudget;
  readonly conversation: Conversation;
  /** The sources from which mentions in a message are resolved. */
  readonly mentioned: MentionedFrom;
  readonly todo: StandingTodo;
  readonly model: SpokenModel;
  readonly asking: ModelRequest;
  readonly project: ProjectInRun;
  /** Absent if the person is never asked. */
  readonly protectedFiles?: ProtectedWatch | undefined;
  readonly calls: CallsSoFar;
  readonly runner: CallRunner;
  readonly looks: Looks;
  /** The copy of the app that the model uses. Absent if there is no browser. */
  readonly tried?: TriedApp | undefined;
  readonly repairs: Repairs;
  /** Saves the current state of a message. */
  save(message: UIMessage): Promise<void>;
  /** The model's words when it last ended its turn. */
  lastWords?: LastWords;
  /** Whether the model has answered with any text in this run. */
  hasSpoken?: boolean;
  /** Whether the model was informed that its answer was empty. */
  toldEmpty?: true;
  /** Whether the model was informed that code in its text changes nothing. */
  toldToCall?: true;
}
