import { resolve } from "node:path";
import {
  methods,
  type AgentContext,
  type SessionUpdate,
  type StopReason,
} from "@agentclientprotocol/sdk";
import { connect, type Project, type Run, type RunResult } from "@treadle/client";
import type { ApprovalQuestion, ProjectDetail, RunMode } from "@treadle/protocol";
import { openFolder } from "../folders/open-folder.ts";
import { plain } from "../terminal/plain.ts";
import type { Said } from "./read-prompt.ts";
import { permissionFor } from "./permission-for.ts";
import { updatesOf } from "./updates-of.ts";

export const MODES: { id: RunMode; name: string; description: string }[] = [
  { id: "act", name: "Build", description: "Writes, runs and checks the app." },
  { id: "plan", name: "Plan", description: "Changes nothing and ends with a plan." },
  { id: "discuss", name: "Discuss", description: "Changes nothing and answers." },
];

export const isMode = (id: string): id is RunMode => MODES.some((mode) => mode.id === id);

/** An open folder of the editor, with its conversation. */
export interface Session {
  readonly id: string;
  /** Absolute path. */
  readonly folder: string;
  mode: RunMode;
  /** Resolves when the run has ended, or asks a question: the next prompt is then the answer. */
  prompt(message: Said): Promise<StopReason>;
  cancel(): Promise<void>;
  close(): Promise<void>;
}

type Waiting = NonNullable<ProjectDetail["waiting"]>;

/**
 * Opens a session that works in the folder itself, as `treadle run` does.
 * @throws Error with a message if that is impossible
 */
export async function openSession(
  cwd: string,
  options: { data?: string | undefined; unsafe: boolean; onNotice(text: string): void },
  editor: AgentContext,
): Promise<Session> {
  const folder = resolve(cwd);
  const treadle = await openFolder(folder, options);
  const { id } = await treadle.projects.open({ directory: folder });
  const project = connect({ url: treadle.url, token: treadle.token }).project(id);
  const update = (change: SessionUpdate) =>
    editor.notify(methods.client.session.update, { sessionId: id, update: change });
  const sendText = (text: string) =>
    update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text: plain(text) } });
  let waiting: Waiting | undefined;

  async function follow(run: Run): Promise<StopReason> {
    const events = run.events();
    for (;;) {
      const { done, value } = await events.next();
      if (done) return ended(value);
      for (const change of updatesOf(value.event, folder)) await update(change);
    }
  }

  async function ended(result: RunResult): Promise<StopReason> {
    if (result.outcome !== "waiting") {
      await sendText(`\n\n${result.summary}\n`);
      return STOPS[result.outcome];
    }
    ({ waiting } = await project.detail());
    if (!waiting) return "end_turn";
    const { question } = waiting;
    if (question.kind === "words") {
      const choices = question.choices.map((choice) => `\n- ${choice}`).join("");
      await sendText(`\n\n${question.text}${choices}\n`);
      return "end_turn";
    }
    return decide(waiting, question);
  }

  /** Asks the person in the editor for approval. */
  async function decide(asked: Waiting, question: ApprovalQuestion): Promise<StopReason> {
    const { outcome } = await editor.request(
      methods.client.session.requestPermission,
      permissionFor(id, question),
    );
    waiting = undefined;
    // The turn was cancelled during the question.
    if (outcome.outcome === "cancelled") {
      await stopIfGoing(project);
      return "cancelled";
    }
    const { optionId } = outcome;
    if (optionId === "deny") return follow(await project.answer(asked, { kind: "deny" }));
    const approval = { kind: "approve", digest: question.digest } as const;
    const always = optionId === "always";
    return follow(await project.answer(asked, { ...approval, always }));
  }

  const session: Session = {
    id,
    folder,
    mode: "act",
    async prompt({ text, pictures }) {
      const open = waiting;
      waiting = undefined;
      if (open?.question.kind === "words")
        return follow(await project.answer(open, { kind: "words", text }));
      return follow(await project.run({ text, pictures, mode: session.mode }));
    },
    cancel: () => stopIfGoing(project),
    close: () => treadle.close(),
  };
  return session;
}

const STOPS: Record<Exclude<RunResult["outcome"], "waiting">, StopReason> = {
  done: "end_turn",
  error: "end_turn",
  stopped: "cancelled",
  interrupted: "cancelled",
  budget: "max_turn_requests",
};

async function stopIfGoing(project: Project): Promise<void> {
  const { working } = await project.detail();
  if (working) await project.stop();
}
