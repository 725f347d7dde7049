import { mkdirSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { Evidence } from "@treadle/protocol";
import type { Treadle } from "@treadle/server";
import { copyMade } from "@treadle/common/copy-made";
import { removeTree } from "@treadle/workspace/remove-tree";
import type { Command } from "../arguments/read-arguments.ts";
import { ensureSandbox } from "../folders/ensure-sandbox.ts";
import { EXIT } from "../terminal/exit-status.ts";
import { jsonLine } from "../terminal/json-line.ts";
import { openFolder } from "../folders/open-folder.ts";
import { plain } from "../terminal/plain.ts";
import { sentence } from "../terminal/sentence.ts";

/** Folders that npm recreates, or that only concern this machine. */
const MADE = new Set(["node_modules", ".git"]);
/** Maximum number of pictures of one app. */
const MOST_PICTURES = 20;

/**
 * `treadle bench hand-over`: writes a built folder's files for FullStack-Bench's judges. Its
 * database contains no rows of checks, which run on copies.
 */
export async function handOver(
  command: Extract<Command, { kind: "bench" }> & { of: "hand-over" },
): Promise<number> {
  const notice = (text: string) => process.stderr.write(`${plain(text)}\n`);
  const directory = resolve(command.folder);
  if (!statSync(directory, { throwIfNoEntry: false })?.isDirectory()) {
    notice(`There is no folder ${directory}. Name the folder that holds the project.`);
    return EXIT.usage;
  }
  if (!command.unsafe && !(await ensureSandbox(notice))) return EXIT.usage;
  const [out, logs] = [resolve(command.out), resolve(command.logs)];
  mkdirSync(logs, { recursive: true });
  const { data, unsafe } = command;
  const treadle = await openFolder(directory, { data, unsafe, onNotice: notice }); // prettier-ignore
  let databaseError: string | undefined;
  let pictures = 0;
  try {
    const { id: project } = await treadle.projects.open({ directory });
    databaseError = await writeDatabase(treadle, project, join(logs, "db"));
    pictures = await writePictures(treadle, project, logs);
    await treadle.projects.release(project);
  } finally {
    await treadle.close();
  }
  await removeTree(out);
  mkdirSync(dirname(out), { recursive: true });
  await copyMade(directory, out, MADE);
  if (databaseError !== undefined) notice(`No database was handed over: ${databaseError}`);
  if (command.json) process.stdout.write(jsonLine({ type: "result", pictures, databaseError }));
  else process.stdout.write(`Handed over to ${plain(out)} and ${plain(logs)}.\n`);
  return databaseError === undefined ? 0 : 1;
}

/** Writes the project's PostgreSQL data directory. @returns why that failed, as a sentence; undefined if it did not */
async function writeDatabase(
  treadle: Treadle,
  project: string,
  folder: string,
): Promise<string | undefined> {
  try {
    await removeTree(folder);
    await treadle.exportDataDirectory(project, folder, { version: 14 });
    return undefined;
  } catch (error) {
    return sentence(error);
  }
}

/** Writes the latest screenshots of the pages. */
async function writePictures(treadle: Treadle, project: string, folder: string): Promise<number> {
  const evidence = await lastEvidence(treadle, project);
  const hashes = evidence?.pages.flatMap(({ picture }) => picture?.hash ?? []) ?? [];
  let written = 0;
  for (const hash of hashes.slice(0, MOST_PICTURES)) {
    const picture = await treadle.projects.picture(project, hash);
    if (!picture) continue;
    written++;
    const ending = picture.type === "image/png" ? "png" : "jpg";
    writeFileSync(join(folder, `look-${written}.${ending}`), picture.bytes);
  }
  return written;
}

function lastEvidence(treadle: Treadle, project: string): Promise<Evidence | undefined> {
  return new Promise((resolve, reject) => {
    treadle.projects.head(project).then((head) => {
      let evidence: Evidence | undefined;
      if (head === 0) return resolve(undefined);
      const stop = treadle.projects.follow(project, 0, (entries) => {
        for (const { seq, event } of entries) {
          if (event.type === "evidence") evidence = event.evidence;
          if (seq < head) continue;
          queueMicrotask(() => stop());
          resolve(evidence);
        }
      });
      return undefined;
    }, reject);
  });
}
