import { createReadStream } from "node:fs";
import { basename, resolve } from "node:path";
import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { plain } from "../terminal/plain.ts";
import { askServer } from "./ask-server.ts";
import { whatItIs } from "./what-it-is.ts";
import { zipFolder } from "./zip-folder.ts";

interface ImportCommand {
  what: string;
  name: string | undefined;
  branch: string | undefined;
  local: boolean;
  data?: string | undefined;
}

interface Imported {
  id: string;
  name?: string;
  files?: number;
  entries?: number;
  notes?: string[];
}

/** Maximum number of links that are listed. */
const NAMED = 10;
const BYTES = "application/octet-stream";
const print = (text: string) => void process.stdout.write(`${plain(text)}\n`);

/**
 * `treadle import WHAT`: creates a project from a folder, a ZIP, a repository, a chat of bolt's or
 * a log.
 */
export async function importProject(command: ImportCommand): Promise<number> {
  const { what, data } = command;
  const kind = await whatItIs(what);
  const bytes = () => createReadStream(what) as AsyncIterable<Uint8Array>;
  const send = async (path: string, body: AsyncIterable<Uint8Array>) =>
    (await askServer(data, path, { method: "POST", body, type: BYTES })).json();
  const named = (otherwise: string) =>
    `/api/import?name=${encodeURIComponent(command.name ?? otherwise)}`;
  switch (kind) {
    case "folder": {
      const folder = resolve(what);
      const left: string[] = [];
      const zip = zipFolder(folder, (path) => left.push(path));
      const imported = (await send(named(basename(folder)), zip)) as Imported;
      const more = left.length > NAMED ? ` and ${left.length - NAMED} more` : "";
      const notes = left.length === 0 ? [] : [`Left out, because they are links or not files: ${left.slice(0, NAMED).join(", ")}${more}.`]; // prettier-ignore
      return printImported({ ...imported, notes });
    }
    case "zip":
      return printImported(
        (await send(named(basename(what).replace(/\.zip$/i, "")), bytes())) as Imported,
      );
    case "log":
      return printImported((await send("/api/import/log", bytes())) as Imported);
    case "chat": {
      const { projects } = (await send("/api/import/chat", bytes())) as { projects: Imported[] };
      for (const project of projects) printImported(project);
      return 0;
    }
    case "git":
      return printImported(await importRepository(command));
  }
}

async function importRepository({ what, name, branch, local, data }: ImportCommand) {
  const response = await askServer(data, "/api/import/git", {
    method: "POST",
    body: JSON.stringify({ url: what, name, branch, local }),
  });
  let doing = "";
  for await (const line of createInterface({
    input: Readable.from(response.body as AsyncIterable<Uint8Array>),
  })) {
    const progress = JSON.parse(line) as Partial<Imported> & {
      doing?: string;
      error?: { code: string; message: string };
    };
    if (progress.error?.code === "git-local")
      throw new Error(`${progress.error.message} --local confirms it.`);
    if (progress.error) throw new Error(progress.error.message);
    if (progress.id !== undefined) return progress as Imported;
    if (progress.doing !== undefined && progress.doing !== doing) {
      ({ doing } = progress);
      process.stderr.write(`${plain(doing)}…\n`);
    }
  }
  throw new Error("The server ended before the repository had arrived. Nothing was imported.");
}

function printImported({ id, name, files, entries, notes = [] }: Imported): number {
  const held =
    files === undefined
      ? `${entries} ${entries === 1 ? "entry" : "entries"} of its log`
      : `${files} ${files === 1 ? "file" : "files"}`;
  print(`${name === undefined ? "It is" : `${name}:`} the project ${id}, with ${held}. See it with “treadle open ${id}”.`); // prettier-ignore
  for (const note of notes) print(`  ${note}`);
  return 0;
}
