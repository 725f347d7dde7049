import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Store } from "@treadle/store";
import { COMMON_HEADERS } from "@treadle/common";
import { readRequestTarget } from "@treadle/common";
import { createReportRate } from "@treadle/gateway";
import type { ReadPicture } from "./read-picture.ts";
import { wholeLog } from "@treadle/store";
import { conversationPage } from "./conversation-page.ts";
import { CONVERSATION_STYLE } from "./conversation-style.ts";
import type { StoredShare } from "./stored-share.ts";
import { answerNotice } from "./notice-page.ts";
import { PICTURE_PATH, SOURCE_PATH } from "./paths.ts";
import { keysInTexts } from "./prepare-texts.ts";
import { privateOf } from "./private-values.ts";
import { readConversation } from "./read-conversation.ts";
import type { Way } from "./share-door.ts";
import { shareWords } from "./share-words.ts";
import { readEnvFile } from "../gate/files/read-env-file.ts";

/** Maximum number of cached pages, each valid until its conversation grows. */
const PAGES = 16;
/** The source can be downloaded through a link three times, then once a minute, as it is packed each time. */
const TAKES = { burst: 3, perSecond: 1 / 60 };

const POLICY = `default-src 'none'; style-src 'sha256-${createHash("sha256").update(CONVERSATION_STYLE).digest("base64")}'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

/** Maximum age of a cached page in milliseconds, since private values may change. */
const DRAWN_MS = 60_000;

interface Drawn {
  head: number;
  at: number;
  html: string;
  pictures: Set<string>;
}

/** Serves the current conversation of a project through a link. */
export function createConversationWay(parts: {
  store: Pick<Store, "projects" | "log">;
  picturesOf(project: string): ReadPicture;
  /** Values that no page may show: keys, values of `.env` files, addresses of this machine. */
  privateValues(project: string): Promise<string[]>;
  /** The project without its secrets. */
  zip(project: string): Promise<ReadableStream<Uint8Array>>;
  /** The address at which a signed-in user can copy the project behind a link. */
  copyAddress(share: string): string;
  now(): number;
}): Way {
  const { store } = parts;
  const drawn = new Map<string, Promise<Drawn>>();
  const takes = createReportRate(TAKES);

  async function draw(share: StoredShare, request: IncomingMessage): Promise<Drawn> {
    const { project } = share;
    const { tag, words } = shareWords(request.headers["accept-language"]);
    const isHere = /\.localhost(?::\d+)?$/i.test(request.headers.host ?? "");
    const head = await store.log.head(project);
    const key = `${share.id} ${tag} ${isHere}`;
    const known = drawn.get(key);
    const before = await known?.catch(() => undefined);
    if (before?.head === head && parts.now() - before.at < DRAWN_MS) return before;
    const work = (async () => {
      const record = await store.projects.get(project);
      const conversation = await readConversation(record?.name ?? "", wholeLog(store, project));
      const ofEnv = conversation.envTexts.flatMap((text) => privateOf(readEnvFile(text)));
      const ofTexts = await keysInTexts(project, textsIn([conversation.name, conversation.turns]));
      const known = await parts.privateValues(project);
      const options = {
        words,
        tag,
        costs: share.costs === true,
        source: share.source === true,
        ownLink: isHere ? parts.copyAddress(share.id) : undefined,
        now: parts.now(),
      };
      const secrets = [...new Set([...known, ...ofEnv, ...ofTexts])];
      const page = await conversationPage(conversation, options, project, secrets);
      return { head, at: parts.now(), ...page };
    })();
    drawn.delete(key);
    drawn.set(key, work);
    if (drawn.size > PAGES) drawn.delete(drawn.keys().next().value ?? key);
    return work;
  }

  async function answerSource(
    request: IncomingMessage,
    response: ServerResponse,
    share: StoredShare,
  ) {
    if (!share.source) return answerNotice(request, response, "hidden");
    if (!takes.take(share.id)) return answerNotice(request, response, "crowded");
    const zip = await parts.zip(share.project);
    response.writeHead(200, {
      ...COMMON_HEADERS,
      "content-type": "application/zip",
      "content-disposition": 'attachment; filename="source.zip"',
      "cache-control": "no-store",
    });
    await pipeline(Readable.fromWeb(zip as Parameters<typeof Readable.fromWeb>[0]), response).catch(
      () => response.destroy(),
    );
  }

  return {
    async handle(request, response, share) {
      const path = readRequestTarget(request.url)?.path ?? "";
      if (request.method !== "GET" && request.method !== "HEAD")
        return answerNotice(request, response, "hidden");
      if (path === SOURCE_PATH) return answerSource(request, response, share);
      if (path.startsWith(PICTURE_PATH)) {
        const hash = path.slice(PICTURE_PATH.length);
        const { pictures } = await draw(share, request);
        const picture = pictures.has(hash)
          ? await parts.picturesOf(share.project).read(hash)
          : undefined;
        if (!picture) return answerNotice(request, response, "hidden");
        response.writeHead(200, {
          ...COMMON_HEADERS,
          "content-type": picture.type,
          "content-security-policy": "default-src 'none'; sandbox",
          "cache-control": "private, max-age=3600",
        });
        return void response.end(picture.bytes);
      }
      if (path !== "/") return answerNotice(request, response, "hidden");
      const { html } = await draw(share, request);
      response.writeHead(200, {
        ...COMMON_HEADERS,
        "content-type": "text/html; charset=utf-8",
        "content-security-policy": POLICY,
        "cache-control": "no-store",
        vary: "accept-language",
      });
      response.end(request.method === "HEAD" ? undefined : html);
    },
  };
}

/** All texts of a conversation, at any depth. */
function* textsIn(value: unknown): Generator<string> {
  if (typeof value === "string") yield value;
  else if (typeof value === "object" && value !== null)
    for (const inner of Object.values(value)) yield* textsIn(inner);
}
