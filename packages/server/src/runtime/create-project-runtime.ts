import type { TodoItem } from "@treadle/protocol";
import { verdictOf, type LogFold } from "@treadle/protocol/fold";
import type { ProjectRecord } from "@treadle/store";
import { ApiFailure, notFound } from "../common/api-failure.ts";
import { checkNow } from "../evidence/check-now.ts";
import { compactConversation } from "../runs/compact-conversation.ts";
import { policyOf } from "../runs/approvals.ts";
import { readAnswer } from "../runs/read-answer.ts";
import { newMessageId, newRunId } from "../project/ids.ts";
import { createTerminals } from "../terminals/project-terminals.ts";
import { createRunQueue } from "../runs/run-queue.ts";
import { applyReport } from "../evidence/apply-report.ts";
import { takeBackServed } from "../evidence/take-back.ts";
import { trustOf } from "./trust-of.ts";
import type { ProjectContext, RuntimeParts } from "../project/types.ts";
import type { ProjectRuntime } from "./project-runtime.ts";
import { canRun } from "../workspace/can-run.ts";
import { serverSleep } from "../workspace/server-sleep.ts";
import { projectFolder, terminalFolder } from "../project/project-folder.ts";
import { holdWorkspace } from "../workspace/workspace-holder.ts";

export function createProjectRuntime(
  record: ProjectRecord,
  fold: LogFold,
  parts: RuntimeParts,
  /** Puts another project to sleep that nobody uses. @returns whether there was one */
  makeRoom?: () => Promise<boolean>,
): ProjectRuntime {
  const { id } = record;
  const view = fold.state;
  const { store } = parts;
  const trust = trustOf(parts, id);
  let kept = record.standing;
  let keeping = Promise.resolve();
  /** The list of projects asks for it without reading logs. */
  const keepStanding = () => {
    // What a look has seen so far is no verdict.
    if (view.look) return;
    const verdict = verdictOf(view)?.verdict;
    if (verdict === kept) return;
    kept = verdict;
    keeping = Promise.all([keeping, store.projects.update(id, { standing: verdict })]).then(
      () => {},
      (error: Error) => parts.onNotice(error.message),
    );
  };
  const isLooking = () => queue.isWorking() || checking !== undefined;
  const base: Omit<ProjectContext, "workspace"> = {
    id,
    parts,
    view,
    trust,
    readTerminal: (name) => terminals.read(name),
    append(event) {
      store.log.append(id, event);
      fold.add(event, parts.clock.now());
      keepStanding();
      // What happens while a run or a look goes on, that one sees; what outlasts it is seen at its end.
      if (event.type === "server" && !isLooking()) takeBackServed(base, event.server);
    },
    async record() {
      const found = await store.projects.get(id);
      if (!found) throw notFound("project");
      return found;
    },
  };
  const holder = holdWorkspace(base, {
    isWorking: () => queue.isWorking(),
    isWaking: () => sleep.isWaking(),
    ...(makeRoom && { makeRoom }),
  });
  const context: ProjectContext = { ...base, workspace: () => holder.open() };
  const sleep = serverSleep(base, () => holder.open());
  const terminals = createTerminals({
    open: () => holder.open(),
    folder: terminalFolder(projectFolder(parts.dataDirectory, id)),
    onUse: () => (used = parts.clock.now()),
  });
  const queue = createRunQueue(
    context,
    async () => {
      await store.projects.update(id, { updatedAt: parts.clock.now() });
      if (view.server && !isLooking()) takeBackServed(base, view.server);
      await store.log.compact(id);
    },
    record.queue,
    async () => restoring,
  );
  /** Files are being put back: no run begins meanwhile. */
  let restoring: Promise<void> | undefined;
  let checking: { controller: AbortController; done: Promise<void> } | undefined;

  const closers = new Set<() => void>();
  let watching = 0;
  const isUsed = () =>
    closers.size > 0 ||
    watching > 0 ||
    checking !== undefined ||
    queue.isBusy() ||
    terminals.watched();
  let used = parts.clock.now();

  /** What ran until its files were gone back from. */
  let backedFrom: string | undefined;
  const startServer = (command: string) => {
    const starting = holder.open().then((workspace) => workspace.start(command));
    starting.catch((error: Error) => parts.onNotice(`${command} did not start: ${error.message}`));
  };

  const refuseWhileWorking = () => {
    if (queue.isWorking() || checking || restoring)
      throw new ApiFailure(
        409,
        "working",
        "The project is being worked on. Stop that first, or wait.",
      );
  };

  async function restore(checkpoint: string): Promise<void> {
    await queue.quiet();
    const workspace = await holder.open();
    const kept = await workspace.checkpoint("Before going back");
    if (!view.checkpoints.some(({ checkpoint: one }) => one === kept.checkpoint))
      context.append({
        type: "checkpoint",
        checkpoint: kept.checkpoint,
        revision: kept.revision,
        label: kept.label,
      });
    trust.restoring();
    const { server } = workspace;
    const isOn = server?.state === "up" || server?.state === "starting";
    const restored = await workspace.restore(checkpoint);
    // Files that it lives on may be gone: it would only fail, again and again.
    if (server && !(await canRun(workspace, server.command))) {
      await workspace.stopServer();
      if (isOn) backedFrom = server.command;
    } else if (backedFrom !== undefined && (await canRun(workspace, backedFrom))) {
      if (!isOn) startServer(backedFrom);
      backedFrom = undefined;
    }
    await trust.restored({ workspace, lastRun: (await context.record()).lastRun });
    context.append({
      type: "restored",
      checkpoint: restored.checkpoint,
      revision: restored.revision,
      label: restored.label,
    });
    await store.log.settled();
  }

  return {
    id,
    view,
    holder,
    terminals,
    isWorking: () => queue.isWorking(),
    workspace() {
      used = parts.clock.now();
      return holder.open();
    },
    append: context.append,
    async takeBack(message) {
      if (!(await queue.remove(message))) throw notInLine();
    },
    async sendNow(message) {
      if (!(await queue.sendNow(message))) throw notInLine();
    },
    async answer(question, given) {
      const answer = await readAnswer(context, question, given);
      queue.answer(answer);
    },
    async allow(policy) {
      context.append({ type: "approvals-changed", policy });
      await store.log.settled();
    },
    policy: () => policyOf(context),
    async leaveTodo(before, items) {
      if (listText(before) !== listText(view.todo ?? []))
        throw new ApiFailure(
          409,
          "changed",
          "The list was changed meanwhile. Nothing was replaced; look at it again.",
        );
      context.append({ type: "todo", by: "person", items });
      await store.log.settled();
    },
    async send({ text, model, mode, approve, limits, pictures, open, fix, plan }) {
      // A look that goes on would see the files move.
      checking?.controller.abort(new DOMException("A turn begins.", "AbortError"));
      const item = {
        message: newMessageId(),
        run: newRunId(),
        text,
        model,
        ...(mode === "plan" ? { mode } : {}),
        ...(approve ? { approve } : {}),
        ...(limits ? { limits } : {}),
        ...(pictures?.length ? { pictures } : {}),
        ...(open ? { open } : {}),
        ...(fix ? { fix } : {}),
        ...(plan ? { plan } : {}),
      };
      const { queued } = await queue.add(item);
      return { message: item.message, run: item.run, queued };
    },
    async stop() {
      checking?.controller.abort(new DOMException("Stopped by the person.", "AbortError"));
      await Promise.all([queue.stopCurrent(), checking?.done]);
    },
    check({ asked } = { asked: true }) {
      refuseWhileWorking();
      const controller = new AbortController();
      const done = checkNow(context, controller.signal, asked)
        .catch((error: Error) => {
          if (!controller.signal.aborted) parts.onNotice(`A look failed: ${error.message}`);
        })
        .finally(() => {
          checking = undefined;
          takeBackServed(base, view.server);
        });
      checking = { controller, done };
    },
    async compact(model) {
      refuseWhileWorking();
      if (view.question) throw new ApiFailure(409, "working", "A turn waits for your answer.");
      const controller = new AbortController();
      const work = compactConversation(context, model, controller.signal);
      // A message that is sent meanwhile ends it, as it ends a look.
      const done = work.then(
        () => undefined,
        () => undefined,
      );
      checking = { controller, done };
      try {
        return await work;
      } catch (error) {
        if (!controller.signal.aborted) throw error;
        throw new ApiFailure(409, "working", "A turn began, so nothing was summed up.");
      } finally {
        checking = undefined;
      }
    },
    startServer,
    onClose(listener) {
      closers.add(listener);
      return () => closers.delete(listener);
    },
    async restore(checkpoint) {
      refuseWhileWorking();
      const done = restore(checkpoint);
      restoring = done.catch(() => undefined).finally(() => (restoring = undefined));
      return done;
    },
    personFiles: async () => trust.personFiles(await holder.open()),
    async agreeChecks(revision) {
      refuseWhileWorking();
      const workspace = await holder.open();
      if (revision !== undefined && (await workspace.revision()) !== revision)
        throw new ApiFailure(
          409,
          "changed",
          "The files changed again meanwhile. Nothing was agreed to; check again and look at them once more.",
        );
      await trust.checks.agree(workspace);
    },
    changedUnasked: async () => trust.changed(await holder.open()),
    isAccepted: trust.isAccepted,
    async useVersion(path, version, left) {
      await trust.use(await holder.open(), path, version, left);
      context.append({ type: "obeyed-accepted", path, version });
      await store.log.settled();
    },
    onReport: (report) => applyReport(context, report, isLooking()),
    idle: () => queue.idle(),
    usedAt: () => (isUsed() ? parts.clock.now() : used),
    wake() {
      used = parts.clock.now();
      // A run looks after the server itself.
      return queue.isBusy() ? Promise.resolve() : sleep.wake();
    },
    watch() {
      watching++;
      let over = false;
      return () => {
        if (!over) watching--;
        over = true;
        used = parts.clock.now();
      };
    },
    lie: () => sleep.lie(),
    isAwake: () => holder.isOpen(),
    async sleep() {
      await Promise.all([parts.mcp?.rest(id), holder.release(), terminals.clear()]);
      sleep.lie();
    },
    async close() {
      checking?.controller.abort(new DOMException("Treadle is stopping.", "AbortError"));
      await Promise.all([queue.close(), checking?.done]);
      await Promise.all([parts.mcp?.rest(id), holder.release(), terminals.clear()]);
      for (const listener of closers) listener();
      closers.clear();
      await keeping;
    },
  };
}

/** A list as something that can be compared. */
const listText = (items: readonly TodoItem[]) =>
  JSON.stringify(items.map(({ text, status }) => [text, status]));

const notInLine = () =>
  new ApiFailure(
    409,
    "not-queued",
    "This cannot be done any more, or not yet: the message was told, its turn has begun, or it is only to be planned while this turn builds.",
  );
