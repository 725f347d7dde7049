import { readdirSync } from "node:fs";
import { resolve } from "node:path";
import type { Treadle } from "@treadle/server";
import type { Command } from "../arguments/read-arguments.ts";
import { askToGoOn, type Terminal } from "../terminal/ask-person.ts";
import { ensureSandbox } from "../folders/ensure-sandbox.ts";
import { openFolder } from "../folders/open-folder.ts";
import { plain } from "../terminal/plain.ts";
import { projectFolder } from "../folders/project-folder.ts";

export type RunCommand = Extract<Command, { kind: "run" }>;

/** The environment of a run. */
export interface RunPlace {
  treadle: Treadle & { url: string };
  /** The project of the folder. */
  project: string;
  /** Absolute path. */
  directory: string;
  terminal: Terminal;
  /** Whether a person can be asked. */
  isThere: boolean;
  /** Prints a message besides the run's output. */
  notice(text: string): void;
  /** Sets what prints such messages while the terminal is drawn on; undefined: they are written directly. */
  noticeBy(line: ((text: string) => void) | undefined): void;
}

/**
 * Opens the folder to build in as its project, with the permissions given on the command line.
 * @returns undefined if the run cannot start; the reason has been printed
 */
export async function prepareRun(command: RunCommand): Promise<RunPlace | undefined> {
  let by: ((text: string) => void) | undefined;
  const notice = (text: string) => {
    if (by && process.stderr.isTTY) by(plain(text));
    else process.stderr.write(`${plain(text)}\n`);
  };
  if (!command.unsafe && !(await ensureSandbox(notice))) return undefined;
  const directory = resolve(command.dir ?? ".");
  const folder = projectFolder(directory);
  if ("wrong" in folder) {
    notice(`${folder.wrong} Nothing was started.`);
    return undefined;
  }
  if (folder.made) notice(`Made the folder ${plain(directory)}.`);
  const { data, unsafe } = command;
  const terminal = { input: process.stdin, output: process.stderr };
  const isThere = !command.json && process.stdin.isTTY && process.stderr.isTTY;
  const treadle = await openFolder(directory, { data, unsafe, onNotice: notice });
  try {
    const { model, planModel, dialect } = command;
    const { id: project } = await treadle.projects.open({ directory, model, planModel, dialect });
    for (const host of command.allowHosts) await treadle.settings.allowHost(project, host);
    if (command.acceptRules) await treadle.projects.acceptChanged(project);
    const isFirst = (await treadle.projects.head(project)) === 0;
    const noticeBy = (line: typeof by) => void (by = line);
    const place = { treadle, project, directory, terminal, isThere, notice, noticeBy };
    if (!isThere || !isFirst || command.plan || readdirSync(directory).length === 0) return place;
    const text = `${directory} already holds files. Treadle works on them in place, and first keeps them as a checkpoint.`;
    if (await askToGoOn(text, terminal)) return place;
    notice("Nothing was started.");
  } catch (error) {
    await treadle.close();
    throw error;
  }
  await treadle.close();
  return undefined;
}
