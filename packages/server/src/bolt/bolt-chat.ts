import { createHash } from "node:crypto";
import { createDataStreamEncoder } from "@treadle/dialects/data-stream";
import { currentPrincipal } from "@treadle/accounts";
import type { Store } from "@treadle/store";
import { createSemaphore, type Semaphore } from "@treadle/common";
import type { ModelSettings } from "@treadle/model-settings";
import { titleOf } from "../project-context/project-name.ts";
import type { OwnProjectService } from "../projects/project-service.ts";
import type { Runtimes } from "../runtime/runtimes.ts";
import {
  createChatParts,
  type ChatRequest,
  readEarlier,
  modelMeant,
  readBlock,
  digestOf,
  syncFiles,
  takeModifications,
  textOf,
  type KnownFiles,
} from "@treadle/bolt";

export interface BoltChat {
  /**
   * Takes a request of bolt's chat as the next message of its project, or as the answer if the model has asked for
   * words. The first request creates the project. Resolves once the message is durable, with its run as a data
   * stream. Closing the stream ends the run, as bolt's Stop does only that.
   * @throws ApiFailure if it cannot be answered, before anything is sent
   */
  answer(request: ChatRequest): Promise<{ project: string; stream: ReadableStream<Uint8Array> }>;
}

interface Parts {
  store: Store;
  runtimes: Runtimes;
  projects: OwnProjectService;
  models: ModelSettings;
  /** The address of a project's page. */
  pageOf(project: string): string;
}

/** The stored state of a chat. */
interface KeptChat {
  project: string;
  files: KnownFiles;
}

export function createBoltChat({ store, runtimes, projects, models, pageOf }: Parts): BoltChat {
  const taking = new Map<string, Semaphore>();
  /**
   * The key of a chat's stored state. It contains the person: clients choose the ids of chats, and an id must not
   * find another person's project.
   */
  function keyOf(chat: string): string {
    const person = currentPrincipal()?.person;
    const named = person === undefined ? chat : JSON.stringify([person, chat]);
    return `bolt-chat:${createHash("sha256").update(named).digest("hex").slice(0, 40)}`;
  }

  /**
   * The project of a chat, with the files that the client knows. Created from the chat's earlier messages and files
   * if there is none.
   */
  async function projectOf(key: string, request: ChatRequest, model: string | undefined) {
    const chat = await store.settings.get<KeptChat>(key);
    if (chat && (await store.projects.get(chat.project))) return { ...chat, files: chat.files };
    // An invalid message must not create a project.
    await projects.checkMessage({
      text: readBlock(request.text).rest,
      model,
      pictures: request.pictures,
    });
    const first = request.earlier.find(({ role }) => role === "user")?.text ?? request.text;
    const { id: project } = await projects.create({ name: titleOf(first), model });
    const { messages, files } = readEarlier(request.earlier);
    for (const message of messages) await store.messages.put(project, message);
    if (request.files === undefined || request.files.size === 0) {
      const runtime = await runtimes.get(project);
      await syncFiles(await runtime.workspace(), await runtime.clientFiles(), files, {});
    }
    await store.settings.set(key, { project, files: {} } satisfies KeptChat);
    return { project, files: {} as KnownFiles };
  }

  async function answer(request: ChatRequest) {
    const key = keyOf(request.chat);
    const model = await modelMeant(models, request);
    const { project, files } = await projectOf(key, request, model);
    const runtime = await runtimes.get(project);
    const workspace = await runtime.workspace();
    const person = await runtime.clientFiles();
    const synced = request.files && (await syncFiles(workspace, person, request.files, files));
    const known = synced?.known ?? files;
    const { text, refused } = await takeModifications(workspace, person, request.text);
    const leftOut = [
      ...request.leftOut,
      ...[...(synced?.refused ?? []), ...refused].map(({ text: why }) => why),
    ];
    await store.settings.set(key, { project, files: known } satisfies KeptChat);
    const head = await store.log.head(project);
    const { question } = runtime.view;
    let run: string;
    let message: string | undefined;
    if (question?.question.kind === "words") {
      run = question.run;
      leftOut.push(
        ...request.pictures.map(() => "a picture: an answer to a question can only have words"),
      );
      await runtime.answer(question.question.id, { kind: "words", text });
    } else
      ({ run, message } = await projects.queueMessage(project, {
        text,
        model,
        mode: request.discuss ? "plan" : undefined,
        pictures: request.pictures.length > 0 ? request.pictures : undefined,
        limits: request.steps === undefined ? undefined : { steps: request.steps },
      }));
    const parts = createChatParts({
      run,
      project,
      address: pageOf(project),
      thoughtsInText: request.readsThoughts,
      tellsContext: request.tellsContext,
      leftOut,
      textOf: (path) => textOf(workspace.files, path),
      onFile(path, content) {
        if (content === undefined) delete known[path];
        else known[path] = digestOf(content);
      },
    });
    const stream = streamOf(project, head, parts, {
      async onEnd() {
        await store.settings.set(key, { project, files: known } satisfies KeptChat);
      },
      // Another request of the same chat may be active, or this one may have ended; only its own run is stopped,
      // and its own message, if it still waits, is taken back.
      async onLeft() {
        if (runtime.view.run === run) await projects.stop(project);
        else if (message !== undefined) await runtime.takeBack(message).catch(() => undefined);
      },
    });
    return { project, stream };
  }

  function streamOf(
    project: string,
    head: number,
    parts: ReturnType<typeof createChatParts>,
    { onEnd, onLeft }: { onEnd(): Promise<void>; onLeft(): Promise<void> },
  ): ReadableStream<Uint8Array> {
    const { encode } = createDataStreamEncoder();
    const encoder = new TextEncoder();
    let unfollow = () => {};
    let drained: (() => void) | undefined;
    return new ReadableStream<Uint8Array>(
      {
        start(controller) {
          const send = (made: ReturnType<typeof parts.begin>) => {
            for (const part of made) controller.enqueue(encoder.encode(encode(part)));
          };
          send(parts.begin());
          unfollow = projects.follow(project, head, async (entries) => {
            for (const { event } of entries) {
              if (parts.hasEnded) break;
              send(await parts.see(event));
            }
            if (parts.hasEnded) {
              unfollow();
              await onEnd();
              controller.close();
            } else if ((controller.desiredSize ?? 0) <= 0)
              await new Promise<void>((resolve) => (drained = resolve));
          });
        },
        pull() {
          drained?.();
          drained = undefined;
        },
        async cancel() {
          unfollow();
          drained?.();
          await onEnd();
          await onLeft();
        },
      },
      { highWaterMark: 64 },
    );
  }

  return {
    answer(request) {
      const key = keyOf(request.chat);
      let one = taking.get(key);
      if (!one) taking.set(key, (one = createSemaphore(1)));
      return one.hold(() => answer(request));
    },
  };
}
