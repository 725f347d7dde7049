import { createWriteStream } from "node:fs";
import { rm } from "node:fs/promises";
import { resolve } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { connectLocal } from "@treadle/client/local";
import { findProject } from "../folders/find-project.ts";
import { plain } from "../terminal/plain.ts";
import { askServer } from "./ask-server.ts";

interface ExportCommand {
  project: string;
  file: string | undefined;
  form: keyof typeof FORMS;
  withoutSecrets: boolean;
  /** Whether to add files for running it in a container. */
  docker: boolean;
  data?: string | undefined;
}

/** The path and file extension of each format. */
const FORMS = {
  zip: { path: "export.zip", end: "zip" },
  markdown: { path: "conversation.md", end: "md" },
  json: { path: "conversation.json", end: "json" },
  log: { path: "log.jsonl", end: "jsonl" },
  transcript: { path: "transcript.jsonl", end: "transcript.jsonl" },
} as const;

/** `treadle export PROJECT [FILE]`: exports a project's files, chat or log to a new file. */
export async function exportProject(command: ExportCommand): Promise<number> {
  const { form, withoutSecrets, docker, data } = command;
  const { id, name } = findProject(await connectLocal(data).projects(), command.project);
  const { path, end } = FORMS[form];
  const secrets = form === "zip" && !withoutSecrets;
  const query = new URLSearchParams({ ...(secrets && { secrets: "true" }), ...(docker && { container: "true" }) }); // prettier-ignore
  const response = await askServer(data, `/api/projects/${id}/${path}?${query.toString()}`);
  const content = Readable.from(response.body as AsyncIterable<Uint8Array>);
  if (command.file === "-") {
    await pipeline(content, process.stdout, { end: false });
    return 0;
  }
  const file = resolve(command.file ?? `${fileName(name)}.${end}`);
  await write(content, file, secrets);
  const note = secrets ? " It contains any .env files, so keep it as safe as those." : ""; // prettier-ignore
  process.stdout.write(`${plain(name)} is in ${plain(file)}.${note}\n`);
  return 0;
}

/** A file name that is valid on every system. */
const fileName = (name: string) =>
  // oxlint-disable-next-line no-control-regex -- control characters are what is taken out
  name.replace(/[\u0000-\u001f/\\:*?"<>|]+/g, "-").replace(/^[.\s-]+|[.\s]+$/g, "").slice(0, 80) || "project"; // prettier-ignore

/** Writes a new file, and removes it if that fails. @throws Error with a sentence, also if the file exists */
async function write(content: Readable, file: string, secret: boolean): Promise<void> {
  const target = createWriteStream(file, { flags: "wx", mode: secret ? 0o600 : 0o666 });
  try {
    await pipeline(content, target);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST")
      throw new Error(`${file} already exists and was not overwritten. Name another file.`);
    await rm(file, { force: true });
    throw new Error(`Nothing was exported: ${(error as Error).message}.`);
  }
}
