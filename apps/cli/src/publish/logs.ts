import { setTimeout as after } from "node:timers/promises";
import { TreadleError, type Treadle } from "@treadle/client";
import { connectLocal } from "@treadle/client/local";
import type { LogEntry } from "@treadle/protocol";
import { findProject } from "../folders/find-project.ts";
import { jsonLine } from "../terminal/json-line.ts";
import { narrate } from "../terminal/narrate.ts";
import { plain } from "../terminal/plain.ts";

/** How often an app is asked for more, in milliseconds. */
const POLL_MS = 500;

interface LogsCommand {
  project: string;
  follow: boolean;
  /** What the published app prints. */
  app: boolean;
  json: boolean;
  data?: string | undefined;
}

/** `treadle logs PROJECT`: what happened, as people read it or as one entry a line; with --follow what happens. */
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

/** @param follow until it is aborted; absent: what there is */
async function appLog(treadle: Treadle, id: string, follow?: AbortSignal): Promise<number> {
  let from = 0;
  let release: number | undefined;
  for (;;) {
    const { data } = await treadle.api.GET("/api/projects/{id}/publication/log", {
      params: { path: { id }, query: { from } },
    });
    const piece = data!;
    // Another release answers now, and has a log of its own.
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
  // The log of a run that ended long ago has its answer as one whole text.
  if (event.type === "text" && event.whole) return `${plain(event.text)}\n`;
  return narrate(event);
}
