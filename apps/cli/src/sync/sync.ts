import { mkdirSync } from "node:fs";
import { join, matchesGlob } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { TreadleError } from "@treadle/client";
import { connectLocal } from "@treadle/client/local";
import { mayBeKeptInStep } from "@treadle/server/kept-in-step";
import { askToGoOn } from "../terminal/ask-person.ts";
import { findProject } from "../folders/find-project.ts";
import { jsonLine } from "../terminal/json-line.ts";
import { plain } from "../terminal/plain.ts";
import { lockFolder } from "./folder-lock.ts";
import { openFolderSide, OWN } from "./folder-side.ts";
import { keepInStep, type Round, type SyncNews } from "./keep-in-step.ts";
import { createProjectSide } from "./project-side.ts";
import { syncRoot } from "./sync-root.ts";
import { keepSyncState, readSyncState } from "./sync-state.ts";

interface SyncCommand {
  project: string;
  dir: string;
  once: boolean;
  leaveOut: readonly string[];
  removeMany: boolean;
  json: boolean;
  data?: string | undefined;
}

/** Milliseconds between scans of the folder; more if a scan takes long. */
const LOOK_MS = 500;
const LOOK_SHARE = 10;
/** Milliseconds until the next round if something changed during a round. */
const AGAIN_MS = 50;
/** Milliseconds between attempts while the server does not answer, and how long to keep trying. */
const AWAY = { again: 1_000, most: 60_000 };

/** `treadle sync PROJECT DIR`: synchronizes a folder and a project until the user stops it. */
export async function sync(command: SyncCommand): Promise<number> {
  const treadle = connectLocal(command.data);
  const { id, name } = findProject(await treadle.projects(), command.project);
  const root = syncRoot(command.dir, command.data);
  const own = join(root, OWN);
  mkdirSync(own, { recursive: true });
  const before = readSyncState(own);
  if (before && before.project !== id)
    throw new Error(`${root} is synced with another project (${before.project}). Remove ${OWN} in it to start over with this one: if texts differ, both stay. Nothing was changed.`); // prettier-ignore
  const free = lockFolder(own);
  const leaving = new AbortController();
  const leave = () => leaving.abort();
  process.once("SIGINT", leave).once("SIGTERM", leave);
  try {
    const { signal } = leaving;
    return await follow({ command, project: treadle.project(id), name, root, own, base: before?.base ?? new Map<string, string>(), signal }); // prettier-ignore
  } finally {
    leave();
    free();
    process.removeListener("SIGINT", leave).removeListener("SIGTERM", leave);
  }
}

interface Place {
  command: SyncCommand;
  project: ReturnType<ReturnType<typeof connectLocal>["project"]>;
  name: string;
  root: string;
  own: string;
  base: Map<string, string>;
  signal: AbortSignal;
}

async function follow({ command, project, name, root, own, base, signal }: Place): Promise<number> {
  const { once, json } = command;
  const print = (text: string) => {
    if (!json) process.stdout.write(`${plain(text)}\n`);
  };
  const report = (news: SyncNews | { kind: "left-out"; path: string; reason: string }) =>
    json ? void process.stdout.write(jsonLine(news)) : print(sentenceOf(news));
  const isIncluded = (path: string) => mayBeKeptInStep(path) && !command.leaveOut.some((glob) => matchesGlob(path, glob)); // prettier-ignore
  const onLeftOut = (path: string, reason: string) => report({ kind: "left-out", path, reason });
  const folder = await openFolderSide(root, isIncluded, onLeftOut);
  const server = createProjectSide(project, isIncluded, base, onLeftOut);
  let due = Promise.withResolvers<void>();
  let broken: { error: unknown } | undefined;
  const { head } = await project.detail();
  const listening = (async () => {
    for await (const entry of project.follow({ after: head, signal, patienceMs: AWAY.most }))
      if (server.note(entry)) due.resolve();
  })().catch((error: unknown) => {
    broken = { error };
    due.resolve();
  });
  const start = (mayRemoveMany: boolean) => keepInStep({ folder, project: server, base, onNews: report, mayRemoveMany }); // prettier-ignore
  let step = start(command.removeMany);
  let awaySince: number | undefined;
  let isTold = false;
  if (!once) print(`${root} and “${name}” are kept in sync until Ctrl-C.`);
  while (!signal.aborted) {
    if (broken) throw broken.error;
    due = Promise.withResolvers();
    const began = performance.now();
    let round: Round;
    try {
      round = await step.round();
      awaySince = undefined;
    } catch (error) {
      // The server was restarted or is gone.
      if (!(error instanceof TreadleError) || (error.status > 0 && error.status < 500)) throw error; // prettier-ignore
      awaySince ??= began;
      if (began - awaySince > AWAY.most) throw error;
      await pause(AWAY.again, signal);
      continue;
    } finally {
      await keepSyncState(own, { project: project.id, base });
    }
    if (round.held && !isTold) {
      if (!(await mayRemove(round.held, command))) {
        if (!signal.aborted) print(heldSentence(round.held));
        if (once || !process.stdin.isTTY) return 1;
        isTold = true;
      } else step = start(true);
      continue;
    }
    // The confirmation covered these removals only; the next large removal asks again.
    if (!round.held && !command.removeMany) {
      if (isTold || step.mayRemoveMany) step = start(false);
      isTold = false;
    }
    if (round.again) await pause(AGAIN_MS, signal);
    else if (once) break;
    else await Promise.race([due.promise, pause(Math.max(LOOK_MS, (performance.now() - began) * LOOK_SHARE), signal)]); // prettier-ignore
  }
  await folder.settle();
  if (once) print(`${root} and “${name}” are in sync.`);
  void listening;
  return 0;
}

const pause = (ms: number, signal: AbortSignal) =>
  wait(ms, undefined, { signal }).catch(() => undefined);

type Held = NonNullable<Round["held"]>;

/** Asks the user whether the files may be removed; false if nobody can answer. */
async function mayRemove({ from, count }: Held, { once, json }: SyncCommand): Promise<boolean> {
  if (once || json || !process.stdin.isTTY) return false;
  const other = from === "folder" ? "project" : "folder";
  return askToGoOn(
    `${count} files are gone from the ${other}. They will be removed from the ${from} as well.`,
    { input: process.stdin, output: process.stdout },
  );
}

const heldSentence = ({ from, count }: Held) =>
  `${count} files are gone from the ${from === "folder" ? "project" : "folder"}; none of them was removed from the ${from}. Put them back there, or run this again with --remove-many.`;

function sentenceOf(news: SyncNews | { kind: "left-out"; path: string; reason: string }): string {
  switch (news.kind) {
    case "wrote":
      return `${news.to === "folder" ? "→ folder " : "→ project"}  ${news.path}`;
    case "removed":
      return `✕ ${news.from === "folder" ? "folder " : "project"}  ${news.path}`;
    case "conflict":
      return `! both changed ${news.path}: the project's text stands there, yours is in ${news.beside}`;
    case "refused":
      return `! ${news.path} is not synced: ${news.reason}`;
    case "left-out":
      return `  ${news.path} is left out: ${news.reason}`;
  }
}
