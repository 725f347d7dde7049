import { join } from "node:path";
import { tellFiles } from "@treadle/agent";
import type { ForkedProject } from "@treadle/protocol";
import { createLogFold, type ProjectState } from "@treadle/protocol/fold";
import type { ProjectRecord, Store } from "@treadle/store";
import type { Workspace } from "@treadle/workspace";
import { sentence } from "@treadle/protocol/sentences";
import { ApiFailure, newCapability, newProjectId, notFound } from "@treadle/common";
import { copyKeptFolders } from "../project-context/copy-kept-folders.ts";
import { NAME_LIMIT, plainName } from "../project-context/project-name.ts";
import type { ProjectRuntime } from "../runtime/types.ts";
import type { Runtimes } from "../runtime/runtimes.ts";
import { createForkCut, type Cut } from "./fork-cut.ts";

/** Number of entries held in memory at a time. */
const PAGE = 500;
/** Maximum number of files of a copy that are listed; in a longer list, a missing one may exist. */
const LISTED = 20_000;

interface Parts {
  store: Store;
  runtimes: Runtimes;
  folderOf(project: string): string;
  now(): number;
}

/**
 * Creates a project from another one at a checkpoint (default: its current state): files, checkpoints and
 * conversation up to there. The person's approvals of files apply there too. Everything that grants access is left
 * out: hosts, secrets, approvals of commands, permissions of tool servers, `.env` files and the app's data. The
 * answer lists what was left out.
 * @throws ApiFailure `working` if no checkpoint was given and a turn is active, 404 if the checkpoint does not
 * exist; nothing of the new project remains then
 */
export async function forkProject(
  parts: Parts,
  project: string,
  asked: {
    checkpoint?: string | undefined;
    name?: string | undefined;
    /** The comparison of which it is an attempt. */
    comparison?: string | undefined;
    /** The project of the parallel request for which it is a copy. */
    parallelOf?: string | undefined;
  },
): Promise<ForkedProject> {
  const { store, runtimes } = parts;
  const runtime = await runtimes.get(project);
  const source = await store.projects.get(project);
  if (!source) throw notFound("project");
  const checkpoint = asked.checkpoint ?? (await runtime.keepNow(sentence("before-copy")));
  await store.log.settled();
  const { saved, cut, newest, hosts, approvals, messageIds } = await cutAt(
    store,
    project,
    checkpoint,
  );
  const name = plainName(asked.name ?? "") || `${source.name} (copy)`;
  const at = parts.now();
  const record: ProjectRecord = {
    id: newProjectId(),
    name: name.slice(0, NAME_LIMIT),
    createdAt: at,
    updatedAt: at,
    capability: newCapability(),
    comparison: asked.comparison,
    parallelOf: asked.parallelOf,
    model: source.model,
    planModel: source.planModel,
    dialect: source.dialect,
    demo: source.demo,
    rulesOff: source.rulesOff,
    budget: source.budget,
    staticHosts: source.staticHosts,
    limitPreview: source.limitPreview,
    verdicts: source.verdicts,
    keepsData: source.keepsData,
    runsIn: source.runsIn,
    origin: { project, name: source.name, checkpoint, label: saved.name ?? saved.label },
  };
  const { id } = record;
  await store.projects.create(record);
  try {
    const workspace = await runtime.workspace();
    await workspace.copyCheckpoints(newest, join(parts.folderOf(id), "state"));
    await runtime.copyTrust(id);
    await copyConversation(store, project, id, { ...cut, messageIds });
    await copyKeptFolders(parts.folderOf(project), parts.folderOf(id));
    runtimes.created(record);
    const forked = await runtimes.get(id);
    forked.append({ type: "project-renamed", name: record.name });
    if (hosts.length > 0) forked.append({ type: "hosts-changed", hosts: [] });
    if (approvals)
      forked.append({ type: "approvals-changed", policy: runtimes.defaultApprovals() });
    const { label, revision } = saved;
    const event = { from: project, name: source.name, checkpoint, label, revision };
    forked.append({ type: "project-forked", ...event });
    copyEvidence(runtime.view, forked, revision);
    const last = forked.view.said.get(forked.view.head)?.last;
    if (last) await store.projects.update(id, { lastRun: last });
    await store.log.settled();
    await forked.fill(checkpoint);
    await tellOnlyGiven(store, id, await forked.workspace());
  } catch (error) {
    await runtimes.remove(id).catch(() => undefined);
    throw error;
  }
  const secrets = [...new Set((await store.secrets.list(project)).map(({ name }) => name))];
  const data = (await runtime.workspace()).dataFiles().length > 0;
  const without = { hosts: source.hosts ?? [], secrets, approvals, data };
  return { id, name: record.name, without };
}

/**
 * Adds the evidence that a later look of the original gathered on the copied revision, unless the copy has it
 * already: the copied log ends with the turn that made the revision.
 */
function copyEvidence(from: ProjectState, forked: ProjectRuntime, revision: string): void {
  const seen = from.known.get(revision)?.evidence;
  const copied = forked.view.known.get(revision)?.evidence;
  if (!seen || JSON.stringify(seen) === JSON.stringify(copied)) return;
  forked.append({ type: "look-start" });
  forked.append({ type: "evidence", evidence: seen });
  forked.append({ type: "look-end" });
}

async function cutAt(store: Store, project: string, checkpoint: string) {
  const finder = createForkCut(checkpoint);
  const fold = createLogFold();
  const messageIds = new Set<string>();
  for (let after = 0; ;) {
    const page = await store.log.read(project, after, PAGE);
    for (const entry of page) {
      finder.add(entry);
      if (entry.event.type === "message") messageIds.add(entry.event.message);
      fold.add(entry.event, entry.at);
    }
    const last = page.at(-1);
    if (!last) break;
    after = last.seq;
  }
  const saved = fold.state.checkpoints.findLast((one) => one.checkpoint === checkpoint);
  const cut = saved && finder.cut(saved.head);
  if (!saved || !cut || saved.thinned)
    throw new ApiFailure(
      404,
      "not-found",
      sentence("checkpoint-missing", { thinned: saved?.thinned ? "yes" : "no" }),
    );
  const { allowed: hosts, approvals, checkpoints } = fold.state;
  // The copied log reaches to the end of the turn, so checkpoints are copied up to there, too. Thinned ones no
  // longer exist.
  const there = new Set(checkpoints.filter((one) => !one.thinned).map((one) => one.checkpoint));
  const newest = cut.checkpoints.findLast((one) => there.has(one)) ?? checkpoint;
  return { saved, cut, newest, hosts, approvals: approvals !== undefined, messageIds };
}

/**
 * Copies the log up to the cut, with the messages that it mentions and their answers.
 * @param messageIds all messages that the log mentions, before and after the cut
 */
async function copyConversation(
  store: Store,
  from: string,
  to: string,
  { until, without, messages, messageIds }: Cut & { messageIds: ReadonlySet<string> },
): Promise<void> {
  await store.log.copy(from, to, until, without);
  let stays = true;
  const copied = (await store.messages.list(from)).filter(({ id }) => {
    if (messageIds.has(id)) stays = messages.has(id);
    return stays;
  });
  await Promise.all(copied.map((message) => store.messages.put(to, message)));
}

/**
 * Removes files that the copy was not given (data, secrets) from the lists of what its model knows: otherwise the
 * next briefing would report them as deleted. Does nothing if the copy has too many files to list.
 */
async function tellOnlyGiven(store: Store, project: string, { files }: Workspace): Promise<void> {
  const listed = await files.list({ limit: LISTED });
  if (listed.more) return;
  const given = new Set<string>(listed.files.map(({ path }) => path));
  for (const message of await store.messages.list(project)) {
    const parts = tellFiles(message.parts, given);
    if (parts !== message.parts) await store.messages.put(project, { ...message, parts });
  }
}
