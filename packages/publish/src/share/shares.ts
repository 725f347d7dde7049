import type { NewShare, Share, Shares as ToldShares } from "@treadle/protocol";
import type { Store } from "@treadle/store";
import { sentence } from "@treadle/protocol/sentences";
import { ApiFailure, newShareId, notFound, sameToken } from "@treadle/common";
import type { StoredMap } from "@treadle/common";
import type { StoredShare } from "./stored-share.ts";
import { OPEN_PATH } from "./paths.ts";
import { keepPassword } from "./password.ts";
import { shareOrigin } from "./share-host.ts";

/** Maximum number of links per project. */
const MOST = 50;
const SHORTEST_PASSWORD = 8;
const DAY_MS = 24 * 60 * 60 * 1000;
/** How often the use of a link is recorded, in milliseconds. */
const COUNTED_MS = 5_000;

/** Links to parts of a project, for people without an account. */
export interface Shares {
  list(project: string): ToldShares;
  /** Creates a link. @throws ApiFailure 404; 409 `too-many-links`, `not-published`; 400 `short-password` */
  make(project: string, asked: NewShare): Promise<Share>;
  /**
   * Revokes a link and closes what it has opened.
   * @throws ApiFailure 404; 507 `not-recorded` if it would be valid again after a restart
   */
  remove(project: string, id: string): Promise<void>;
  /** Revokes all links of a removed project. */
  removeOf(project: string): Promise<void>;
  /** Finds a link; undefined if it is no longer valid. */
  find(id: string): StoredShare | undefined;
  /** Whether this is the link's secret; takes the same time for unknown links. */
  opens(id: string, word: string): boolean;
  /** Records that a link was opened. */
  onUse(share: StoredShare): void;
  /** Adds a listener for links that become invalid. */
  onGone(listener: (id: string) => void): void;
}

export function createShares(parts: {
  store: Pick<Store, "projects" | "signer">;
  list: StoredMap<StoredShare>;
  /** Numbers of the existing releases; undefined if the project was never published. */
  releasesOf(project: string): number[] | undefined;
  appOrigin(): string;
  appsDomain: string | undefined;
  now(): number;
  onNotice(text: string): void;
}): Shares {
  const { store, list, now, appsDomain } = parts;
  const listeners: ((id: string) => void)[] = [];
  const counted = new Map<string, number>();

  /** A link's secret: derived from the data folder's key, so that it can be shown again and is stored nowhere. */
  const wordOf = (id: string) => store.signer.sign(["share", id]).slice(0, 26);
  /** Whether a link's release was removed. It never returns, but an unpublished project may be published again. */
  const isThinned = ({ project, release }: StoredShare) =>
    release !== undefined && parts.releasesOf(project)?.includes(release) === false;
  const isOver = (share: StoredShare) =>
    (share.until !== undefined && share.until <= now()) || isThinned(share);

  function describe(share: StoredShare): Share {
    const { project: _project, password, isRevoked: _isRevoked, ...rest } = share;
    const origin = shareOrigin(share.id, { appOrigin: parts.appOrigin(), appsDomain });
    return {
      ...rest,
      link: `${origin}${OPEN_PATH}${wordOf(share.id)}`,
      locked: password !== undefined,
    };
  }

  const sharesOf = (project: string) => list.all().filter((share) => share.project === project);

  /**
   * Closes a link at once.
   * @throws ApiFailure 507 `not-recorded` if that could not be written; it then stays in the list
   */
  async function end(id: string): Promise<void> {
    const share = list.get(id);
    if (share) share.isRevoked = true;
    for (const listener of listeners) listener(id);
    counted.delete(id);
    await list.remove(id).catch((error: Error) => {
      throw new ApiFailure(
        507,
        "not-recorded",
        sentence("link-not-recorded", { why: error.message }),
      );
    });
  }

  return {
    list: (project) => ({
      shares: sharesOf(project)
        .filter((share) => !isOver(share))
        .toReversed()
        .map(describe),
      domain: appsDomain,
    }),
    async make(project, { kind, release, days, password, costs, source }) {
      if (!(await store.projects.get(project))) throw notFound("project");
      const releases = parts.releasesOf(project);
      if (kind === "release" && !(release === undefined ? releases : releases?.includes(release)))
        throw new ApiFailure(
          409,
          "not-published",
          release === undefined
            ? sentence("share-not-published")
            : sentence("share-release-gone", { number: release }),
        );
      if (password !== undefined && password.length < SHORTEST_PASSWORD)
        throw new ApiFailure(
          400,
          "short-password",
          sentence("password-too-short", { limit: SHORTEST_PASSWORD }),
        );
      // Expired links make room.
      for (const share of sharesOf(project).filter((one) => one.isRevoked || isOver(one)))
        await end(share.id);
      if (sharesOf(project).length >= MOST)
        throw new ApiFailure(
          409,
          "too-many-links",
          sentence("limit-reached", { what: "links", limit: MOST }),
        );
      const at = now();
      const talks = kind === "conversation";
      const share: StoredShare = {
        id: newShareId(),
        project,
        kind,
        at,
        uses: 0,
        release: kind === "release" && release !== undefined ? release : undefined,
        until: days === undefined ? undefined : at + days * DAY_MS,
        password: password === undefined ? undefined : await keepPassword(password),
        ...(talks && { costs: costs === true, source: source === true }),
      };
      await list.save(share.id, share);
      return describe(share);
    },
    async remove(project, id) {
      if (list.get(id)?.project !== project) throw notFound("link");
      await end(id);
    },
    async removeOf(project) {
      for (const { id } of sharesOf(project)) await end(id);
    },
    find(id) {
      const share = list.get(id);
      return share && !share.isRevoked && !isOver(share) ? share : undefined;
    },
    opens: (id, word) => sameToken(word, wordOf(id)),
    onUse(share) {
      share.uses++;
      share.usedAt = now();
      if (now() - (counted.get(share.id) ?? -Infinity) < COUNTED_MS) return;
      counted.set(share.id, now());
      list.save(share.id, share).catch((error: Error) => parts.onNotice(error.message));
    },
    onGone: (listener) => void listeners.push(listener),
  };
}
