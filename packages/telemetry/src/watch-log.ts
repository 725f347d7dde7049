import type { LogEvent, Usage } from "@treadle/protocol";
import { newPlace, type Operation, type SpanPlace } from "./operations.ts";

/** A piece of work that has not ended. */
interface OpenOperation {
  place: SpanPlace;
  startMs: number;
  name: string;
}

interface OpenRun extends OpenOperation {
  project: string;
  model: string;
  step: OpenOperation | undefined;
  calls: Map<string, OpenOperation>;
}

export interface LogWatch {
  /** Takes an event of a project's log, in the order of the log. `at`: milliseconds since 1970. */
  onEvent(project: string, event: LogEvent, at: number): void;
  /** The span of a run that has not ended, so that other work can be a part of it. */
  placeOf(run: string): SpanPlace | undefined;
  /** Number of runs that have not ended. */
  openRuns(): number;
}

/**
 * Reads runs, steps and tool calls from the events of the log. It holds what is open, and nothing else: a run whose
 * start it has not seen is ignored, and what is open in a run ends with it.
 */
export function watchLog(onOperation: (operation: Operation) => void): LogWatch {
  const runs = new Map<string, OpenRun>();
  /** The open run of each project, since some events name only their call. */
  const runOf = new Map<string, OpenRun>();

  function end(
    kind: Operation["kind"],
    { place, startMs, name }: OpenOperation,
    at: number,
    result: Pick<Operation, "outcome" | "hasFailed" | "attributes">,
  ): void {
    onOperation({ kind, name, place, startMs, endMs: Math.max(startMs, at), ...result });
  }

  const interrupted = { outcome: "interrupted", hasFailed: true, attributes: {} };

  return {
    onEvent(project, event, at) {
      switch (event.type) {
        case "run-start": {
          const run: OpenRun = {
            place: newPlace(),
            startMs: at,
            name: "run",
            project,
            model: event.model,
            step: undefined,
            calls: new Map(),
          };
          runs.set(event.run, run);
          runOf.set(project, run);
          return;
        }
        case "step-start": {
          const run = runs.get(event.run);
          if (!run) return;
          if (run.step) end("step", run.step, at, interrupted);
          run.step = { place: newPlace(run.place), startMs: at, name: "step" };
          return;
        }
        case "step-end": {
          const run = runs.get(event.run);
          if (!run?.step) return;
          end("step", run.step, at, {
            outcome: event.finish,
            hasFailed: event.finish === "error",
            attributes: {
              "gen_ai.operation.name": "chat",
              "gen_ai.request.model": run.model,
              ...usageAttributes(event.usage),
            },
          });
          run.step = undefined;
          return;
        }
        case "call-open": {
          const run = runs.get(event.run);
          const name = event.tool;
          run?.calls.set(event.call, { place: newPlace(run.place), startMs: at, name });
          return;
        }
        case "call-end": {
          const run = runOf.get(project);
          const call = run?.calls.get(event.call);
          if (!run || !call) return;
          run.calls.delete(event.call);
          end("tool", call, at, {
            outcome: event.status,
            hasFailed: event.status === "error",
            attributes: {
              "gen_ai.operation.name": "execute_tool",
              "gen_ai.tool.name": call.name,
            },
          });
          return;
        }
        case "run-end": {
          const run = runs.get(event.run);
          if (!run) return;
          runs.delete(event.run);
          if (runOf.get(project) === run) runOf.delete(project);
          for (const call of run.calls.values()) end("tool", call, at, interrupted);
          if (run.step) end("step", run.step, at, interrupted);
          end("run", run, at, {
            outcome: event.outcome,
            hasFailed: event.outcome === "error",
            attributes: {
              "treadle.project": project,
              "treadle.run": event.run,
              "treadle.steps": event.steps,
              ...(event.verdict === undefined ? {} : { "treadle.verdict": event.verdict }),
              ...(event.error ? { "error.type": event.error.code } : {}),
              "gen_ai.request.model": run.model,
              ...usageAttributes(event.usage),
            },
          });
        }
      }
    },
    placeOf: (run) => runs.get(run)?.place,
    openRuns: () => runs.size,
  };
}

function usageAttributes(usage: Usage): Record<string, number> {
  return {
    "gen_ai.usage.input_tokens": usage.inputTokens,
    "gen_ai.usage.output_tokens": usage.outputTokens,
    "treadle.usage.cached_input_tokens": usage.cachedInputTokens,
    ...(usage.costUsd === undefined ? {} : { "treadle.usage.cost_usd": usage.costUsd }),
  };
}
