import type { ReviewAct } from "@treadle/accounts";
import type { ReviewKind } from "@treadle/protocol";
import { describePackage } from "@treadle/publish";
import { createTemplatePackages, namedPackages } from "@treadle/workspace";
import type { Base } from "./assemble-base.ts";
import type { Previews } from "./assemble-previews.ts";
import type { Projects } from "./assemble-projects.ts";
import type { Publishing } from "./assemble-publishing.ts";
import type { SettingsService } from "./projects/project-settings.ts";

/** Shows the held release of a request to publish, at its own capability. */
export type TryReviewed = (project: string, review: string) => Promise<{ capability: string }>;

/** Lets the packages of teams be looked up in projects and in the package registry. */
function connectPackages(
  { people, env, store, now, onNotice }: Base,
  runtimes: Projects["runtimes"],
): void {
  people.accounts?.packages.connect({
    describe: (name, version, signal) => describePackage(env, name, version, signal),
    templates: createTemplatePackages({ env, settings: store.settings, now }),
    async askerOf(project) {
      const item = (await store.projects.get(project))?.queue?.find(({ started }) => started);
      return item?.by && { by: item.by, run: item.run };
    },
    async namedBy(project) {
      const workspace = runtimes.known(project)?.holder.current();
      return workspace ? namedPackages(workspace) : [];
    },
    onNotice,
  });
}

/** Shows held releases, each at one capability until its trial ends. */
function createTrials({ show }: Previews, publications: Publishing["publications"]): TryReviewed {
  const shown = new Map<string, { capability: string }>();
  return async (project, review) => {
    const trial = await publications.tryReviewed(project, review);
    const known = shown.get(review);
    if (known) return known;
    const { capability, hide } = show(project, {
      // A separate name, so that what is learnt about its ports applies to this copy only.
      project: `${project}-${review}`,
      connect: trial.connect,
      ports: trial.ports,
      onReport() {},
    });
    shown.set(review, { capability });
    void trial.ended.then(() => {
      shown.delete(review);
      hide();
    });
    return { capability };
  };
}

/**
 * Connects each kind of request that needs a second person to what happens once it is approved or refused.
 * @returns a function that shows the held release of a request
 */
export async function connectReviews(
  base: Base,
  previews: Previews,
  { runtimes, mcp }: Projects,
  { publications }: Publishing,
  settings: Pick<SettingsService, "allowHost">,
): Promise<TryReviewed> {
  const { people, notifications, logListeners, onNotice } = base;
  const acts: Record<ReviewKind, ReviewAct> = {
    publish: {
      async apply({ id, project, subject, answer }, checkStill) {
        const by = answer!.by.name;
        await publications.publishReviewed(project, id, { by, subject, checkStill });
        return "begun";
      },
      discard: ({ id, project }) => publications.discardReviewed(project, id),
      async checkReady({ id, project }) {
        publications.checkReviewable(project, id);
      },
      outcome({ id, project }) {
        const release = publications.findReviewed(project, id);
        if (release === undefined || release.state === "failed") return "failed";
        return release.state === "ready" ? "done" : "open";
      },
    },
    host: {
      async apply({ project, subject }) {
        for (const host of subject.what) await settings.allowHost(project, host);
        return "done";
      },
    },
    package: {
      async apply(review) {
        await people.accounts!.packages.approve(review);
        return "done";
      },
    },
    "tool-server": {
      async apply({ project, subject: { trust } }) {
        const runtime = await runtimes.get(project);
        switch (trust?.step) {
          case "accept":
            await mcp.accept(project, trust.digest);
            break;
          case "enable":
            await mcp.update({ project }, trust.server, { enabled: true });
            break;
          case "allow":
            await mcp.allow({ place: { project }, project, name: trust.server, tool: trust.tool, allowed: true }); // prettier-ignore
            break;
          case "question":
            await runtime.answer(trust.question, { kind: "approve", ...trust });
            break;
        }
        return "done";
      },
      async discard({ project, state, answer, subject: { trust } }) {
        if (state !== "refused" || trust?.step !== "question") return;
        const runtime = await runtimes.get(project);
        await runtime.answer(trust.question, { kind: "deny", words: answer?.words });
      },
    },
  };
  const { reviews } = people.accounts ?? {};
  if (reviews) {
    connectPackages(base, runtimes);
    await reviews.connect(acts);
    // Discards releases of a server that was stopped before it had made their requests.
    for (const { project, review } of publications.heldForReview())
      if ((await reviews.stateOf(review)) === undefined)
        await publications.discardReviewed(project, review);
    reviews.onWaiting(({ project }, answerers) =>
      notifications.reviewAsked(
        project,
        answerers.flatMap(({ email }) => email ?? []),
      ),
    );
    logListeners.add((project, event) => {
      if (event.type !== "answer" && event.type !== "run-end") return;
      const isOver = (review: Awaited<ReturnType<typeof reviews.waiting>>[number]) =>
        review.project === project && review.subject.trust?.step === "question";
      reviews
        .waiting()
        .then((all) => Promise.all(all.filter(isOver).map(({ id }) => reviews.obsolete(id))))
        .catch((error: Error) => onNotice(error.message));
    });
  }
  return createTrials(previews, publications);
}
