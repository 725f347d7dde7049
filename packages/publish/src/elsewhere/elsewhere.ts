import { randomUUID } from "node:crypto";
import type { Deployment, Elsewhere, Place, TargetId } from "@treadle/protocol";
import type { Clock } from "@treadle/agent";
import { sentence, type Sentence } from "@treadle/protocol/sentences";
import { ApiFailure, notFound } from "@treadle/common";
import type { StoredMap } from "@treadle/common";
import type { GitLogins } from "@treadle/git";
import type { StoredDeployments } from "./stored-deployments.ts";
import type { HostTokens } from "./host-tokens.ts";
import { checkPlace, readPlace } from "./read-place.ts";
import type { ReleaseToSend, Sending, Target } from "./target.ts";

/** Number of deployments kept per target, the newest ones. */
const TOLD = 10;

/** Sends releases to other hosts. */
export interface ElsewhereService {
  get(project: string): Promise<Elsewhere>;
  /**
   * Saves a target's settings; a token is stored on the server for all projects.
   * @throws ApiFailure 400 `bad-place`
   */
  configure(project: string, target: TargetId, settings: { place: Place; token?: string | undefined }): Promise<Elsewhere>; // prettier-ignore
  /**
   * Starts to send a ready release, by default the current one. `get` shows the progress.
   * @throws ApiFailure 404; 409 `token`, `sending`, `held`, `not-ready`, `carries`; 400
   * `place-wanted`
   */
  send(project: string, target: TargetId, release?: number): Promise<Elsewhere>;
  /** Stops a running deployment, if there is one, and waits until it has ended. */
  stop(project: string, target: TargetId): Promise<Elsewhere>;
  /** Deletes the token that the project's target uses; other projects lose it, too. */
  forgetToken(project: string, target: TargetId): Promise<Elsewhere>;
  /** Stops the project's deployments but keeps its records, since a deleted project may be restored. */
  suspend(project: string): Promise<void>;
  /** Stops the project's deployments and deletes its records; deployed releases stay online. */
  remove(project: string): Promise<void>;
  close(): Promise<void>;
}

export function createElsewhere(parts: {
  targets: readonly Target[];
  list: StoredMap<StoredDeployments>;
  tokens: HostTokens;
  logins: GitLogins;
  sshFolder: string;
  origin: Sending["origin"];
  clock: Clock;
  folderOf(project: string): string;
  /** The release to deploy. @throws ApiFailure if there is no ready release */
  findRelease(project: string, release: number | undefined): ReleaseToSend;
  exists(project: string): Promise<boolean>;
  onNotice(text: string): void;
}): ElsewhereService {
  const { targets, list, tokens, clock } = parts;
  const going = new Map<string, { ends: AbortController; done: Promise<void> }>();
  const keyOf = (project: string, target: TargetId) => `${project} ${target}`;
  const entryOf = (project: string): StoredDeployments =>
    list.get(project) ?? { project, places: {}, deployments: [] };

  for (const entry of list.all())
    for (const one of entry.deployments)
      if (one.state === "sending")
        Object.assign(one, {
          state: "failed",
          ...progressOf(sentence("cut-off-sending")),
        });

  function find(id: TargetId): Target {
    const target = targets.find((one) => one.id === id);
    if (!target) throw notFound("target");
    return target;
  }

  async function get(project: string): Promise<Elsewhere> {
    const { places, deployments } = entryOf(project);
    const listed = targets.map(async (target) => {
      const place = places[target.id] ?? {};
      const tokenName = target.tokenFor(place);
      const token: "none" | "kept" | "wanted" =
        tokenName === undefined
          ? "none"
          : (await tokens.get(tokenName)) === undefined
            ? "wanted"
            : "kept";
      const { id, name, carries, fields } = target;
      return { id, name, carries: [...carries], fields: [...fields], token, place };
    });
    return { targets: await Promise.all(listed), deployments };
  }

  async function endAll(project?: string): Promise<void> {
    const running = [...going].filter(([key]) => !project || key.startsWith(`${project} `));
    for (const [, { ends }] of running) ends.abort();
    await Promise.all(running.map(([, { done }]) => done));
  }

  async function carry(
    entry: StoredDeployments,
    { target, release, token, deployment }: { target: Target; release: ReleaseToSend; token: string; deployment: Deployment }, // prettier-ignore
    signal: AbortSignal,
  ): Promise<void> {
    const place = entry.places[target.id] ?? {};
    // Removes the token from a host's message, in case the host echoes it.
    const clean = (words: Sentence): Sentence =>
      token === ""
        ? words
        : (JSON.parse(
            JSON.stringify(words).replaceAll(JSON.stringify(token).slice(1, -1), "…"),
          ) as Sentence);
    try {
      const sent = await target.send(release, {
        token,
        place,
        signal,
        clock,
        origin: parts.origin,
        logins: parts.logins,
        sshFolder: parts.sshFolder,
        folder: parts.folderOf(entry.project),
        onSaid: (progress) => Object.assign(deployment, progressOf(clean(progress))),
        onPlace(made) {
          entry.places[target.id] = made;
          // Saved at once: otherwise the next attempt after a crash would create another one.
          list.save(entry.project, entry).catch((error: Error) => parts.onNotice(error.message));
        },
      });
      if (sent.place) entry.places[target.id] = sent.place;
      Object.assign(deployment, {
        state: "ready",
        said: undefined,
        saidCode: undefined,
        address: sent.address,
      });
    } catch (error) {
      const failure = error instanceof ApiFailure ? error : undefined;
      const reason = failure?.sentence ?? { text: (error as Error).message };
      Object.assign(
        deployment,
        signal.aborted
          ? { state: "stopped", ...progressOf(sentence("release-stopped")) }
          : { state: "failed", ...progressOf(clean(reason)), problem: failure?.code },
      );
    }
    deployment.ms = clock.now() - deployment.at;
    await list.save(entry.project, entry);
  }

  return {
    get,
    async configure(project, id, { place, token }) {
      const target = find(id);
      if (!(await parts.exists(project))) throw notFound("project");
      const entry = entryOf(project);
      entry.places[id] = readPlace(target, place);
      const name = target.tokenFor(entry.places[id]);
      if (token !== undefined && name !== undefined) await tokens.put(name, token);
      await list.save(project, entry);
      return get(project);
    },
    async send(project, id, number) {
      const target = find(id);
      if (!(await parts.exists(project))) throw notFound("project");
      const release = parts.findRelease(project, number);
      const entry = entryOf(project);
      const place = entry.places[id] ?? {};
      if (!target.carries.includes(release.kind))
        throw new ApiFailure(
          409,
          "carries",
          sentence(release.kind === "app" ? "carries-sites" : "carries-apps", {
            name: target.name,
          }),
        );
      checkPlace(target, place);
      const tokenName = target.tokenFor(place);
      const token = tokenName === undefined ? "" : await tokens.get(tokenName);
      if (token === undefined)
        throw new ApiFailure(409, "token", sentence("token-missing", { name: target.name }));
      const key = keyOf(project, id);
      if (going.has(key))
        throw new ApiFailure(409, "sending", sentence("sending", { name: target.name }));
      const deployment: Deployment = {
        id: randomUUID(),
        target: id,
        release: release.number,
        revision: release.revision,
        at: clock.now(),
        state: "sending",
      };
      let seen = 0;
      entry.deployments = [deployment, ...entry.deployments].filter(
        (one) => one.target !== id || ++seen <= TOLD,
      );
      const ends = new AbortController();
      // The deployment is recorded before anything is sent, so that none is unknown after a crash.
      const begun = list.save(project, entry);
      const done = begun
        .then(() => carry(entry, { target, release, token, deployment }, ends.signal))
        .catch((error: Error) => parts.onNotice(error.message))
        .finally(() => going.delete(key));
      going.set(key, { ends, done });
      await begun.catch((error: unknown) => {
        entry.deployments = entry.deployments.filter((one) => one !== deployment);
        throw error;
      });
      return get(project);
    },
    async stop(project, id) {
      const running = going.get(keyOf(project, id));
      running?.ends.abort();
      await running?.done;
      return get(project);
    },
    async forgetToken(project, id) {
      const name = find(id).tokenFor(entryOf(project).places[id] ?? {});
      if (name !== undefined) await tokens.forget(name);
      return get(project);
    },
    suspend: endAll,
    async remove(project) {
      await endAll(project);
      if (list.get(project)) await list.remove(project);
    },
    close: () => endAll(),
  };
}

/** A sentence about progress or a failure, in the form that a deployment stores. */
const progressOf = ({ text, coded }: Sentence) => ({ said: text, saidCode: coded });
