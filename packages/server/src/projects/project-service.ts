import { statSync } from "node:fs";
import type { Model } from "@treadle/agent";
import type { CreateProject, RunMode } from "@treadle/protocol";
import type { ProjectRecord, Store } from "@treadle/store";
import { seesPictures } from "@treadle/agent";
import { sentence } from "@treadle/protocol/sentences";
import { ApiFailure, newCapability, newProjectId, notFound } from "@treadle/common";
import { checkPictures, type KeptPictures } from "@treadle/pictures";
import type { Runtimes } from "../runtime/runtimes.ts";
import { verdictOf } from "@treadle/protocol/fold";
import { titleOf } from "../project-context/project-name.ts";
import { type ModelSource, checkCache } from "@treadle/model-settings";
import type { MessageToSend, ProjectService } from "./types.ts";

/** Maximum length of a message, in characters. */
export const MESSAGE_LIMIT = 200_000;
const CONTINUE = "Go on from where you stopped.";

export interface OwnProjectService extends ProjectService {
  create(
    options: Parameters<ProjectService["create"]>[0] & { comparison?: string },
  ): Promise<{ id: string }>;
  /**
   * Checks whether a message could be sent.
   * @returns the model that would answer
   * @throws ApiFailure like `queueMessage`
   */
  checkMessage(message: {
    text: string;
    model?: string | undefined;
    pictures?: string[] | undefined;
  }): Promise<string>;
  /**
   * Creates a project and, with a prompt, sends its first message. Creates nothing if the prompt is
   * rejected.
   */
  begin(request: CreateProject): Promise<{ id: string }>;
  queueMessage(
    project: string,
    message: MessageToSend & {
      /** In base64. */
      pictures?: string[];
      /** Files that are open in the editor. */
      open?: string[];
      /** Whether the message asks to repair what is broken. */
      fix?: true;
      /** Items of the last turn that checks are to show. */
      prove?: string[];
      /** A plan to carry out, which is not the person's own text. */
      plan?: string;
    },
  ): Promise<{ message: string; run: string; queued: boolean }>;
  /** Summarises the conversation; resolves with whether there was anything to summarise. */
  compact(project: string): Promise<{ compacted: boolean }>;
  /** Starts a turn in which the model continues one that was cut off. */
  continue(project: string): Promise<{ message: string; run: string; queued: boolean }>;
}

/** Operations on projects for the routes and the command line. */
export function createProjectService(parts: {
  store: Store;
  runtimes: Runtimes;
  models: ModelSource;
  picturesOf(project: string): KeptPictures;
  now: () => number;
}): OwnProjectService {
  const { store, runtimes, models, picturesOf, now } = parts;

  async function recordOf(id: string): Promise<ProjectRecord> {
    const record = await store.projects.get(id);
    if (!record) throw notFound("project");
    return record;
  }

  /** The model that answers. @throws ApiFailure if none is configured or it is unavailable. */
  async function modelFor(
    record: Pick<ProjectRecord, "model" | "planModel" | "demo"> & { id?: string },
    asked?: string,
    first = false,
    mode?: RunMode,
  ) {
    const demo = record.demo === undefined ? undefined : `demo:${record.demo}`;
    const own = mode === "plan" ? record.planModel : undefined;
    const id =
      asked ?? own ?? record.model ?? (first ? demo : undefined) ?? (await models.chosen());
    if (id === undefined) throw modelMissing(record.demo !== undefined);
    return { ...(await models.resolve(id, { project: record.id })), id };
  }

  /**
   * Checks that a model can read the pictures of a message.
   * @throws ApiFailure 409 if it is known to refuse pictures
   */
  function checkSees(
    { id, seesPictures: sees = seesPictures(id) }: Model,
    pictures: readonly string[] | undefined,
  ): void {
    if (!pictures?.length || sees !== false) return;
    throw new ApiFailure(
      409,
      "no-eyes",
      sentence("model-reads-no-pictures", { model: id.slice(id.indexOf(":") + 1) }),
    );
  }

  async function create(
    options: Parameters<ProjectService["create"]>[0] & { planModel?: string; comparison?: string },
  ): Promise<{ id: string }> {
    const at = now();
    const record: ProjectRecord = {
      id: newProjectId(),
      name: options.name ?? "New project",
      createdAt: at,
      updatedAt: at,
      capability: newCapability(),
      model: options.model,
      planModel: options.planModel,
      dialect: options.dialect,
      directory: options.directory,
      demo: options.demo,
      comparison: options.comparison,
    };
    await store.projects.create(record);
    runtimes.created(record);
    return { id: record.id };
  }

  const service: OwnProjectService = {
    create,
    async begin({ prompt, mode, model, dialect, demo, pictures }) {
      const text = prompt ?? (demo === undefined ? undefined : models.demoPrompt(demo));
      const options = { model, dialect, demo };
      if (text === undefined) return create(options);
      checkText(text);
      checkSees(await modelFor({ demo }, model, true), pictures);
      checkPictures(pictures ?? []);
      const { id } = await create({ ...options, name: titleOf(text) });
      const sent = pictures ? { pictures } : {};
      await service.queueMessage(id, { text, mode, ...sent });
      return { id };
    },
    async open({ directory, name, model, planModel, dialect }) {
      if (!statSync(directory, { throwIfNoEntry: false })?.isDirectory())
        throw new ApiFailure(400, "bad-folder", sentence("folder-missing", { folder: directory }));
      // Only the planning model is checked here; the model for building is resolved when a message is sent.
      if (planModel !== undefined) await models.resolve(planModel);
      const known = await store.projects.byDirectory(directory);
      if (!known) return create({ directory, name, model, planModel, dialect });
      if (model !== undefined || planModel !== undefined || dialect !== undefined)
        await store.projects.update(known.id, {
          // Undefined values remove the setting.
          ...(model === undefined ? {} : { model }),
          ...(planModel === undefined ? {} : { planModel }),
          ...(dialect === undefined ? {} : { dialect }),
        });
      return { id: known.id };
    },
    async checkMessage({ text, model, pictures }) {
      checkText(text);
      const resolved = await modelFor({}, model, true);
      checkSees(resolved, pictures);
      checkPictures(pictures ?? []);
      return resolved.id;
    },
    head: (project) => store.log.head(project),
    async send(project, message) {
      const { queued: _, ...sent } = await service.queueMessage(project, message);
      return sent;
    },
    async queueMessage(
      project,
      { text, model, mode, approve, thinking, cache, limits, pictures, open, fix, prove, plan },
    ) {
      checkText(text);
      const record = await recordOf(project);
      const runtime = await runtimes.get(project);
      const first = runtime.view.lastMessage === undefined;
      const resolved = await modelFor(record, model, first, mode);
      checkSees(resolved, pictures);
      const { id: chosen } = resolved;
      if (cache !== undefined) checkCache(chosen, cache);
      const stored = pictures && (await picturesOf(project).save(pictures));
      const change: Partial<ProjectRecord> = { updatedAt: now() };
      const isPlan = mode === "plan";
      const before = isPlan ? (record.planModel ?? record.model) : record.model;
      if (model !== undefined && model !== before) change[isPlan ? "planModel" : "model"] = model;
      if (first && record.name === "New project") change.name = titleOf(text);
      await store.projects.update(project, change);
      if (change.name !== undefined) runtime.append({ type: "project-renamed", name: change.name });
      if (change.model !== undefined) runtime.append({ type: "model-chosen", model: change.model });
      if (change.planModel !== undefined)
        runtime.append({ type: "model-chosen", model: change.planModel, mode: "plan" });
      return runtime.send({
        text,
        model: chosen,
        mode,
        approve,
        thinking,
        cache,
        limits,
        pictures: stored,
        open,
        fix,
        prove,
        plan,
      });
    },
    async standing(project) {
      await recordOf(project);
      return verdictOf((await runtimes.get(project)).view);
    },
    async check(project, since) {
      await recordOf(project);
      return (await runtimes.get(project)).evidenceNow(since);
    },
    picture: (project, hash) => picturesOf(project).read(hash),
    async compact(project) {
      const record = await recordOf(project);
      const { id } = await modelFor(record);
      const runtime = await runtimes.get(project);
      return { compacted: await runtime.compact(id) };
    },
    async continue(project) {
      const record = await recordOf(project);
      if (record.demo !== undefined && record.model === undefined && !(await models.chosen()))
        throw new ApiFailure(409, "recording", sentence("recording-continued"));
      const { id } = await modelFor(record);
      const runtime = await runtimes.get(project);
      return runtime.send({ text: CONTINUE, model: id });
    },
    async stop(project) {
      const { queue = [] } = await recordOf(project);
      // A run that was waiting before a restart is stopped, too.
      const runtime = queue.length > 0 ? await runtimes.get(project) : runtimes.known(project);
      return (await runtime?.stop()) ?? false;
    },
    answer: async (project, question, given) =>
      (await runtimes.get(project)).answer(question, given),
    saveCheckpoint: async (project, label) => (await runtimes.get(project)).keepNow(label),
    async changes(project, from) {
      const workspace = await (await runtimes.get(project)).workspace();
      return workspace.diff(from);
    },
    follow: (project, after, listener) => store.log.follow(project, after, listener),
    async acceptChanged(project) {
      const runtime = await runtimes.get(project);
      for (const { path, version } of await runtime.changedUnasked())
        await runtime.useVersion(path, version);
      await runtime.agreeChecks();
    },
    async release(project) {
      await runtimes.known(project)?.idle();
      await runtimes.release(project);
    },
    remove: (project) => runtimes.remove(project),
  };
  return service;
}

/** Checks the text of a message. @throws ApiFailure 400 `empty-prompt`, 413 `prompt-too-long` */
function checkText(text: string): void {
  if (text.trim() === "") throw new ApiFailure(400, "empty-prompt", sentence("prompt-empty"));
  if (text.length > MESSAGE_LIMIT)
    throw new ApiFailure(
      413,
      "prompt-too-long",
      sentence("prompt-too-long", { length: text.length, limit: MESSAGE_LIMIT }),
    );
}

function modelMissing(demo: boolean): ApiFailure {
  return new ApiFailure(
    409,
    "model-missing",
    sentence(demo ? "model-missing-for-recording" : "model-missing"),
  );
}
