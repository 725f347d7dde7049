import type { CallToolResult } from "@modelcontextprotocol/server";
import type { Project, Run, RunResult } from "@treadle/client";
import type { LogEvent, Question } from "@treadle/protocol";
import { isSound } from "@treadle/protocol/evidence";
import type { CallContext } from "./create-mcp-server.ts";
import { plain, toolResult } from "./tool-results.ts";

/** Waits for a run and reports its progress. Cancelling the call stops the run. */
export async function followRun(
  project: Project,
  run: Run,
  { mcpReq }: CallContext,
): Promise<CallToolResult> {
  const { signal } = mcpReq;
  const token = mcpReq._meta?.progressToken;
  let progress = 0;
  try {
    const events = run.events({ signal });
    for (;;) {
      const { done, value } = await events.next();
      if (done) return resultOf(project.id, value, (await project.detail()).previewOrigin);
      const message = progressOf(value.event);
      if (message === undefined || token === undefined) continue;
      progress++;
      await mcpReq.notify({
        method: "notifications/progress",
        params: { progressToken: token, progress, message: plain(message) },
      });
    }
  } catch (error) {
    if (signal.aborted) await project.stop();
    throw error;
  }
}

function progressOf(event: LogEvent): string | undefined {
  if (event.type === "call-end") return event.title;
  if (event.type === "repair") return `Repairing: ${event.reason}`;
  if (event.type === "waiting" && event.reason !== "model") return event.text;
  return undefined;
}

function resultOf(id: string, result: RunResult, preview: string): CallToolResult {
  const { outcome, verdict, summary, question } = result;
  const lines = [
    `Project ${id}.`,
    outcome === "waiting" ? asks(question) : endOf(verdict ?? outcome, summary),
    ...(isSound(verdict) ? [`Its page: ${preview}`] : []),
  ];
  return toolResult(lines.join("\n"), {
    project: id,
    outcome,
    verdict,
    summary,
    question,
    preview,
  });
}

/** How a run ended, followed by its summary; not repeated if the summary already begins with it. */
function endOf(end: string, summary: string): string {
  const begins = end === "unverified" ? "not verified" : end;
  if (end === "done" || summary.toLowerCase().startsWith(begins)) return summary;
  return `${end}: ${summary}`;
}

/** The run's question, and the id needed to answer it. */
export function asks(question: Question | undefined): string {
  if (!question) return "The run waits for a person.";
  const { id } = question;
  if (question.kind === "words") {
    const choices = question.choices.map((choice) => `\n- ${choice}`).join("");
    return `The run asks (question ${id}): ${question.text}${choices}`;
  }
  const { kind, what } = question.subject;
  return `The run asks whether it may (question ${id}): ${question.tool}, ${kind} ${what.join(", ")}. ${question.why}`;
}
