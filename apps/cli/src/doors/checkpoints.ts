import { connectLocal } from "@treadle/client/local";
import { findProject } from "../folders/find-project.ts";
import { jsonLine } from "../terminal/json-line.ts";
import { plain } from "../terminal/plain.ts";
import { askServer } from "./ask-server.ts";

interface CheckpointsCommand {
  project: string;
  from: string | undefined;
  to: string | undefined;
  restore: boolean;
  conversation: boolean;
  json: boolean;
  data?: string | undefined;
}

interface Checkpoint {
  checkpoint: string;
  label: string;
  name?: string;
  at: number;
}

interface Difference {
  path: string;
  kind: "added" | "changed" | "removed";
  binary: boolean;
  diff: string;
  cut?: true;
}

const line = (text: string) => void process.stdout.write(`${text}\n`);

/**
 * `treadle checkpoints PROJECT [FROM [TO]]`: lists checkpoints, shows differences, or restores one.
 */
export async function checkpoints(command: CheckpointsCommand): Promise<number> {
  const { data, json } = command;
  const { id } = findProject(await connectLocal(data).projects(), command.project);
  const at = `/api/projects/${id}`;
  const answer = await askServer(data, `${at}/checkpoints`);
  const { checkpoints: there } = (await answer.json()) as { checkpoints: Checkpoint[] };
  if (command.from === undefined) {
    if (json) for (const one of there) process.stdout.write(jsonLine(one));
    else if (there.length === 0) line("There are no checkpoints yet.");
    else for (const one of there) line(rowOf(one));
    return 0;
  }
  const from = findCheckpoint(there, command.from);
  if (command.restore) {
    const body = JSON.stringify({ checkpoint: from, conversation: command.conversation });
    await askServer(data, `${at}/restore`, { method: "POST", body });
    line(`The files are as at ${from}. Their state before is kept: it is the newest in “treadle checkpoints”.`); // prettier-ignore
    return 0;
  }
  const to = command.to === undefined ? "" : `&to=${findCheckpoint(there, command.to)}`;
  const differing = await askServer(data, `${at}/changes?from=${from}${to}`);
  const { files } = (await differing.json()) as { files: Difference[] };
  if (json) for (const file of files) process.stdout.write(jsonLine(file));
  else if (files.length === 0) line("Nothing differs.");
  else for (const file of files) line(differenceOf(file));
  return 0;
}

const rowOf = ({ checkpoint, label, name, at }: Checkpoint) =>
  `${checkpoint}  ${new Date(at).toISOString().slice(0, 16).replace("T", " ")}  ${plain(name === undefined ? label : `${name} (${label})`)}`;

/** A difference in patch format, for people and for `patch`. */
function differenceOf({ path, kind, binary, diff, cut }: Difference): string {
  const head = `${plain(path)}: ${kind}`;
  if (binary) return `${head}, not text`;
  if (cut) return `${head}, too long to be shown beside the others`;
  return `${head}\n${plain(diff)}`;
}

/** Finds a checkpoint by its id, the beginning of it, or a name. @throws Error with a sentence unless one matches */
function findCheckpoint(there: readonly Checkpoint[], meant: string): string {
  const exact = there.filter(({ checkpoint, name }) => checkpoint === meant || name === meant);
  const found = exact.length > 0 ? exact : there.filter((one) => one.checkpoint.startsWith(meant));
  if (found.length === 1) return found[0]!.checkpoint;
  if (found.length > 1)
    throw new Error(`${found.length} checkpoints could be “${meant}”. Give the whole id. Nothing was changed.`); // prettier-ignore
  throw new Error(`There is no checkpoint “${meant}”; “treadle checkpoints PROJECT” lists them. Nothing was changed.`); // prettier-ignore
}
