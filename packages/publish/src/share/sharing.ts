import type { Store } from "@treadle/store";
import { spellingsOf } from "@treadle/egress/spellings";
import { PROJECT_FOLDER } from "@treadle/protocol/project-path";
import { zipProject } from "../exports/zip-project.ts";
import { findSecrets } from "../gate/secrets/find-secrets.ts";
import { textIn } from "../gate/files/text-in.ts";
import type { Places, PreviewTarget } from "@treadle/gateway";
import type { ReadPicture } from "./read-picture.ts";
import { createRefresh } from "@treadle/common";
import type { TrustedProxies } from "@treadle/common";
import { createDoor } from "../publications/door.ts";
import type { Publications } from "../publications/publications.ts";
import type { PublishableProjects } from "../publications/publishable-project.ts";
import { createConversationWay } from "./conversation-way.ts";
import { isPrivateFile } from "./hidden-path.ts";
import { openShareList, type StoredShare } from "./stored-share.ts";
import { answerNotice } from "./notice-page.ts";
import { createPreviewWay } from "./preview-way.ts";
import {
  privateOfEnvFiles,
  privateOfEnvironment,
  privateOfMachine,
  privateOfSettings,
} from "./private-values.ts";
import { createShareDoor, type ShareDoor, type Way } from "./share-door.ts";
import { readShareHost } from "./share-host.ts";
import { createShares, type Shares } from "./shares.ts";

/**
 * Maximum size of a file searched for key formats, in bytes; larger ones are only searched for
 * known values.
 */
const MOST_SEARCHED = 4 * 1024 * 1024;

/** Links for people without an account, and the entrance for guests. */
export interface Sharing {
  shares: Shares;
  door: ShareDoor;
  /** Private values: keys, secrets, and names of this machine. */
  privateValues(project: string): Promise<string[]>;
  /** Whether a domain is the host of a link, for which a certificate may be requested. */
  isServed(domain: string): boolean;
  /** The project of the link that a Host header names, also if another server has made it since. */
  projectAt(host: string | undefined): Promise<string | undefined>;
}

export async function createSharing(parts: {
  store: Store;
  projects: PublishableProjects;
  publications: Pick<Publications, "findRelease" | "readyReleases">;
  targetOf(capability: string): Promise<PreviewTarget | undefined>;
  /** Guests' connections count as published ones. */
  published: Places;
  /** Web servers in front, which state the client's address. */
  proxies: TrustedProxies;
  picturesOf(project: string): ReadPicture;
  dataDirectory: string;
  env: Readonly<Record<string, string | undefined>>;
  /** Treadle's own; no app sees it. */
  token: string;
  appOrigin(): string;
  appsDomain: string | undefined;
  now(): number;
  onNotice(text: string): void;
}): Promise<Sharing> {
  const { store, projects, publications, token, appsDomain, proxies, now } = parts;
  const list = await openShareList(store);
  const refreshed = createRefresh(list.refresh, now);
  const shares = createShares({
    store,
    list,
    releasesOf: publications.readyReleases,
    appOrigin: parts.appOrigin,
    appsDomain,
    now,
    onNotice: parts.onNotice,
  });

  const workspaceOf = async (project: string) => (await projects.get(project)).workspace();

  async function privateValues(project: string): Promise<string[]> {
    const [record, preview, published, workspace] = await Promise.all([
      store.projects.get(project),
      store.secrets.reveal(project, "preview"),
      store.secrets.reveal(project, "published"),
      workspaceOf(project).catch(() => undefined),
    ]);
    return [
      token,
      parts.dataDirectory,
      ...(record ? [record.capability] : []),
      ...(record?.directory === undefined ? [] : [record.directory]),
      ...[...preview, ...published].map(({ value }) => value),
      ...privateOfEnvironment(parts.env),
      ...privateOfSettings(await store.settings.all()),
      ...privateOfMachine(),
      ...(await privateOfEnvFiles(workspace)),
    ];
  }

  async function zip(project: string) {
    const values = (await privateValues(project))
      .filter(({ length }) => length >= 8)
      .flatMap(spellingsOf);
    const workspace = await workspaceOf(project);
    // Data that people entered into the running app, and uploads.
    const data = new Set<string>(workspace.dataFiles());
    return zipProject(workspace, PROJECT_FOLDER, {
      withSecrets: false,
      async isPrivate(path, bytes) {
        if (isPrivateFile(path) || data.has(path)) return true;
        const text = textIn(bytes);
        if (values.some((value) => text.includes(value))) return true;
        const isSearched = bytes.byteLength <= MOST_SEARCHED;
        return isSearched && (await findSecrets([{ path, text }], "source")).length > 0;
      },
    });
  }

  const publishedRelease = ({ project, release }: StoredShare) =>
    publications.findRelease(project, release);
  const releaseDoor = createDoor(token, { published: parts.published, proxies });
  const releaseWay: Way = {
    handle(request, response, share) {
      const publication = publishedRelease(share);
      if (publication) releaseDoor.handle(publication, request, response);
      else answerNotice(request, response, "resting");
    },
    upgrade(request, socket, head, share) {
      const publication = publishedRelease(share);
      if (publication) releaseDoor.upgrade(publication, request, socket, head);
      else socket.destroy();
    },
  };
  const door = createShareDoor({
    shares,
    ways: {
      release: releaseWay,
      preview: createPreviewWay(
        async (project) => {
          const record = await store.projects.get(project);
          return record && parts.targetOf(record.capability);
        },
        token,
        proxies,
      ),
      conversation: createConversationWay({
        store,
        picturesOf: parts.picturesOf,
        privateValues,
        zip,
        copyAddress: (share) => `${parts.appOrigin()}/yours/${share}`,
        now,
      }),
    },
    isThere: async (project) => (await store.projects.get(project)) !== undefined,
    signer: store.signer,
    proxies,
    appsDomain,
    now,
  });
  return {
    privateValues,
    shares,
    door,
    async projectAt(host) {
      const id = readShareHost(host, appsDomain);
      if (id === undefined) return undefined;
      if (!shares.find(id)) await refreshed();
      return shares.find(id)?.project;
    },
    isServed: (domain) => shares.find(readShareHost(domain, appsDomain) ?? "") !== undefined,
  };
}
