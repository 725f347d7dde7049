import type { LogFold } from "@treadle/protocol/fold";
import type { ProjectRecord } from "@treadle/store";
import { createActivity } from "../project-context/project-activity.ts";
import { sentence } from "@treadle/protocol/sentences";
import { ApiFailure, notFound } from "@treadle/common";
import { applyReport } from "../evidence/apply-report.ts";
import { agreeToAsked } from "../evidence/agree-asked.ts";
import { checkNow, type CheckOptions } from "../evidence/check-now.ts";
import { createLookStops } from "../project-context/look-stops.ts";
import { takeBackServed } from "../evidence/take-back.ts";
import { projectFolder, terminalFolder } from "../project-context/project-folder.ts";
import type { ProjectContext, RuntimeParts } from "../project-context/project-context.ts";
import { compactConversation } from "../runs/compact-conversation.ts";
import { createProjectMessages } from "../runs/project-messages.ts";
import { createRunQueue } from "../runs/run-queue.ts";
import { createTerminals } from "@treadle/terminals";
import { serverSleep } from "../workspace/server-sleep.ts";
import { holdWorkspace } from "../workspace/workspace-holder.ts";
import type { ProjectRuntime } from "./types.ts";
import { createKeptHistory } from "./kept-history.ts";
import { createKeptStanding } from "./kept-standing.ts";
import { createProjectUse } from "./project-use.ts";
import { createPersonPage } from "../project-context/person-page.ts";
import { keepCheckpoint } from "@treadle/workspace";
import { prepareStart } from "./prepare-start.ts";
import { createRestore, fillFrom } from "./restore-files.ts";
import { takeTurns } from "./take-turns.ts";
import { trustOf } from "./trust-of.ts";

export function createProjectRuntime(
  record: ProjectRecord,
  fold: LogFold,
  parts: RuntimeParts,
): ProjectRuntime {
  const { id } = record;
  const view = fold.state;
  const { store } = parts;
  const trust = trustOf(parts, id);
  const activity = createActivity();
  const personPage = createPersonPage(parts.clock);
  const lookStops = createLookStops();
  const standing = createKeptStanding(record, view, store.projects, parts.onNotice);
  const base: Omit<ProjectContext, "workspace"> = {
    id,
    parts,
    view,
    trust,
    lookStops,
    readTerminal: (name, person) => terminals.read(name, person),
    append(event) {
      // An event that the log does not accept must not change the view, which a restart would
      // revert.
      if (!store.log.append(id, event)) return;
      fold.add(event, parts.clock.now());
      parts.onLogged?.(id, event);
      standing.follow();
      if (event.type === "server" && event.server.state === "up")
        personPage.serverUp(event.server.since);
      // An active run or check observes its own changes. Changes that outlast it are observed when it ends.
      if (event.type === "server" && !activity.isWatched()) takeBackServed(base, event.server);
    },
    async record() {
      const found = await store.projects.get(id);
      if (!found) throw notFound("project");
      return found;
    },
  };
  const takeBackWhatEnded = () => {
    if (!activity.isWatched()) takeBackServed(base, view.server);
  };
  const holder = holdWorkspace(base, {
    isWorking: () => activity.isRunning(),
    isWaking: () => sleep.isWaking(),
  });
  const context: ProjectContext = { ...base, workspace: () => holder.open() };
  const sleep = serverSleep(base, () => holder.open());
  const terminals = createTerminals({
    open: () => holder.open(),
    folder: terminalFolder(projectFolder(parts.dataDirectory, id)),
    onUse: () => use.used(),
  });
  const use = createProjectUse(
    () => parts.clock.now(),
    () => activity.isBusy() || terminals.watched(),
  );
  const history = createKeptHistory(context);
  const afterRun = async () => {
    await store.projects.update(id, { updatedAt: parts.clock.now() });
    takeBackWhatEnded();
    await store.log.compact(id);
    void history.thin();
  };
  const queue = createRunQueue(context, activity, afterRun, record.queue);
  const startServer = (command: string) => {
    const starting = holder.open().then(async (workspace) => {
      // An active turn prepares its own starts.
      if (!activity.isRunning() && !(await prepareStart(context, workspace, command))) return;
      await workspace.start(command);
    });
    starting.catch((error: Error) => parts.onNotice(`${command} did not start: ${error.message}`));
  };
  const restore = createRestore(context, startServer);
  const look = (options: CheckOptions) =>
    activity
      .begin("look", (signal) =>
        checkNow(context, signal, options).catch((error: Error) => {
          // An error during the stop is a consequence of the stop, so the stop stays the reason.
          signal.throwIfAborted();
          throw error;
        }),
      )
      .finally(takeBackWhatEnded);
  const endSandbox = (end: () => Promise<void>) =>
    Promise.all([parts.mcp?.rest(id), end(), terminals.clear()]);

  return {
    id,
    view,
    holder,
    terminals,
    startServer,
    append: context.append,
    isWorking: () => activity.isRunning(),
    workspace() {
      use.used();
      return holder.open();
    },
    ...createProjectMessages(context, queue),
    async stop() {
      const stopped = new DOMException("Stopped by the person.", "AbortError");
      const ended = await Promise.all([queue.stopCurrent(), activity.stop(stopped)]);
      return ended.includes(true);
    },
    async stopLook() {
      // A look of the active run is stopped first; a look outside of runs is only active without one.
      if (lookStops.stop()) return true;
      if (activity.state !== "looking") return false;
      return activity.stop(new DOMException("Stopped by the person.", "AbortError"));
    },
    check(options = { asked: true }) {
      look(options).catch((error: Error) => {
        // A new turn or the person ended the look.
        if (error.name !== "AbortError") parts.onNotice(`A look failed: ${error.message}`);
      });
    },
    evidenceNow: async (since, options) => look({ asked: true, since, ...options }),
    async compact(model) {
      let ended: AbortSignal | undefined;
      try {
        return await activity.begin("compact", (signal) => {
          ended = signal;
          return compactConversation(context, model, signal);
        });
      } catch (error) {
        if (!ended?.aborted) throw error;
        throw new ApiFailure(409, "working", sentence("working"));
      }
    },
    restore: async (back) => activity.begin("restore", () => restore(back)),
    alone: async (work) => activity.begin("restore", work),
    history,
    keepNow: async (label) =>
      activity.begin("restore", async () => {
        const { checkpoint } = await keepCheckpoint(context, await holder.open(), label);
        await store.log.settled();
        return checkpoint;
      }),
    takeTurns: async (before, prepare) =>
      activity.begin("restore", () => takeTurns(context, before, prepare)),
    atRest: (signal) => activity.atRest(signal),
    fill: async (checkpoint) => activity.begin("restore", () => fillFrom(context, checkpoint)),
    async copyTrust(to) {
      await holder.open();
      await trust.copied(to);
    },
    personFiles: async () => trust.personFiles(await holder.open()),
    clientFiles: async () => trust.clientFiles(await holder.open()),
    givenFiles: async () => trust.givenFiles(await holder.open()),
    // Begins like a look, so a run may start meanwhile; it then uses the checks that are accepted by then.
    agreeChecks: async (revision) =>
      activity.begin("look", async () => {
        const workspace = await holder.open();
        if (revision !== undefined && (await workspace.revision()) !== revision)
          throw new ApiFailure(409, "changed", sentence("stale", { what: "files" }));
        await trust.checks.agree(workspace);
      }),
    agreeAsked: (revision, what) =>
      activity.begin("look", async () => agreeToAsked(context, revision, what)),
    changedUnasked: async () => trust.changed(await holder.open()),
    isAccepted: trust.isAccepted,
    async useVersion(path, version, left) {
      await trust.use(await holder.open(), path, version, left);
      context.append({ type: "protected-accepted", path, version });
      await store.log.settled();
    },
    personPage,
    onReport: (report) => applyReport(context, report, activity.isWatched()),
    idle: () => queue.idle(),
    usedAt: () => use.usedAt(),
    watch: () => use.watch(),
    onClose: (listener) => use.onClose(listener),
    wake() {
      use.used();
      // A run manages the server itself.
      return activity.isBusy() ? Promise.resolve() : sleep.wake();
    },
    isAwake: () => holder.isOpen(),
    serverIsGone: () => sleep.serverIsGone(),
    async sleep() {
      await endSandbox(holder.release);
      sleep.serverIsGone();
    },
    async close() {
      const stopping = new DOMException("Treadle is stopping.", "AbortError");
      await Promise.all([queue.close(), activity.close(stopping)]);
      await endSandbox(holder.close);
      use.close();
      await standing.settled();
    },
  };
}
