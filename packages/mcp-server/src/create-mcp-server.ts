import { McpServer, type ServerContext } from "@modelcontextprotocol/server";
import type { Treadle as Client } from "@treadle/client";
import { z } from "zod";
import { VERSION } from "@treadle/common/version";
import { followRun } from "./follow-run.ts";
import { statusOf } from "./status-of.ts";
import { failed, toolResult } from "./tool-results.ts";

const Project = z
  .string()
  .regex(/^[\w-]{1,100}$/, "That is no id of a project.")
  .describe("Id of the project, as list_projects and build say it.");

/**
 * Treadle as a tool server: another agent can build apps, follow runs, answer their questions and read the evidence.
 * @param treadle the client of the Treadle server that does the work. Each session over stdio, and each HTTP request,
 * needs a separate tool server.
 */
export function createMcpServer(treadle: Client): McpServer {
  const server = new McpServer(
    { name: "treadle", title: "Treadle", version: VERSION },
    {
      instructions:
        "Builds web apps from a sentence and checks in a browser that they work. `build` returns when the run has ended, with a verdict, or when it needs an answer: then call `answer`. Only “verified” means that the app was seen to work.",
    },
  );

  server.registerTool(
    "list_projects",
    {
      title: "List projects",
      description: "All projects with their verdicts, the newest change first.",
      annotations: { readOnlyHint: true },
      inputSchema: z.object({}),
    },
    () =>
      answer(async () => {
        const projects = await treadle.projects();
        const lines = projects.map(
          ({ id, name, verdict, working }) =>
            `${id}  ${name}: ${working ? "working" : (verdict ?? "nobody has looked yet")}`,
        );
        return toolResult(lines.join("\n") || "There is no project yet.", { projects });
      }),
  );

  server.registerTool(
    "build",
    {
      title: "Build or change an app",
      description:
        "Says in words what to build or change, waits until the run has ended or asks something, and gives its verdict. Without `project` a new one is made.",
      inputSchema: z.object({
        prompt: z.string().min(1).max(200_000).describe("What to build or change."),
        project: Project.optional(),
        mode: z
          .enum(["act", "plan", "discuss"])
          .optional()
          .describe("plan and discuss change nothing; default act."),
      }),
    },
    ({ prompt, project: id, mode }, context) =>
      answer(async () => {
        const project = id === undefined ? await treadle.createProject() : treadle.project(id);
        const run = await project.run({ text: prompt, mode });
        return followRun(project, run, context);
      }),
  );

  server.registerTool(
    "answer",
    {
      title: "Answer what a run asks",
      description:
        "Answers the question of a run that waits: `approve` for one that asks whether something may be done, `words` for one that asks in words. The run goes on, and is waited for as by build.",
      inputSchema: z.object({
        project: Project,
        question: z.string().describe("Its id, as build and status say it."),
        approve: z.boolean().optional().describe("Whether it may be done."),
        words: z.string().max(20_000).optional().describe("An answer, or why not."),
      }),
    },
    ({ project: id, question, approve, words }, context) =>
      answer(async () => {
        const project = treadle.project(id);
        const { waiting } = await project.detail();
        if (waiting?.question.id !== question)
          return failed(
            waiting
              ? `The run asks something else now: question ${waiting.question.id}. See status.`
              : "No run of this project waits for an answer.",
          );
        const asked = waiting.question;
        if (asked.kind === "words") {
          if (!words) return failed("It asks in words: give `words`.");
          const run = await project.answer(waiting, { kind: "words", text: words });
          return followRun(project, run, context);
        }
        if (approve === undefined) return failed("It asks for a yes or no: give `approve`.");
        const given = approve
          ? ({ kind: "approve", digest: asked.digest } as const)
          : ({ kind: "deny", words } as const);
        return followRun(project, await project.answer(waiting, given), context);
      }),
  );

  server.registerTool(
    "status",
    {
      title: "Status and evidence",
      description:
        "How a project stands: its verdict with what was seen of each part, what a run is doing or asks, the preview's address, what it cost.",
      annotations: { readOnlyHint: true },
      inputSchema: z.object({
        project: Project,
        picture: z.boolean().optional().describe("With a picture of its page."),
      }),
    },
    ({ project: id, picture = false }) =>
      answer(() => statusOf(treadle, treadle.project(id), { picture })),
  );

  server.registerTool(
    "check",
    {
      title: "Check now",
      description:
        "Looks at a project as it stands: installs, builds, serves it, opens it in a browser, runs its checks. Returns the evidence.",
      inputSchema: z.object({ project: Project }),
    },
    ({ project: id }, context) =>
      answer(async () => {
        const project = treadle.project(id);
        const { head: after } = await project.detail();
        await project.check();
        for await (const { event } of project.follow({ after, signal: context.mcpReq.signal }))
          if (event.type === "look-end" || event.type === "run-end") break;
        return statusOf(treadle, project, { picture: false });
      }),
  );

  server.registerTool(
    "stop",
    {
      title: "Stop the run",
      description: "Ends the run that goes on, model and command alike. What was written stays.",
      inputSchema: z.object({ project: Project }),
    },
    ({ project: id }) =>
      answer(async () => {
        const stopped = await treadle.project(id).stop();
        return toolResult(
          stopped ? "Stopped." : "Nothing goes on there that could be stopped.",
          {},
        );
      }),
  );

  return server;
}

/** Returns errors as a result, which the other agent can read, instead of failing the call. */
async function answer<Result>(act: () => Promise<Result>) {
  try {
    return await act();
  } catch (error) {
    return failed(error instanceof Error ? error.message : String(error));
  }
}

export type CallContext = Pick<ServerContext, "mcpReq">;
