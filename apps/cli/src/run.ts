import { createHash } from "node:crypto";
import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Evidence, LogEntry, LogEvent } from "@treadle/protocol";
import { createTreadle } from "@treadle/server";
import type { Command } from "./arguments.ts";
import { dataDirectory } from "./data-directory.ts";
import { ensureSandbox } from "./ensure-sandbox.ts";
import { EXIT, exitStatus } from "./exit-status.ts";
import { narrate } from "./narrate.ts";

type RunEnd = Extract<LogEvent, { type: "run-end" }>;

/**
 * `treadle run`: one run without a browser, in a folder of the person's own.
 * What is kept of it (conversation, checkpoints) lies beside the server's data, keyed by the folder, so that the next
 * run in the same folder goes on where this one ended, whether or not a server is running.
 */
export async function run(command: Extract<Command, { kind: "run" }>): Promise<number> {
  const notice = (text: string) => process.stderr.write(`${text}\n`);
  if (!command.unsafe && !(await ensureSandbox(notice))) return EXIT.usage;

  const directory = resolve(command.dir ?? ".");
  try {
    mkdirSync(directory, { recursive: true });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const reason = code === "EEXIST" || code === "ENOTDIR" ? "a file is in the way" : message;
    notice(`${directory} cannot be the project's folder: ${reason}. Nothing was started.`);
    return EXIT.usage;
  }
  const shared = dataDirectory(command.data, process.env);
  const key = createHash("sha256").update(directory).digest("hex").slice(0, 16);
  const treadle = await createTreadle({
    dataDirectory: join(shared, "folders", key),
    sharedDirectory: shared,
    unsafeNoSandbox: command.unsafe,
    env: process.env,
    onNotice: notice,
  });

  try {
    // The looking page reaches the app through the preview gateway, so that one has to listen here too.
    await treadle.listen({ host: "127.0.0.1", port: 0 });
    const project = await treadle.projects.open({
      directory,
      model: command.model,
      dialect: command.dialect,
    });
    const head = await treadle.projects.head(project.id);
    const ended = new Promise<{ end: RunEnd; evidence?: Evidence }>((resolveEnd) => {
      let evidence: Evidence | undefined;
      treadle.projects.follow(project.id, head, (entries) => {
        for (const entry of entries) {
          print(entry, command.json);
          if (entry.event.type === "evidence") evidence = entry.event.evidence;
          if (entry.event.type === "run-end") resolveEnd({ end: entry.event, evidence });
        }
      });
    });
    const onSignal = () => void treadle.projects.stop(project.id);
    process.once("SIGINT", onSignal);
    process.once("SIGTERM", onSignal);

    await treadle.projects.send(project.id, {
      text: command.prompt,
      model: command.model,
      limits: { steps: command.maxSteps, costUsd: command.maxCost, ms: command.timeoutMs },
    });
    const { end, evidence } = await ended;
    await treadle.projects.release(project.id);
    const ofThisRevision = evidence?.revision === end.revision ? evidence : undefined;
    if (command.json)
      process.stdout.write(
        `${JSON.stringify({
          type: "result",
          outcome: end.outcome,
          verdict: end.verdict ?? null,
          summary: end.summary,
          revision: end.revision,
          steps: end.steps,
          usage: end.usage,
          evidence: ofThisRevision ?? null,
          ...(end.error && { error: end.error }),
        })}\n`,
      );
    return exitStatus(end.outcome, end.verdict);
  } finally {
    await treadle.close();
  }
}

function print(entry: LogEntry, json: boolean): void {
  if (json) process.stdout.write(`${JSON.stringify(entry)}\n`);
  else process.stdout.write(narrate(entry.event));
}
