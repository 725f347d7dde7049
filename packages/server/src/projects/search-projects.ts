import { headOf } from "@treadle/protocol/safe-text";
import type { FoundEverywhere } from "@treadle/protocol";
import type { ProjectRecord, Store } from "@treadle/store";
import { LOCK_FILES, WorkspaceError } from "@treadle/workspace";
import type { Runtimes } from "../runtime/runtimes.ts";
import { isInsideDigest } from "./is-inside-digest.ts";

/**
 * Limits: messages reported, projects whose files are searched (most recently changed first), lines per project and in
 * total.
 */
const MESSAGES = 30;
const PROJECTS = 50;
const LINES = 10;
const ALL_LINES = 200;
/** Number of lines requested per project, because some are filtered out. */
const ASKED_LINES = 40;
/** Projects searched concurrently, as each needs a sandbox. */
const AT_ONCE = 2;
/** Time limit for all files together, in milliseconds. */
const LONGEST_MS = 30_000;

/**
 * Searches for a text in project names, messages and files, and reports each match as it is found. Projects that were
 * suspended are suspended again.
 * @param files `awake`: only those that need no sandbox of their own
 */
export async function* searchProjects(
  parts: { store: Store; runtimes: Runtimes; isVisible(project: string): boolean },
  { text, files = "all" }: { text: string; files?: "all" | "awake" | undefined },
  signal: AbortSignal,
): AsyncGenerator<FoundEverywhere, void> {
  const { store, runtimes } = parts;
  const all = (await store.projects.list()).filter(({ id }) => parts.isVisible(id));
  const names = new Map(all.map(({ id, name }) => [id, name]));
  const needle = text.normalize("NFC").toLowerCase().trim();
  for (const { id, name } of all)
    if (name.toLowerCase().includes(needle)) yield { kind: "project", project: id, name };
  const { found, more } = await store.search.messages(text, MESSAGES);
  for (const { project, message, excerpt } of found) {
    const name = names.get(project);
    // Messages of deleted projects that can still be restored are left out, and so are those that the person may
    // not see.
    if (name !== undefined) yield { kind: "message", project, name, message, text: excerpt };
  }
  const late = AbortSignal.any([signal, AbortSignal.timeout(LONGEST_MS)]);
  let left = ALL_LINES;
  const looked = all.filter(({ id }) => files === "all" || runtimes.known(id)?.isAwake() === true);
  const next = looked.slice(0, PROJECTS);
  let isMore = more || looked.length > PROJECTS;
  const going = new Map<string, Promise<{ id: string; lines: FoundEverywhere[]; more: boolean }>>();
  const ended = new Promise<undefined>((resolve) =>
    late.addEventListener("abort", () => resolve(undefined), { once: true }),
  );
  while ((next.length > 0 || going.size > 0) && left > 0 && !late.aborted) {
    while (going.size < AT_ONCE && next.length > 0) {
      const project = next.shift()!;
      going.set(project.id, linesOf(runtimes, project, text));
    }
    const one = await Promise.race([ended, ...going.values()]);
    if (!one) break;
    going.delete(one.id);
    isMore ||= one.more || one.lines.length > left;
    for (const line of one.lines.slice(0, left)) yield line;
    left -= one.lines.length;
  }
  yield { kind: "end", more: isMore || next.length > 0 || going.size > 0 };
}

async function linesOf(
  runtimes: Runtimes,
  { id, name }: ProjectRecord,
  text: string,
): Promise<{ id: string; lines: FoundEverywhere[]; more: boolean }> {
  try {
    const runtime = await runtimes.get(id);
    const [slept, used] = [!runtime.isAwake(), runtime.usedAt()];
    // Does not count as use, so that a search keeps nothing awake.
    const workspace = await runtime.holder.open();
    const { matches, more } = await workspace.files.search({
      pattern: text,
      leaveOut: LOCK_FILES,
      limit: ASKED_LINES,
    });
    if (slept && runtime.usedAt() === used && !runtime.isWorking()) await runtime.sleep();
    const meant = matches.filter(({ text: found }) => !isInsideDigest(found, text));
    const lines = meant.slice(0, LINES).map(({ path, line, text: found }): FoundEverywhere => ({
      kind: "line",
      project: id,
      name,
      path,
      line,
      text: headOf(found.trim(), 200),
    }));
    return { id, lines, more: more || meant.length > LINES };
  } catch (error) {
    // A project that cannot be opened is skipped: the person learns of that when they open it.
    const isFull = error instanceof WorkspaceError && error.code === "full";
    return { id, lines: [], more: isFull };
  }
}
