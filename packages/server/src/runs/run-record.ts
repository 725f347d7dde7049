import { asMessage, sentence, type Sentence } from "@treadle/protocol/sentences";
import type { ErrorCode, LogEvent } from "@treadle/protocol";
import type { QueuedMessage } from "@treadle/store";
import type { ProjectContext } from "../project-context/project-context.ts";
import type { UnaskedChange } from "@treadle/trust";
import { interrupted, ServerStops } from "./server-stops.ts";
import { nameInTitle } from "./name-project.ts";

/** Maximum number of files in one event. */
const SHOWN = 50;

/** The log events of one run: it begins once, ends once, and nothing follows its end. */
export interface RunRecord {
  append(event: LogEvent): void;
  /** Ends a run that has not ended by itself; does nothing if it has. */
  fail(code: ErrorCode, reason: Sentence): void;
  hasEnded(): boolean;
  /** The model's name for the project: one that it gave, else the title of its first artifact. */
  name(): string | undefined;
  /** Protected files to report to the person at the start of the run. */
  untold: readonly UnaskedChange[];
  /** Call once after the last event. */
  close(): void;
}

export function createRunRecord(
  context: Pick<ProjectContext, "parts" | "trust" | "view" | "append">,
  { run, message, model }: QueuedMessage,
  options: { signal: AbortSignal; hasStarted: boolean; onEnd(): void },
): RunRecord {
  const { signal } = options;
  const { clock } = context.parts;
  const startedAt = clock.now();
  let started = options.hasStarted;
  let ended = false;
  let name: string | undefined;
  let title: string | undefined;
  const watch = context.trust.watchCommands();

  const record: RunRecord = {
    untold: [],
    append(event) {
      if (event.type === "run-start") started = true;
      if (event.type === "group") title ??= nameInTitle(event.title);
      watch.see(event);
      if (event.type === "run-end") {
        ended = true;
        name = event.said?.name;
        options.onEnd();
        context.append(signal.reason instanceof ServerStops ? interrupted(event) : event);
        return;
      }
      context.append(event);
      if (event.type !== "run-start" || record.untold.length === 0) return;
      const files = record.untold.slice(0, SHOWN);
      context.append({ type: "protected-changed", run, state: "stands", files });
    },
    fail(code, reason) {
      if (ended) return;
      if (!started) record.append({ type: "run-start", run, message, model, dialect: "native" });
      const stopped = signal.aborted;
      const summary = stopped ? sentence("stopped-before") : reason;
      record.append({
        type: "run-end",
        run,
        outcome: stopped ? "stopped" : "error",
        summary: summary.text,
        summaryCode: summary.coded,
        revision: context.view.revision ?? "",
        steps: 0,
        usage: { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0 },
        ms: clock.now() - startedAt,
        error: stopped ? undefined : { code, ...asMessage(reason), canContinue: true },
      });
    },
    hasEnded: () => ended,
    name: () => name ?? title,
    close: () => watch.close(),
  };
  return record;
}
