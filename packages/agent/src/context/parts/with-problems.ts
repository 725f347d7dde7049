import { judge } from "@treadle/protocol/evidence";
import type { UIMessage } from "ai";
import { evidenceText } from "../../text/evidence-text.ts";
import { fence } from "../../text/fence.ts";
import { prose } from "../../text/prose.ts";
import { visibleText } from "@treadle/protocol/safe-text";
import { serverText } from "../../text/server-text.ts";
import { abortable } from "../../async/waiting.ts";
import type { RunScope } from "../../ports/run-scope.ts";
import type { MentionedFrom } from "../mentions/with-mentions.ts";

const TYPE = "data-problems";
const INTRODUCTION = prose(new URL("./with-problems.md", import.meta.url));

interface ProblemsPart {
  type: typeof TYPE;
  /** The evidence as text for the model; empty until the message is completed. */
  data: { text: string };
}

/** Part of a message in which the person asks to repair whatever is broken at that time. */
export const problemsPart = (): ProblemsPart => ({ type: TYPE, data: { text: "" } });

export const asksForRepair = ({ parts }: UIMessage) => parts.some(({ type }) => type === TYPE);

/**
 * Adds the problems to a message that asks for a repair, saved so that the history stays the same.
 * The output of pages and programs is not the person's text: it is fenced, and its mentions are not
 * resolved (A27, A35).
 */
export async function withProblems(
  message: UIMessage,
  { workspace, mentioned }: Pick<MentionedFrom, "workspace" | "mentioned">,
  { signal, clock }: RunScope,
): Promise<UIMessage> {
  if (!asksForRepair(message)) return message;
  const seen: string[] = [];
  const evidence = mentioned?.evidence();
  if (evidence) {
    const now = await abortable(workspace.revision(), signal);
    const old = now === evidence.revision ? "" : " (seen before the files changed)";
    seen.push(`${judge(evidence).verdict}${old}\n${evidenceText(evidence, clock.now())}`);
  }
  const { server } = workspace;
  if (server?.state === "crashed") seen.push(`${server.command}\n${serverText(server)}`);
  const text = seen.length > 0 ? visibleText(seen.join("\n\n")) : "(nobody has looked at it yet)";
  const part: ProblemsPart = { type: TYPE, data: { text } };
  return { ...message, parts: message.parts.map((one) => (one.type === TYPE ? part : one)) };
}

/** The text of the problems for the model; undefined if the part is of another type. */
export function tellProblems(part: { type: string; data: unknown }): string | undefined {
  if (part.type !== TYPE) return undefined;
  return `${INTRODUCTION}\n${fence("problems", (part as ProblemsPart).data.text)}`;
}
