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
 * The parts of a run: made by `beginRun`, changed by `execute`, read by `finalize`. Whoever is below the loop is given
 * the parts that it needs, never all of them.
 */
export interface Run {
  readonly request: RunRequest;
  readonly scope: RunScope;
  readonly budget: RunBudget;
  readonly conversation: Conversation;
  /** Where what a message points at is read. */
  readonly mentioned: MentionedFrom;
  readonly todo: StandingTodo;
  readonly model: SpokenModel;
  readonly asking: ModelRequest;
  readonly project: ProjectInRun;
  /** Absent where nothing is asked about. */
  readonly protectedFiles?: ProtectedWatch | undefined;
  readonly calls: CallsSoFar;
  readonly runner: CallRunner;
  readonly looks: Looks;
  /** The app as the model tries it out; absent where there is no browser. */
  readonly tried?: TriedApp | undefined;
  readonly repairs: Repairs;
  /** Keeps a message as it stands. */
  save(message: UIMessage): Promise<void>;
  /** What the model said when it last ended its turn. */
  lastWords?: LastWords;
  /** Whether the model has said anything in this run. */
  hasSpoken?: boolean;
  /** Whether the model was told that it answered nothing. */
  toldEmpty?: true;
  /** Whether the model was told that code in words changes nothing. */
  toldToCall?: true;
}
