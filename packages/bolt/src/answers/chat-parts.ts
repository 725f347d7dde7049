import type { LogEvent, ProjectPath } from "@treadle/protocol";
import type { DataStreamPart, JsonValue, StreamUsage } from "@treadle/dialects/data-stream";
import { toolKind, type ToolKind } from "@treadle/protocol/tools";
import { endsEarly, removing, writing } from "./client-commands.ts";
import { createPlainTags, plainTags } from "./plain-tags.ts";

export interface ChatParts {
  /** Returns the parts before the run. */
  begin(): DataStreamPart[];
  /** Converts an event of the project's log to parts; none for events of other runs. */
  see(event: LogEvent): Promise<DataStreamPart[]>;
  /** Whether the run has ended or waits for the person, after which nothing follows. */
  readonly hasEnded: boolean;
}

export interface ChatPartsOptions {
  run: string;
  project: string;
  /** The address of the conversation. */
  address: string;
  /** Whether reasoning is put into the text, in bolt.diy's markup, instead of separate parts. */
  thoughtsInText: boolean;
  /** Whether annotations list the files given to the model. */
  tellsContext: boolean;
  /** Rejected attachments of the message, each described in a few words. */
  leftOut: readonly string[];
  /** Reads a file's current text; undefined if it does not exist or is not text. */
  textOf(path: ProjectPath): Promise<string | undefined>;
  /** Called with each file that was sent to the client; without text if it was removed. */
  onFile(path: ProjectPath, text: string | undefined): void;
}

const VERDICT = {
  verified: "Verified",
  runs: "Runs",
  failed: "Failed",
  unverified: "Not verified",
} as const;
const THOUGHT = { open: '<div class="__boltThought__">', close: "</div>\n" };

/** Maximum number of rejected attachments named. */
const NAMED = 5;

function leftOutWords(leftOut: readonly string[]): string {
  const more = leftOut.length > NAMED ? `, and ${leftOut.length - NAMED} more` : "";
  return `Left out: ${leftOut.slice(0, NAMED).join("; ")}${more}`;
}

/**
 * Converts a run to the form that bolt's clients read: text with artifacts, and annotations. An
 * action is sent once it was executed here, with the resulting file; refused ones are never sent.
 * The model may use any dialect. The order of the parts is bolt.diy's.
 */
export function createChatParts(options: ChatPartsOptions): ChatParts {
  const { run, project, address, thoughtsInText, tellsContext, leftOut } = options;
  let order = 0;
  let hasEnded = false;
  let thinking = false;
  /** The open artifact in the text, by its step. */
  let artifact: string | undefined;
  let step = "";
  /** Running calls with their commands. */
  const calls = new Map<string, { kind: ToolKind | undefined; command?: string }>();
  const read = new Set<string>();
  const texts = new Map<string, string>();

  const tags = createPlainTags();
  /** A part with Treadle's own text, or with artifacts. */
  const text = (value: string): DataStreamPart => ({ type: "text", value: tags.rest() + value });
  /** Parts with text of a model or a page, in which tags are escaped. */
  const textParts = (value: string): DataStreamPart[] => {
    const plain = tags.write(value);
    return plain === "" ? [] : [{ type: "text", value: plain }];
  };
  const annotation = (value: JsonValue): DataStreamPart => ({
    type: "message_annotations",
    value: [value],
  });
  const progress = (label: string, status: "in-progress" | "complete", message: string) =>
    ({
      type: "data",
      value: [{ type: "progress", label, status, order: ++order, message }],
    }) satisfies DataStreamPart;

  function closeThought(): DataStreamPart[] {
    if (!thinking) return [];
    thinking = false;
    return [text(THOUGHT.close)];
  }
  function closeArtifact(): DataStreamPart[] {
    if (artifact === undefined) return [];
    artifact = undefined;
    return [text("</boltArtifact>\n")];
  }
  /** Adds an action to the artifact of its step. */
  function action(attributes: string, content: string): DataStreamPart[] {
    const parts = closeThought();
    if (artifact === undefined) {
      artifact = step;
      parts.push(text(`\n<boltArtifact id="${step}" title="Step ${step}">\n`));
    }
    parts.push(text(`<boltAction ${attributes}>\n${content}\n</boltAction>\n`));
    return parts;
  }

  /** A command; left out if the client would find the end of the action within it, and execute the rest. */
  const command = (line: string, type = "shell") =>
    endsEarly(line) ? [] : action(`type="${type}"`, line);

  /** A file's current text; if the client would cut it, a command writes it. */
  const file = (path: string, content: string) =>
    endsEarly(content) || /[<>"]/.test(path)
      ? command(writing(path, content))
      : action(`type="file" filePath="${path}"`, content);
  /** Text of the model, outside of artifacts. */
  const words = (value: string): DataStreamPart[] => [
    ...closeThought(),
    ...closeArtifact(),
    ...textParts(value),
  ];

  async function fileParts(event: Extract<LogEvent, { type: "files" }>): Promise<DataStreamPart[]> {
    const parts: DataStreamPart[] = [];
    for (const { path, kind, by } of event.changes) {
      // The client runs the command itself and gets the same files; only a template's files exist
      // only here.
      const laidOut = [...calls.values()].some((call) => call.kind === "scaffolds");
      if (by === "person" || (by === "command" && !laidOut)) continue;
      const content = kind === "removed" ? undefined : await options.textOf(path);
      if (kind === "removed") parts.push(...command(removing(path)));
      else if (content !== undefined) parts.push(...file(path, content));
      options.onFile(path, content);
    }
    return parts;
  }

  function callParts(event: Extract<LogEvent, { type: "call-end" }>): DataStreamPart[] {
    const { kind, command: line } = calls.get(event.call) ?? {};
    calls.delete(event.call);
    if (event.status !== "ok") return [];
    if (kind === "scaffolds") return command("npm install");
    return line === undefined ? [] : command(line, kind === "serves" ? "start" : "shell");
  }

  function evidenceParts(event: Extract<LogEvent, { type: "evidence" }>): DataStreamPart[] {
    return Object.entries(event.evidence.parts).flatMap(([part, { state, summary }]) => {
      const settled = state === "held" || state === "failed";
      if (!(settled || state === "going") || texts.get(part) === `${state} ${summary}`) return [];
      texts.set(part, `${state} ${summary}`);
      return [progress(part, settled ? "complete" : "in-progress", summary)];
    });
  }

  /**
   * The end of the message: the outcome, also as text, since not every client reads annotations.
   */
  function endParts(last: DataStreamPart[], usage: StreamUsage, reason: string): DataStreamPart[] {
    hasEnded = true;
    const total = usage.promptTokens + usage.completionTokens;
    const ended = [...closeThought(), ...closeArtifact(), ...last];
    const rest = tags.rest();
    return [
      ...ended,
      ...(rest === "" ? [] : [text(rest)]),
      { type: "finish_message", value: { finishReason: reason, usage } },
      ...(tellsContext && read.size > 0
        ? [annotation({ type: "codeContext", files: [...read] })]
        : []),
      annotation({ type: "usage", value: { ...usage, totalTokens: total } }),
      progress("response", "complete", "Response Generated"),
    ];
  }

  function see(event: LogEvent): DataStreamPart[] | Promise<DataStreamPart[]> {
    switch (event.type) {
      case "step-start":
        step = `${run}-${event.step}`;
        return [
          ...closeThought(),
          ...closeArtifact(),
          { type: "start_step", value: { messageId: step } },
        ];
      case "reasoning":
        if (event.whole) return [];
        if (!thoughtsInText) return [{ type: "reasoning", value: event.text }];
        if (thinking) return textParts(event.text);
        thinking = true;
        return [...closeArtifact(), text(THOUGHT.open), ...textParts(event.text)];
      case "text":
        return event.whole ? [] : words(event.text);
      case "call-open":
        calls.set(event.call, { kind: toolKind(event.tool) });
        return [];
      case "call-input": {
        const { command, path } = event.input;
        const call = calls.get(event.call);
        if (call?.kind === "reads" && typeof path === "string") read.add(path);
        if ((call?.kind === "runs" || call?.kind === "serves") && typeof command === "string")
          call.command = command;
        return [];
      }
      case "call-end":
        return callParts(event);
      case "files":
        return fileParts(event);
      case "evidence":
        return evidenceParts(event);
      case "waiting":
        return [progress("waiting", "in-progress", event.text)];
      case "repair":
        return [progress("repair", "in-progress", event.reason)];
      case "compacted":
        return event.text === undefined
          ? []
          : [annotation({ type: "chatSummary", summary: event.text, chatId: project })];
      case "step-end":
        return [
          ...closeThought(),
          ...closeArtifact(),
          {
            type: "finish_step",
            value: {
              finishReason: event.finish === "filter" ? "content-filter" : event.finish,
              usage: usageOf(event.usage),
              isContinued: event.finish === "length",
            },
          },
        ];
      case "question": {
        const asked =
          event.question.kind === "words"
            ? [event.question.text, ...event.question.choices.map((choice) => `- ${choice}`)].join(
                "\n",
              )
            : `A person has to approve this first: ${event.question.subject.what.join(", ")}. Open ${address} to do so.`;
        return words(`\n\n${asked}\n`);
      }
      case "suspended":
        return endParts([], usageOf(event.state.usage), "stop");
      case "run-end": {
        const usage = usageOf(event.usage);
        if (event.error)
          return endParts(
            [{ type: "error", value: `Custom error: ${event.error.message}` }],
            usage,
            "error",
          );
        const verdict = event.verdict && VERDICT[event.verdict];
        const sentence = event.summary.replace(`${verdict}: `, "");
        return endParts(
          [
            ...(verdict ? [text(`\n\n**${verdict}**: ${plainTags(sentence)}\n`)] : []),
            annotation({
              type: "treadle",
              project,
              address,
              verdict: event.verdict ?? null,
              summary: event.summary,
            }),
          ],
          usage,
          event.outcome === "done" ? "stop" : "other",
        );
      }
      default:
        return [];
    }
  }

  return {
    begin: () => [
      ...(leftOut.length === 0 ? [] : [progress("left-out", "complete", leftOutWords(leftOut))]),
      progress("response", "in-progress", "Generating Response"),
    ],
    async see(event) {
      if (hasEnded || ("run" in event && event.run !== undefined && event.run !== run)) return [];
      return see(event);
    },
    get hasEnded() {
      return hasEnded;
    },
  };
}

const usageOf = ({ inputTokens, outputTokens }: { inputTokens: number; outputTokens: number }) => ({
  promptTokens: inputTokens,
  completionTokens: outputTokens,
});
