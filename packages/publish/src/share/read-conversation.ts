import type { Evidence, LogEntry, LogEvent, PictureInfo, Verdict } from "@treadle/protocol";
import { isSound, judge } from "@treadle/protocol/evidence";
import { conversationOf, createLogFold, evidenceOf } from "@treadle/protocol/fold";
import { headOf } from "@treadle/protocol/safe-text";
import { toolKind } from "@treadle/protocol/tools";

/** Something that was done. */
export interface SharedStep {
  title: string;
  ok: boolean;
  /** The file that it was about, and what was written to it. */
  path?: string;
  code?: string;
  picture?: string;
}

export type SharedPart =
  | { type: "text"; text: string }
  | { type: "plan"; text: string }
  /** Said by the person while the turn went on. */
  | { type: "message"; text: string; pictures: PictureInfo[] }
  | { type: "steps"; steps: SharedStep[] };

type End = Extract<LogEvent, { type: "run-end" }>;

/** One message and what came of it. */
export interface SharedTurn {
  text: string;
  /** Milliseconds since 1970. */
  at: number;
  pictures: PictureInfo[];
  model?: string;
  parts: SharedPart[];
  end?: Pick<End, "outcome" | "summary" | "usage" | "ms"> & { verdict?: Verdict | undefined };
  /** What was seen of the revision that it left. */
  evidence?: Evidence;
}

export interface SharedConversation {
  name: string;
  turns: SharedTurn[];
  /** All that the log holds of what was read and printed, in which secrets may stand that must not be shown elsewhere. */
  envTexts: string[];
}

/** Characters of one text of the model that are shown: an answer without end is not read by anybody. */
const TEXT_CHARS = 200_000;
/** Texts that are kept of what a call about a file of secrets held. */
const ENV_TEXTS = 200;
const NAMES_ENV = /(?:^|[\s/"'`])\.env\b/;

/** A project's conversation as it stands now; what was gone back from is no part of it. Entries come in their order. */
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
  /** The turn that has ended last, and what it left. */
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
        // What a turn was ended with is said at its end.
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
        // As in the workbench: not where the work was seen not to hold.
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
        // The person agreed to what only eyes can judge, or looked again: as the workbench shows it.
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
