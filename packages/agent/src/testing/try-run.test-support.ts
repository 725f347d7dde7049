import type { LanguageModelV4 } from "@ai-sdk/provider";
import type { DialectName, LogEvent, PageReport } from "@treadle/protocol";
import type { UIMessage } from "ai";
import { runTurn } from "../loop/run-turn.ts";
import type { Clock } from "../ports/clock.ts";
import type { Limits } from "../ports/limits.ts";
import type { Model } from "../ports/model.ts";
import type { RunPorts, RunRequest, RunResult } from "../loop/types.ts";
import { createFakeClock } from "./fake-clock.test-support.ts";
import { createFakeWorkspace, type FakeWorkspace } from "./fake-workspace.test-support.ts";

export interface Tried {
  result: RunResult;
  events: LogEvent[];
  saved: UIMessage[];
  workspace: FakeWorkspace;
}

export interface TryOptions {
  workspace?: FakeWorkspace;
  clock?: Clock;
  limits?: Partial<Limits>;
  dialect?: DialectName;
  text?: string;
  signal?: AbortSignal;
  request?: Partial<RunRequest>;
  ports?: Partial<RunPorts>;
  model?: Partial<Model>;
  /** The report of a look at the page; default: a page that shows something. */
  page?: (workspace: FakeWorkspace) => Partial<PageReport>;
  onEvent?: (event: LogEvent) => void;
}

export const GOOD_PAGE: PageReport = {
  source: "headless",
  path: "/",
  status: 200,
  contentType: "text/html",
  title: "App",
  rendered: true,
  text: "Hello",
  uncaughtErrors: [],
  consoleErrors: [],
  failedRequests: [],
  ms: 10,
};

/** Serves index.html if it exists. */
export function htmlWorkspace(
  options: Parameters<typeof createFakeWorkspace>[0] = {},
): FakeWorkspace {
  return createFakeWorkspace({
    serve: (_command, workspace) => (_request, response) => {
      response.setHeader("content-type", "text/html");
      response.end(workspace.text("index.html") ?? "<h1>app</h1>");
    },
    ...options,
  });
}

/** Runs a turn of a scripted model with fake ports. */
export async function tryRun(
  languageModel: LanguageModelV4,
  options: TryOptions = {},
): Promise<Tried> {
  const workspace = options.workspace ?? htmlWorkspace();
  const clock = options.clock ?? createFakeClock();
  const events: LogEvent[] = [];
  const saved: UIMessage[] = [];
  const result = await runTurn(
    {
      run: "r1",
      history: [],
      message: {
        id: "m1",
        role: "user",
        parts: [{ type: "text", text: options.text ?? "Build it" }],
      },
      changes: [],
      personWrites: new Map(),
      signal: options.signal ?? new AbortController().signal,
      limits: options.limits,
      dialect: options.dialect,
      ...options.request,
    },
    {
      model: {
        id: "test:model",
        languageModel,
        dialect: "native",
        takesTemperature: true,
        ...options.model,
      },
      workspace,
      log: {
        append(event) {
          events.push(event);
          options.onEvent?.(event);
        },
        settled: async () => {},
      },
      browser: {
        look: async ({ path, signal }) => {
          signal.throwIfAborted();
          return { ...GOOD_PAGE, path, ...options.page?.(workspace) };
        },
      },
      clock,
      random: () => 0,
      async save(message) {
        saved.push(structuredClone(message));
      },
      wrote: () => {},
      ...options.ports,
    },
  );
  return { result, events, saved, workspace };
}

export function ofType<T extends LogEvent["type"]>(
  events: LogEvent[],
  type: T,
): Extract<LogEvent, { type: T }>[] {
  return events.filter((event): event is Extract<LogEvent, { type: T }> => event.type === type);
}
