import { runTurn, type RunRequest } from "@treadle/agent";
import { createFakeClock } from "../../packages/agent/src/testing/fake-clock.test-support.ts";
import { createFakeWorkspace } from "../../packages/agent/src/testing/fake-workspace.test-support.ts";
import {
  atOnce,
  finishPart,
  modelOf,
  textParts,
  type Asked,
  type StreamPart,
} from "../support/language-model.ts";
import { createCounter, type Count } from "./count.ts";
import type { Trace, TraceTurn } from "./trace.ts";

interface Step {
  text: string;
  calls: { tool: string; input: unknown }[];
}

export interface OurCount extends Count {
  /** The verdict of each turn; a trace that fails is not a valid measurement. */
  verdicts: (string | undefined)[];
  /** Every request, to find out where the tokens go. */
  sent: string[];
  files: Record<string, string | undefined>;
}

/**
 * Counts ours: the loop itself with its prompt, tools, history and evidence. Only the model's text
 * comes from the trace.
 */
export async function countOurs({ files, turns }: Trace): Promise<OurCount> {
  const count = createCounter();
  const sent: string[] = [];
  const workspace = createFakeWorkspace({
    files,
    serve: () => (_request, response) => {
      response.setHeader("content-type", "text/html");
      response.end("<h1>Fieldbook</h1>");
    },
  });
  const clock = createFakeClock();
  const saved = new Map<string, RunRequest["message"]>();
  let script: Step[] = [];
  let asked = 0;

  const languageModel = modelOf((options) => {
    const step = script.shift() ?? { text: "Done.", calls: [] };
    const request = promptText(options);
    sent.push(request);
    count.add(request, answerOf(step));
    return atOnce(partsOf(step, ++asked));
  });

  const verdicts: (string | undefined)[] = [];
  for (const [index, turn] of turns.entries()) {
    script = stepsOf(turn);
    const message = {
      id: `m${index}`,
      role: "user" as const,
      parts: [{ type: "text" as const, text: turn.say }],
    };
    const history = [...saved.values()];
    saved.set(message.id, message);
    const result = await runTurn(
      {
        run: `r${index}`,
        history,
        message,
        changes: [],
        personWrites: new Map(),
        signal: new AbortController().signal,
      },
      {
        model: { id: "trace:trace", languageModel, dialect: "native", takesTemperature: true },
        workspace,
        log: { append: () => {}, settled: async () => {} },
        browser: {
          look: async ({ path }) => ({
            source: "headless",
            path,
            status: 200,
            contentType: "text/html",
            title: "Fieldbook",
            rendered: true,
            text: "Dashboard",
            uncaughtErrors: [],
            consoleErrors: [],
            failedRequests: [],
            ms: 10,
          }),
        },
        clock,
        save: async (message) => void saved.set(message.id, structuredClone(message)),
        wrote: () => {},
      },
    );
    verdicts.push(result.verdict);
  }
  const after = Object.fromEntries(
    workspace.paths().map((path) => [path, workspace.text(path)] as const),
  );
  return { ...count, verdicts, sent, files: after };
}

/**
 * Files are read in one step and changed in the next, which also ends the turn: calls of one step
 * need no answer between them, and the turn continues by itself if one of them fails.
 */
function stepsOf({ reads, edits, intro, done }: TraceTurn): Step[] {
  const changes = edits.map((input) => ({ tool: "edit_file", input }));
  const looks = reads.map((path) => ({ tool: "read_file", input: { path } }));
  const last = [...changes, { tool: "finish", input: { done } }];
  return looks.length > 0
    ? [
        { text: intro, calls: looks },
        { text: "", calls: last },
      ]
    : [{ text: intro, calls: last }];
}

/** What a provider is told: tools, then the messages, each part as the text that it is for a model. */
function promptText({ prompt, tools }: Asked): string {
  const pieces = [JSON.stringify(tools ?? [])];
  for (const { role, content } of prompt) {
    if (typeof content === "string") {
      pieces.push(`${role}: ${content}`);
      continue;
    }
    for (const part of content) {
      if (part.type === "text" || part.type === "reasoning") pieces.push(`${role}: ${part.text}`);
      else if (part.type === "tool-call")
        pieces.push(`${role}: ${part.toolName} ${JSON.stringify(part.input)}`);
      else if (part.type === "tool-result")
        pieces.push(
          `${role}: ${"value" in part.output ? String(part.output.value) : part.output.type}`,
        );
      else throw new Error(`A part that is not counted: ${part.type}`);
    }
  }
  return pieces.join("\n");
}

const answerOf = ({ text, calls }: Step) =>
  [text, ...calls.map(({ tool, input }) => `${tool} ${JSON.stringify(input)}`)].join("\n");

function partsOf({ text, calls }: Step, asked: number): StreamPart[] {
  const made = calls.map(({ tool, input }, index): StreamPart => ({
    type: "tool-call",
    toolCallId: `c${asked}-${index}`,
    toolName: tool,
    input: JSON.stringify(input),
  }));
  return [
    ...(text ? textParts(`t${asked}`, [text]) : []),
    ...made,
    finishPart(calls.length > 0 ? "tool-calls" : "stop"),
  ];
}
