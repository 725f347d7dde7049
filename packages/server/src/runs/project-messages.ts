import { currentPrincipal } from "@treadle/accounts";
import type {
  ApprovalMode,
  ApprovalPolicy,
  GivenAnswer,
  PictureInfo,
  RunMode,
  TodoItem,
  CacheLevel,
  ThinkingLevel,
} from "@treadle/protocol";
import { sentence } from "@treadle/protocol/sentences";
import { ApiFailure, newMessageId, newRunId } from "@treadle/common";
import type { ProjectContext } from "../project-context/project-context.ts";
import { policyOf } from "./approvals.ts";
import { takeAnswer } from "./take-answer.ts";
import type { RunQueue } from "./run-queue.ts";

export interface SendOptions {
  text: string;
  model: string;
  mode?: RunMode;
  approve?: ApprovalMode;
  thinking?: ThinkingLevel;
  cache?: CacheLevel;
  limits?: { steps?: number; costUsd?: number; ms?: number };
  pictures?: PictureInfo[];
  /** Files that are open in the person's editor. */
  open?: string[];
  fix?: true;
  prove?: string[];
  plan?: string;
}

/** The person's messages and answers in a project. */
export interface ProjectMessages {
  /** Resolves when the message is durable; its run follows. */
  send(options: SendOptions): Promise<{ message: string; run: string; queued: boolean }>;
  /**
   * Removes a queued message.
   * @throws ApiFailure 409 if its run has begun
   */
  takeBack(message: string): Promise<void>;
  /**
   * Gives a queued message to the active run before its next step.
   * @throws ApiFailure 409 like `takeBack`
   */
  sendNow(message: string): Promise<void>;
  /**
   * Answers the run's question. Resolves when that is durable; the run then continues.
   * @throws ApiFailure 404, 409 or 400, as `takeAnswer`
   */
  answer(question: string, given: GivenAnswer): Promise<void>;
  /** Sets the approval policy. */
  allow(policy: ApprovalPolicy): Promise<void>;
  policy(): ApprovalPolicy;
  /**
   * Replaces the to-do list.
   * @throws ApiFailure `changed` if the list is no longer `before`
   */
  leaveTodo(before: readonly TodoItem[], items: TodoItem[]): Promise<void>;
}

export function createProjectMessages(
  context: Pick<ProjectContext, "id" | "view" | "append" | "parts">,
  queue: RunQueue,
): ProjectMessages {
  const { store } = context.parts;
  return {
    async send({ mode, pictures, ...options }) {
      const { message, run } = { message: newMessageId(), run: newRunId() };
      const by = await context.parts.author?.();
      const { queued } = await queue.add({
        message,
        run,
        person: currentPrincipal()?.person,
        ...options,
        by,
        // The default is not stored.
        mode: mode === "act" ? undefined : mode,
        pictures: pictures?.length ? pictures : undefined,
      });
      return { message, run, queued };
    },
    async takeBack(message) {
      if (!(await queue.remove(message))) throw notInLine();
    },
    async sendNow(message) {
      if (!(await queue.sendNow(message))) throw notInLine();
    },
    async answer(question, given) {
      queue.answer(await takeAnswer(context, question, given));
    },
    async allow(policy) {
      context.append({ type: "approvals-changed", policy });
      await store.log.settled();
    },
    policy: () => policyOf(context),
    async leaveTodo(before, items) {
      if (listText(before) !== listText(context.view.todo ?? []))
        throw new ApiFailure(409, "changed", sentence("stale", { what: "list" }));
      context.append({ type: "todo", by: "person", items });
      await store.log.settled();
    },
  };
}

/** A comparable form of a list. */
const listText = (items: readonly TodoItem[]) =>
  JSON.stringify(items.map(({ text, status }) => [text, status]));

const notInLine = () => new ApiFailure(409, "not-queued", sentence("not-queued"));
