import { connectLocal } from "@treadle/client/local";
import type { LogEntry } from "@treadle/protocol";
import { findProject } from "./find-project.ts";
import { jsonLine } from "./json-line.ts";
import { narrate } from "./narrate.ts";
import { plain } from "./plain.ts";

interface LogsCommand {
  project: string;
  follow: boolean;
  json: boolean;
  data?: string | undefined;
}

/** `treadle logs PROJECT`: what happened, as people read it or as one entry a line; with --follow what happens. */
export async function logs(command: LogsCommand): Promise<number> {
  const treadle = connectLocal(command.data);
  const { id } = findProject(await treadle.projects(), command.project);
  const project = treadle.project(id);
  const leaving = new AbortController();
  const leave = () => leaving.abort();
  process.once("SIGINT", leave).once("SIGTERM", leave);
  const { head } = await project.detail();
  if (head === 0 && !command.follow) return 0;
  for await (const entry of project.follow({ signal: leaving.signal })) {
    process.stdout.write(command.json ? jsonLine(entry) : told(entry));
    if (!command.follow && entry.seq >= head) break;
  }
  return 0;
}

function told({ event }: LogEntry): string {
  if (event.type === "message") return `\n> ${plain(event.text)}\n\n`;
  // Of a run that is long over, its answer stands there as a whole.
  if (event.type === "text" && event.whole) return `${plain(event.text)}\n`;
  return narrate(event);
}
