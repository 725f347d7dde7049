import type { ProjectPath } from "@treadle/protocol";
import { WorkspaceError } from "@treadle/workspace";
import type { KeptAttempt, KeptComparison } from "./comparison-list.ts";
import type { AttemptParts, AttemptProjects } from "./ports.ts";

/**
 * Creates an attempt's project: a copy of the project in which it was requested, or a new one. Allows the hosts and
 * copies the files of the request. Rejects like these operations.
 */
export async function makeProject(
  parts: AttemptParts,
  comparison: KeptComparison,
  attempt: KeptAttempt,
): Promise<string> {
  const project = await copyOrNew(parts, comparison, attempt);
  for (const host of comparison.terms?.hosts ?? []) await parts.projects.allowHost(project, host);
  if (comparison.project !== undefined && comparison.files)
    await copyFiles(parts.projects, comparison.project, project, comparison.files);
  return project;
}

/** Copies files into an attempt's project as the person's own; files that no longer exist are left out. */
async function copyFiles(
  projects: AttemptProjects,
  from: string,
  to: string,
  paths: readonly ProjectPath[],
): Promise<void> {
  const [home, copy] = [await projects.get(from), await projects.get(to)];
  const { files } = await home.workspace();
  const persons = await copy.personFiles();
  for (const path of paths)
    try {
      await persons.write(path, (await files.readStream(path)).pieces);
    } catch (error) {
      if (!(error instanceof WorkspaceError && error.code === "missing")) throw error;
    }
}

async function copyOrNew(
  parts: AttemptParts,
  { id, project, checkpoint, text, parallel }: KeptComparison,
  { model }: KeptAttempt,
): Promise<string> {
  if (project === undefined)
    return (await parts.projects.create({ text, model, comparison: id })).id;
  const source = await parts.store.projects.get(project);
  const parallelOf = parallel ? project : undefined;
  const asked = { checkpoint, name: source?.name, comparison: id, parallelOf };
  return (await parts.projects.fork(project, asked)).id;
}

/**
 * Sends the message to an attempt.
 * @returns its run, and the number of the last log entry before it
 */
export async function ask(
  { store, projects }: Pick<AttemptParts, "store" | "projects">,
  { text, pictures, terms }: KeptComparison,
  { model }: KeptAttempt,
  project: string,
): Promise<{ run: string; after: number }> {
  await store.log.settled();
  const after = await store.log.head(project);
  const { approve, limits } = terms ?? {};
  const sent = pictures ? { pictures } : {};
  const { run } = await projects.queueMessage(project, { text, model, approve, limits, ...sent });
  return { run, after };
}

/** Resolves when a run has ended for any reason, or the signal is aborted. Never rejects. */
export function endOf(
  { store }: Pick<AttemptParts, "store">,
  project: string,
  { run, after }: { run: string; after: number },
  signal: AbortSignal,
): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      stop();
      signal.removeEventListener("abort", done);
      resolve();
    };
    const stop = store.log.follow(project, after, (entries) => {
      if (entries.some(({ event }) => event.type === "run-end" && event.run === run)) done();
    });
    signal.addEventListener("abort", done, { once: true });
    if (signal.aborted) done();
  });
}
