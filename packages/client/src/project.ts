import type {
  Evidence,
  LogEntry,
  LogEvent,
  ProjectDetail,
  Question,
  SendMessage,
  Verdict,
} from "@treadle/protocol";
import { judge } from "@treadle/protocol/evidence";
import type { Client } from "openapi-fetch";
import type { paths } from "./api.ts";
import { createFiles, type ProjectFiles } from "./files.ts";
import { TreadleError } from "./treadle-error.ts";
import { follow, type FollowOptions } from "./follow.ts";

/** A project's access to its server. */
export interface Wire {
  api: Client<paths>;
  open(path: string, init?: RequestInit & { headers?: Record<string, string> }): Promise<Response>;
}

type RunEnd = Extract<LogEvent, { type: "run-end" }>;

/** How a run ended, or that it waits for the user. */
export interface RunResult {
  outcome: RunEnd["outcome"] | "waiting";
  /** Absent if the run changed nothing, or waits. */
  verdict?: Verdict | undefined;
  summary: string;
  /** The evidence for the current files. */
  evidence?: Evidence | undefined;
  /** What it waits for: `answer` continues it. */
  question?: Question | undefined;
}

/** An answer to a question: yes or no to an action, or text. */
export type GivenAnswer =
  | { kind: "approve"; digest: string; always?: boolean }
  | { kind: "deny"; words?: string }
  | { kind: "words"; text: string };

/** The run after a message or an answer. */
export interface Run {
  /** The live log from there on, until the run ends or asks its next question. */
  events(options?: Pick<FollowOptions, "signal">): AsyncGenerator<LogEntry, RunResult>;
  /**
   * Waits for that end.
   * @throws an `AbortError` if `signal` aborts first; the run itself continues
   */
  result(options?: Pick<FollowOptions, "signal">): Promise<RunResult>;
}

/** A project on the server. */
export interface Project {
  readonly id: string;
  /** The current files; changes made here count as the user's. */
  readonly files: ProjectFiles;
  detail(): Promise<ProjectDetail>;
  /** The verdict on the current files; undefined if nobody has looked yet. */
  verdict(): Promise<{ verdict: Verdict; reason: string; evidence: Evidence } | undefined>;
  /** Sends a message, like the user on the page. */
  run(message: string | SendMessage): Promise<Run>;
  /** The log after a number, and then live, for as long as it is read. */
  follow(options?: FollowOptions): AsyncGenerator<LogEntry, void>;
  /** Answers the question in `detail`; the run continues. */
  answer(waiting: NonNullable<ProjectDetail["waiting"]>, answer: GivenAnswer): Promise<Run>;
  /** Stops the active run. Resolves with whether there was one. */
  stop(): Promise<boolean>;
  /**
   * Looks at it now: installs, builds, serves, opens it in a browser. The results follow in the
   * log.
   */
  check(): Promise<void>;
  /** All files as a ZIP archive. */
  export(): Promise<Response>;
  /** Deletes it with its files and its conversation. */
  remove(): Promise<void>;
}

/**
 * @throws TreadleError if the id is invalid: as part of an address it would name another project
 */
export function createProject({ api, open }: Wire, id: string): Project {
  if (/^\.{0,2}$/.test(id)) throw new TreadleError("not-found", "There is no such project.", 404);
  const params = { path: { id } };
  const path = `/api/projects/${encodeURIComponent(id)}`;
  const detail = async () =>
    (await api.GET("/api/projects/{id}", { params })).data as unknown as ProjectDetail;
  const followLog = (options: FollowOptions = {}) =>
    follow(
      (after, signal) =>
        open(`${path}/events?after=${after}`, {
          signal,
          headers: { accept: "text/event-stream" },
        }),
      options,
    );

  async function* eventsOf(
    sent: { message?: string; run: string },
    { after, signal }: FollowOptions,
  ): AsyncGenerator<LogEntry, RunResult> {
    let { run } = sent;
    let evidence: Evidence | undefined;
    let question: Question | undefined;
    for await (const entry of followLog({ after, signal })) {
      const { event } = entry;
      yield entry;
      // The message was sent to the active run, so its events follow.
      if (event.type === "message-taken" && event.message === sent.message) run = event.run;
      if (event.type === "evidence") evidence = event.evidence;
      if (!("run" in event) || event.run !== run) continue;
      if (event.type === "question") question = event.question;
      if (event.type === "answer") question = undefined;
      if (event.type === "suspended")
        return { outcome: "waiting", summary: "It waits for a person.", evidence, question };
      if (event.type === "run-end") {
        const { outcome, verdict, summary } = event;
        return { outcome, verdict, summary, evidence };
      }
    }
    throw new DOMException("The run was not followed to its end; it goes on.", "AbortError");
  }

  function runFrom(sent: { message?: string; run: string }, after: number): Run {
    const events: Run["events"] = (options) => eventsOf(sent, { ...options, after });
    return {
      events,
      async result(options) {
        const entries = events(options);
        for (;;) {
          const { done, value } = await entries.next();
          if (done) return value;
        }
      },
    };
  }

  return {
    id,
    files: createFiles({ open }, id),
    detail,
    async verdict() {
      const { evidence } = await detail();
      return evidence && { ...judge(evidence), evidence };
    },
    async run(request) {
      const body = typeof request === "string" ? { text: request } : request;
      const { data } = await api.POST("/api/projects/{id}/messages", { params, body });
      const { message, run, after } = data!;
      return runFrom({ message, run }, after);
    },
    follow: followLog,
    async answer({ run, question }, body) {
      const { head: after } = await detail();
      await api.POST("/api/projects/{id}/questions/{question}", {
        params: { path: { id, question: question.id } },
        body,
      });
      return runFrom({ run }, after);
    },
    async stop() {
      return (await api.POST("/api/projects/{id}/stop", { params })).data!.stopped;
    },
    async check() {
      await api.POST("/api/projects/{id}/check", { params });
    },
    export: () => open(`${path}/export.zip`),
    async remove() {
      await api.DELETE("/api/projects/{id}", { params });
    },
  };
}
