import type { Evidence, LogEntry, LogEvent, PictureInfo, Verdict } from "@treadle/protocol";
import { isSound, judge } from "@treadle/protocol/evidence";
import { conversationOf, createLogFold, evidenceOf } from "@treadle/protocol/fold";
import { headOf } from "@treadle/protocol/safe-text";
import { toolKind } from "@treadle/protocol/tools";

/** One action in a turn. */
export interface SharedStep {
  title: string;
  ok: boolean;
  /** The file concerned, and what was written to it. */
  path?: string;
  code?: string;
  picture?: string;
}

export type SharedPart =
  | { type: "text"; text: string }
  | { type: "plan"; text: string }
  /** A message by the person during the turn. */
  | { type: "message"; text: string; pictures: PictureInfo[] }
  | { type: "steps"; steps: SharedStep[] };

type End = Extract<LogEvent, { type: "run-end" }>;

/** One message and its results. */
export interface SharedTurn {
  text: string;
  /** Milliseconds since 1970. */
  at: number;
  pictures: PictureInfo[];
  model?: string;
  parts: SharedPart[];
  end?: Pick<End, "outcome" | "summary" | "usage" | "ms"> & { verdict?: Verdict | undefined };
  /** The evidence for its final revision. */
  evidence?: Evidence;
}

export interface SharedConversation {
  name: string;
  turns: SharedTurn[];
  /** Texts in the log that may contain secrets. */
  envTexts: string[];
}

/** Maximum length of one text by the model that is shown, in characters. */
const TEXT_CHARS = 200_000;
/** Maximum number of texts kept from calls about secret files. */
const ENV_TEXTS = 200;
const NAMES_ENV = /(?:^|[\s/"'`])\.env\b/;

/** Reads a project's current conversation without undone parts. @param entries in the order of the log */
export async function readConversation(
  name: string,
  entries: AsyncIterable<LogEntry>,
): Promise<SharedConversation> {
  const fold = createLogFold();
  const messages = new Map<string, Extract<LogEvent, { type: "message" }> & { at: number }>();
  const turns = new Map<string, SharedTurn>();
  const turnOfRun = new Map<string, SharedTurn>();
  const texts = new Map<string, Extract<SharedPart, { type: "text" }>>();
  const calls = new Map<
    string,
    { turn: SharedTurn; tool: string; step: SharedStep; input: string }
  >();
  const envTexts: string[] = [];
  /** The last finished turn, and its revision. */
  let last: { turn: SharedTurn; revision: string } | undefined;

  const noteEnv = (text: string) => {
    if (envTexts.length < ENV_TEXTS) envTexts.push(text);
  };
  const steps = (turn: SharedTurn): SharedStep[] => {
    const last = turn.parts.at(-1);
    if (last?.type === "steps") return last.steps;
    const made: SharedPart = { type: "steps", steps: [] };
    turn.parts.push(made);
    return made.steps;
  };

  for await (const { event, at } of entries) {
    fold.add(event, at);
    switch (event.type) {
      case "message":
        messages.set(event.message, { ...event, at });
        break;
      case "run-start": {
        const message = messages.get(event.message);
        if (!message) break;
        const turn = turns.get(event.message) ?? {
          text: message.text,
          at: message.at,
          pictures: message.pictures ?? [],
          parts: message.plan === undefined ? [] : [{ type: "plan", text: message.plan }],
        };
        turn.model = event.model;
        delete turn.end;
        turns.set(event.message, turn);
        turnOfRun.set(event.run, turn);
        break;
      }
      case "message-taken": {
        const message = messages.get(event.message);
        if (message)
          turnOfRun.get(event.run)?.parts.push({
            type: "message",
            text: message.text,
            pictures: message.pictures ?? [],
          });
        break;
      }
      case "text": {
        const turn = turnOfRun.get(event.run);
        if (!turn) break;
        const key = `${event.run} ${event.id}`;
        const part = texts.get(key);
        if (part) part.text = headOf(event.whole ? event.text : part.text + event.text, TEXT_CHARS);
        else {
          const made = { type: "text" as const, text: headOf(event.text, TEXT_CHARS) };
          texts.set(key, made);
          turn.parts.push(made);
        }
        break;
      }
      case "plan":
        turnOfRun.get(event.run)?.parts.push({ type: "plan", text: event.text });
        break;
      case "call-open": {
        const turn = turnOfRun.get(event.run);
        const { call, tool } = event;
        if (turn) calls.set(call, { turn, tool, step: { title: "", ok: true }, input: "" });
        break;
      }
      case "call-delta": {
        const call = calls.get(event.call);
        if (!call) break;
        if (event.path !== undefined) call.step.path = event.path;
        const before = event.whole ? "" : event.field === "content" ? (call.step.code ?? "") : "";
        if (event.field === "content")
          call.step.code = before + event.text + (event.cut === undefined ? "" : "\n…");
        else call.input += event.text;
        break;
      }
      case "call-input": {
        const call = calls.get(event.call);
        if (!call) break;
        const { path, content } = event.input;
        if (typeof path === "string") call.step.path = path;
        if (call.step.code === undefined && typeof content === "string") call.step.code = content;
        call.input += JSON.stringify(event.input);
        break;
      }
      case "output": {
        const call = calls.get(event.call);
        if (call && NAMES_ENV.test(call.input)) noteEnv(event.text);
        break;
      }
      case "call-end": {
        const call = calls.get(event.call);
        if (!call) break;
        const { turn, tool, step } = call;
        calls.delete(event.call);
        if (NAMES_ENV.test(`${step.path} ${call.input} ${event.title}`)) {
          noteEnv(step.code ?? "");
          noteEnv(event.result);
          noteEnv(call.input.replaceAll("\\n", "\n"));
        }
        // The text of `finish` is shown at the end of its turn.
        if (toolKind(tool) === "ends" && event.status === "ok") break;
        steps(turn).push({
          ...step,
          title: event.title,
          ok: event.status === "ok",
          ...(event.picture && { picture: event.picture.hash }),
        });
        break;
      }
      case "run-end": {
        const turn = turnOfRun.get(event.run);
        if (!turn) break;
        const { outcome, summary, usage, ms, verdict, said: own } = event;
        // As in the workbench, the model's own account is left out if the evidence failed.
        if (own && outcome === "done" && verdict !== "failed")
          turn.parts.push({
            type: "text",
            text: [own.done, own.try].filter(Boolean).join("\n\n"),
          });
        turn.end = { outcome, summary, usage, ms, verdict };
        const evidence = verdict && evidenceOf(fold.state);
        if (evidence?.revision === event.revision) turn.evidence = evidence;
        last = { turn, revision: event.revision };
        break;
      }
      case "evidence": {
        // The person confirmed what only eyes can judge, or requested another look: shown as in the
        // workbench.
        if (event.run !== undefined || event.evidence.revision !== last?.revision) break;
        const { end } = last.turn;
        const { verdict, reason } = judge(event.evidence);
        if (!end || !isSound(end.verdict) || !isSound(verdict)) break;
        last.turn.end = { ...end, verdict, summary: `${reason}.` };
        last.turn.evidence = event.evidence;
        break;
      }
    }
  }
  const shown = conversationOf(fold.state);
  return {
    name: fold.state.name ?? name,
    turns: [...turns].filter(([message]) => shown.has(message)).map(([, turn]) => turn),
    envTexts,
  };
}
