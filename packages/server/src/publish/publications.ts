import { join } from "node:path";
import type { AppError, Publication, Release } from "@treadle/protocol";
import { verdictOf } from "@treadle/protocol/fold";
import type { Store } from "@treadle/store";
import { removeTree, type Workspace, type WorkspaceDriver } from "@treadle/workspace";
import { ApiFailure, notFound } from "../common/api-failure.ts";
import type { KeptMap } from "../common/kept-map.ts";
import { checkCandidate } from "../gate/check-candidate.ts";
import { isSerious } from "../gate/check-files.ts";
import type { AskAdvisories } from "../gate/look-over.ts";
import { gateReport } from "../gate/gate-report.ts";
import type { Runtimes } from "../runtime/runtimes.ts";
import { createAnswers, type Answering, type Answers } from "./answering.ts";
import { readAppHost } from "./app-hosts.ts";
import { askOf } from "./ask-release.ts";
import { bring } from "./bring.ts";
import type { Published } from "./door.ts";
import type { KeptPublication, KeptRelease } from "./kept-publication.ts";
import { makeRelease, openRelease, siteFolder } from "./make-release.ts";
import { named, toOwnDomain } from "./names.ts";
import { ReleaseFailure } from "./release-failure.ts";
import { createReleasedApp } from "./released-app.ts";
import { serveSite } from "./serve-site.ts";

/** Releases that are kept besides the one that is answered with. */
const KEPT = 4;
/** Errors that are told, the newest. */
const ERRORS = 20;

/** Projects that are published on this machine: verified revisions, made ready and answered with under a name. */
export interface Publications {
  /** Undefined where it was never published. */
  get(project: string): Publication | undefined;
  /**
   * Makes a release of the files as they stand and answers with it once it is ready, unless something serious is found in
   * it: what comes of it is in `get`.
   * @param options.anyway who publishes it whatever is found
   * @throws ApiFailure 409 `working`, `not-verified`, `publishing`, `name-taken`; 400 `bad-name`
   */
  publish(
    project: string,
    options: { name?: string | undefined; anyway?: string | undefined },
  ): Promise<Publication>;
  /** Answers with a release that is held, on somebody's word. @throws ApiFailure 404, 409 `publishing` */
  publishHeld(project: string, release: number, by: string): Promise<Publication>;
  /** What was found in a release, as a text that can be read by itself. @throws ApiFailure 404 */
  report(project: string, release: number): string;
  /** Answers with a release that was made before, and with its data as it was left. @throws ApiFailure 404, 409 `publishing`; 502 `not-started` */
  goBack(project: string, release: number): Promise<Publication>;
  /** The domains of its own from now on, in any spelling. @throws ApiFailure 404; 400 `bad-domain`, 409 `domain-taken` */
  setDomains(project: string, domains: string[]): Promise<Publication>;
  /** Nothing of it is answered any more, and its releases are removed. */
  remove(project: string): Promise<void>;
  /** It was deleted, and can be put back. */
  rest(project: string): Promise<void>;
  back(project: string): void;
  /** What is published under the name or the domain of a Host header. */
  find(host: string | undefined): Published | undefined;
  /** Works with the files of the app that is answered with, which need not run; undefined where there is none. */
  withFiles<Result>(
    project: string,
    work: (workspace: Workspace) => Promise<Result>,
  ): Promise<Result | undefined>;
  /** Puts to sleep what nobody asked for `idleMs`. */
  sweep(idleMs: number): Promise<void>;
  close(): Promise<void>;
}

/** What goes on in one publication. */
interface Live {
  answers: Answers;
  requests: number;
  errors: AppError[];
  /** A release is being made, or brought. */
  going?: { ends: AbortController; done: Promise<void> } | undefined;
}

export function createPublications(parts: {
  store: Store;
  driver: WorkspaceDriver;
  runtimes: Runtimes;
  list: KeptMap<KeptPublication>;
  folderOf(project: string): string;
  /** Treadle's own origin: published apps have its scheme and port. */
  appOrigin(): string;
  /** Below which apps have their names for people elsewhere. */
  appsDomain: string | undefined;
  askAdvisories: AskAdvisories;
  now(): number;
  onNotice(text: string): void;
}): Publications {
  const { store, runtimes, list, now, appsDomain } = parts;
  const live = new Map<string, Live>();
  const resting = new Set<string>();
  const folderOf = (project: string, { number }: Pick<Release, "number">) =>
    join(parts.folderOf(project), "releases", String(number));

  for (const kept of list.all()) {
    for (const release of kept.releases)
      if (release.state === "building")
        Object.assign(release, { state: "failed", said: "Treadle was stopped meanwhile." });
    const current = kept.releases.find(({ number }) => number === kept.current);
    if (current) liveOf(kept.project).answers.put(answering(kept.project, current));
  }

  function liveOf(project: string): Live {
    const known = live.get(project);
    if (known) return known;
    const made: Live = { answers: createAnswers(), requests: 0, errors: [] };
    live.set(project, made);
    return made;
  }

  function onError(project: string, release: number, text: string): void {
    const { errors } = liveOf(project);
    errors.unshift({ at: now(), release, text });
    errors.length = Math.min(errors.length, ERRORS);
  }

  function answering(project: string, release: KeptRelease): Answering {
    const { number, command } = release;
    const folder = folderOf(project, release);
    if (command === undefined)
      return { release: number, kind: "site", answer: serveSite(siteFolder(folder)) };
    const app = createReleasedApp({
      command,
      now,
      open: () => openRelease(parts, project, release, folder),
      onCrash: (said) => {
        // One that nobody was answered with yet fails to be published instead.
        if (liveOf(project).answers.current()?.release === number) onError(project, number, said);
      },
    });
    return { release: number, kind: "app", app };
  }

  function told({ project, name, domains = [], current, releases }: KeptPublication): Publication {
    const { answers, requests, errors } = liveOf(project);
    const answer = answers.current();
    const { protocol, port } = new URL(parts.appOrigin());
    return {
      name,
      address: `${protocol}//${name}.localhost${port === "" ? "" : `:${port}`}/`,
      domains,
      publicAddresses: [
        ...domains,
        ...(appsDomain === undefined ? [] : [`${name}.${appsDomain}`]),
      ].map((host) => `https://${host}/`),
      current,
      releases: releases.map(({ command: _command, ...release }) => release).toReversed(),
      app: answer?.kind === "app" ? answer.app.state() : undefined,
      requests,
      errors,
    };
  }

  const keep = (kept: KeptPublication) => list.keep(kept.project, kept);

  function begin(project: string, work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const mine = liveOf(project);
    const ends = new AbortController();
    const done = work(ends.signal).finally(() => (mine.going = undefined));
    mine.going = { ends, done };
    return done;
  }

  async function make(
    { project }: KeptPublication,
    release: KeptRelease,
    { anyway, signal }: { anyway: string | undefined; signal: AbortSignal },
  ): Promise<"ready" | "held"> {
    const source = await (await runtimes.of(project)).workspace();
    const { command, looked } = await makeRelease(
      parts,
      { project, release, source, folder: folderOf(project, release) },
      { signal, onSaid: (said) => (release.said = said) },
    );
    Object.assign(release, { command, kind: command === undefined ? "site" : "app" });
    const next = answering(project, release);
    release.said = "It is started";
    try {
      const ask = await askOf(next, siteFolder(folderOf(project, release)));
      const gate = await checkCandidate(ask, { ...looked, isApp: next.kind === "app", signal });
      release.gate = gate;
      if (isSerious(gate)) {
        if (anyway === undefined) {
          if (next.kind === "app") await next.app.sleep();
          return "held";
        }
        gate.decided = { at: now(), by: anyway };
      }
      await bring(liveOf(project).answers, next, { withData: true });
      return "ready";
    } catch (error) {
      if (next.kind === "app") await next.app.sleep();
      throw error;
    }
  }

  /** Keeps what comes of a release; where it fails, nothing of it is left but why. */
  async function settle(
    kept: KeptPublication,
    release: KeptRelease,
    signal: AbortSignal,
    work: () => Promise<"ready" | "held">,
  ): Promise<void> {
    const folder = folderOf(kept.project, release);
    const began = now();
    try {
      const state = await work();
      Object.assign(release, { state, said: undefined, ms: release.ms ?? now() - began });
      if (state === "ready") kept.current = release.number;
    } catch (error) {
      const output = error instanceof ReleaseFailure ? error.output : undefined;
      const said = signal.aborted ? "It was stopped." : (error as Error).message;
      Object.assign(release, { state: "failed", said, output });
      await removeTree(folder).catch((failure: Error) => parts.onNotice(failure.message));
    }
    await thin(kept);
    await keep(kept);
  }

  /** The newest stay, and the one that is answered with. */
  async function thin(kept: KeptPublication): Promise<void> {
    const others = kept.releases.filter(({ number }) => number !== kept.current);
    const gone = new Set(others.slice(0, Math.max(0, others.length - KEPT)));
    kept.releases = kept.releases.filter((release) => !gone.has(release));
    for (const release of gone)
      await removeTree(folderOf(kept.project, release)).catch((error: Error) =>
        parts.onNotice(error.message),
      );
  }

  const refuseGoing = (project: string) => {
    if (live.get(project)?.going)
      throw new ApiFailure(409, "publishing", "It is being published already.");
  };

  async function end(project: string): Promise<void> {
    const mine = live.get(project);
    mine?.going?.ends.abort();
    await mine?.going?.done;
    const answer = mine?.answers.current();
    if (answer?.kind === "app") await answer.app.sleep();
  }

  return {
    get(project) {
      const kept = list.get(project);
      return kept && told(kept);
    },
    async publish(project, { name, anyway }) {
      const runtime = await runtimes.of(project);
      const record = await store.projects.get(project);
      if (!record) throw notFound("project");
      if (runtime.isWorking())
        throw new ApiFailure(
          409,
          "working",
          "The project is being worked on. Nothing was published.",
        );
      const { view } = runtime;
      const { revision } = view;
      const stands = verdictOf(view);
      if (stands?.verdict !== "verified" || revision === undefined)
        throw new ApiFailure(
          409,
          "not-verified",
          `Only what was seen to work is published${stands ? `, and ${stands.reason}` : ""}. Have it checked first; nothing was published.`,
        );
      refuseGoing(project);
      const kept = named(list.all(), record, name);
      const at =
        view.checkpoints.findLast((one) => one.revision === revision && !one.thinned)?.checkpoint ??
        (await runtime.keepNow("Published"));
      refuseGoing(project);
      const found = view.checkpoints.findLast(({ checkpoint }) => checkpoint === at);
      const release: KeptRelease = {
        number: (kept.releases.at(-1)?.number ?? 0) + 1,
        revision,
        checkpoint: at,
        label: found?.name ?? found?.label ?? "Published",
        at: now(),
        state: "building",
      };
      kept.releases.push(release);
      begin(project, (signal) =>
        settle(kept, release, signal, () => make(kept, release, { anyway, signal })),
      ).catch((error: Error) => parts.onNotice(error.message));
      await keep(kept);
      return told(kept);
    },
    async publishHeld(project, number, by) {
      const kept = list.get(project);
      const release = kept?.releases.find((one) => one.number === number);
      if (!kept || release?.state !== "held") throw notFound("release");
      refuseGoing(project);
      release.state = "building";
      if (release.gate) release.gate.decided = { at: now(), by };
      begin(project, (signal) =>
        settle(kept, release, signal, async () => {
          release.said = "It is started";
          await bring(liveOf(project).answers, answering(project, release), { withData: true });
          return "ready";
        }),
      ).catch((error: Error) => parts.onNotice(error.message));
      await keep(kept);
      return told(kept);
    },
    report(project, number) {
      const kept = list.get(project);
      const release = kept?.releases.find((one) => one.number === number);
      if (!kept || !release?.gate) throw notFound("release");
      return gateReport(kept.name, release, release.gate);
    },
    async goBack(project, number) {
      const kept = list.get(project);
      const release = kept?.releases.find((one) => one.number === number);
      if (!kept || release?.state !== "ready") throw notFound("release");
      refuseGoing(project);
      if (kept.current === number) return told(kept);
      await begin(project, async () => {
        await bring(liveOf(project).answers, answering(project, release), { withData: false });
        kept.current = number;
        await keep(kept);
      }).catch((error: Error) => {
        throw new ApiFailure(
          502,
          "not-started",
          `That release could not be started: ${error.message} What was answered with before still is.`,
        );
      });
      return told(kept);
    },
    async setDomains(project, domains) {
      const kept = list.get(project);
      if (!kept) throw notFound("publication");
      const others = list.all().filter((other) => other !== kept);
      kept.domains = [...new Set(domains.map((text) => toOwnDomain(text, others, appsDomain)))];
      await keep(kept);
      return told(kept);
    },
    async remove(project) {
      live.get(project)?.answers.put(undefined);
      await end(project);
      live.delete(project);
      resting.delete(project);
      if (!list.get(project)) return;
      await list.remove(project);
      await removeTree(join(parts.folderOf(project), "releases"));
    },
    async rest(project) {
      resting.add(project);
      await end(project);
    },
    back: (project) => void resting.delete(project),
    find(host) {
      const asked = readAppHost(host, appsDomain);
      if (!asked) return undefined;
      const kept = list
        .all()
        .find((one) =>
          "name" in asked ? one.name === asked.name : one.domains?.includes(asked.domain),
        );
      if (!kept || resting.has(kept.project)) return undefined;
      const { project } = kept;
      const mine = liveOf(project);
      return {
        project,
        answers: mine.answers,
        onRequest: () => void mine.requests++,
        onError: (release, text) => onError(project, release, text),
      };
    },
    async withFiles(project, work) {
      const answer = live.get(project)?.answers.current();
      return answer?.kind === "app" ? answer.app.withFiles(work) : undefined;
    },
    async sweep(idleMs) {
      for (const { answers } of live.values()) {
        const answer = answers.current();
        if (answer?.kind !== "app" || !answer.app.isOpen()) continue;
        if (now() - answer.app.usedAt() > idleMs) await answer.app.sleep();
      }
    },
    async close() {
      await Promise.all([...live.keys()].map(end));
    },
  };
}
