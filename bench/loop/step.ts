import { runTurn, type RunPorts, type RunRequest } from "@treadle/agent";
import { isStepCount, jsonSchema, streamText, tool, type ToolSet } from "ai";
import { createFakeWorkspace } from "../../packages/agent/src/testing/fake-workspace.test-support.ts";
import { realClock } from "../../packages/agent/src/testing/real-clock.test-support.ts";
import { atOnce, finishPart, modelOf, textParts, type Asked } from "../support/language-model.ts";

/**
 * The loop continues an answer that was cut off up to this number of times in a row: steps without
 * a tool.
 */
const CUT = 3;
const STEPS = CUT + 1;
const TURNS = 60;
const WARM_UP = 15;
/** All different, because text that an answer repeats after a cut is omitted. */
const piecesOf = (step: number) =>
  Array.from({ length: 20 }, (_, piece) => `words ${step}.${piece} `);

/**
 * The median milliseconds of a step: of the loop, and of a bare call with the same prompt, tools
 * and answer.
 */
export async function measureStep(messages: number): Promise<{ loop: number; bare: number }> {
  const loop: number[] = [];
  const bare: number[] = [];
  const history = historyOf(messages);
  for (let turn = 0; turn < WARM_UP + TURNS; turn++) {
    const asked: Asked[] = [];
    const ours = await oneTurn(history, asked);
    const theirs = await theSameBare(asked);
    if (turn < WARM_UP) continue;
    loop.push(ours / STEPS);
    bare.push(theirs / STEPS);
  }
  return { loop: median(loop), bare: median(bare) };
}

async function oneTurn(history: RunRequest["history"], asked: Asked[]): Promise<number> {
  const languageModel = modelOf((options) => {
    asked.push(options);
    return answer(asked.length);
  });
  const ports: RunPorts = {
    model: { id: "bench:bench", languageModel, dialect: "native", takesTemperature: true },
    workspace: createFakeWorkspace({ files: { "index.html": "<h1>app</h1>" } }),
    log: { append: () => {}, settled: async () => {} },
    clock: realClock,
    save: async () => {},
    wrote: () => {},
  };
  const request: RunRequest = {
    run: "r",
    history,
    message: { id: "m", role: "user", parts: [{ type: "text", text: "Tell me about it" }] },
    changes: [],
    personWrites: new Map(),
    signal: new AbortController().signal,
  };
  const began = performance.now();
  const { steps } = await runTurn(request, ports);
  const took = performance.now() - began;
  if (steps !== STEPS) throw new Error(`The turn had ${steps} steps.`);
  return took;
}

/** Makes the loop's calls by hand. */
async function theSameBare(asked: Asked[]): Promise<number> {
  let step = 0;
  const model = modelOf(() => answer(++step));
  const began = performance.now();
  for (const { prompt, tools = [] } of asked) {
    const [system, ...messages] = prompt;
    const set: ToolSet = {};
    for (const known of tools)
      if (known.type === "function")
        set[known.name] = tool({
          description: known.description ?? "",
          inputSchema: jsonSchema(known.inputSchema),
        });
    const { stream } = streamText({
      model,
      instructions: String(system?.content),
      messages: messages as Parameters<typeof streamText>[0]["messages"] & object,
      tools: set,
      stopWhen: isStepCount(1),
      maxRetries: 0,
    });
    for await (const part of stream) if (part.type === "error") throw part.error;
  }
  return performance.now() - began;
}

const answer = (step: number) =>
  atOnce([
    ...textParts(`t${step}`, piecesOf(step)),
    finishPart(step % STEPS === 0 ? "stop" : "length"),
  ]);

/** Turns in which a file was read, or text was written. */
function historyOf(messages: number): RunRequest["history"] {
  return Array.from({ length: messages }, (_, index) =>
    index % 2 === 0
      ? {
          id: `h${index}`,
          role: "user" as const,
          parts: [{ type: "text" as const, text: `Change number ${index}` }],
        }
      : {
          id: `h${index}`,
          role: "assistant" as const,
          parts: [
            { type: "step-start" as const },
            { type: "text" as const, text: "I look at it." },
            {
              type: "tool-read_file" as const,
              toolCallId: `c${index}`,
              state: "output-available" as const,
              input: { path: "index.html" },
              output: "a line of a file\n".repeat(40),
            },
          ],
        },
  );
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
}
