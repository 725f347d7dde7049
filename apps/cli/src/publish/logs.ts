import { setTimeout as after } from "node:timers/promises";
import { TreadleError, type Treadle } from "@treadle/client";
import { connectLocal } from "@treadle/client/local";
import type { LogEntry } from "@treadle/protocol";
import { findProject } from "../folders/find-project.ts";
import { jsonLine } from "../terminal/json-line.ts";
import { narrate } from "../terminal/narrate.ts";
import { plain } from "../terminal/plain.ts";

/** Interval at which an app's output is polled, in milliseconds. */
const POLL_MS = 500;

interface LogsCommand {
  project: string;
  follow: boolean;
  /** Whether to show the published app's output. */
  app: boolean;
  json: boolean;
  data?: string | undefined;
}

/**
 * `treadle logs PROJECT`: prints the log for people, or as one entry per line; with --follow,
 * continues live.
 */
export async function logs(command: LogsCommand): Promise<number> {
  const treadle = connectLocal(command.data);
  const { id, name } = findProject(await treadle.projects(), command.project);
  const project = treadle.project(id);
  const leaving = new AbortController();
  const leave = () => leaving.abort();
  process.once("SIGINT", leave).once("SIGTERM", leave);
  if (command.app)
    return appLog(treadle, id, command.follow ? leaving.signal : undefined).catch((error) => {
      if (!(error instanceof TreadleError) || error.status !== 404) throw error;
      throw new Error(
        `“${name}” is not published, so it has no app that prints anything. Publish it: treadle publish ${id}`,
      );
    });
  const { head } = await project.detail();
  let silent = true;
  if (head > 0 || command.follow)
    for await (const entry of project.follow({ signal: leaving.signal })) {
      const text = command.json ? jsonLine(entry) : describe(entry);
      silent &&= text === "";
      process.stdout.write(text);
      if (!command.follow && entry.seq >= head) break;
    }
  // An imported or checked project has only entries that are not shown to people.
  if (silent && !command.follow)
    process.stderr.write(
      `No turn has run in “${plain(name)}” on this server yet. Turns of “treadle run” are kept apart, for the next run in their folder.\n`,
    );
  return 0;
}

/** Prints a published app's output. @param follow continues until it is aborted; absent: prints what exists */
async function appLog(treadle: Treadle, id: string, follow?: AbortSignal): Promise<number> {
  let from = 0;
  let release: number | undefined;
  for (;;) {
    const { data } = await treadle.api.GET("/api/projects/{id}/publication/log", {
      params: { path: { id }, query: { from } },
    });
    const piece = data!;
    // Another release is live now, with its own log.
    if (release !== undefined && piece.release !== release) from = 0;
    else {
      process.stdout.write(plain(piece.text));
      from = piece.end;
    }
    release = piece.release;
    if (piece.text !== "" && from !== 0) continue;
    if (!follow) return 0;
    await after(POLL_MS, undefined, { signal: follow }).catch(() => undefined);
    if (follow.aborted) return 0;
  }
}

function describe({ event }: LogEntry): string {
  if (event.type === "message") return `\n> ${plain(event.text)}\n\n`;
  // The compacted log of an older run contains its answer as one text.
  if (event.type === "text" && event.whole) return `${plain(event.text)}\n`;
  return narrate(event);
}
