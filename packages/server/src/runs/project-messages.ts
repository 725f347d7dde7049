import type {
  ApprovalMode,
  ApprovalPolicy,
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
import { takeAnswer, type GivenAnswer } from "./take-answer.ts";
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
  /** Files that the person has open in the editor. */
  open?: string[];
  fix?: true;
  plan?: string;
}

/** What the person says in a project, and answers. */
export interface ProjectMessages {
  /** Resolves when the message is durable; its run follows. */
  send(options: SendOptions): Promise<{ message: string; run: string; queued: boolean }>;
  /** Takes back a message that is in line. @throws ApiFailure 409 where its run has begun. */
  takeBack(message: string): Promise<void>;
  /** Tells the run that goes on a message that is in line, before its next step. @throws ApiFailure 409 as `takeBack`. */
  sendNow(message: string): Promise<void>;
  /** Answers what the run asks. Resolves when that is durable; the run goes on. @throws ApiFailure 404, 409, 400. */
  answer(question: string, given: GivenAnswer): Promise<void>;
  /** Says what is allowed without asking from now on. */
  allow(policy: ApprovalPolicy): Promise<void>;
  policy(): ApprovalPolicy;
  /** The person changes the list of work. @throws ApiFailure `changed` where it is not `before` any more. */
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
      const { queued } = await queue.add({
        message,
        run,
        ...options,
        // What is the usual is not kept.
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

/** A list as something that can be compared. */
const listText = (items: readonly TodoItem[]) =>
  JSON.stringify(items.map(({ text, status }) => [text, status]));

const notInLine = () => new ApiFailure(409, "not-queued", sentence("not-queued"));
