import { isRunning } from "@treadle/protocol/fold";
import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { useEffect } from "react";
import { useMe, useProjectAccess } from "../api/account.ts";
import { Members } from "../members/members.tsx";
import { projectKey, readProject } from "../api/projects.ts";
import { ApiFailure, sentence } from "../api/request.ts";
import { useSpanInAddress } from "../changes/span-in-address.ts";
import { FollowProject, useLiveState, useView } from "../live/live-context.tsx";
import { Button } from "../ui/button.tsx";
import { Lost } from "../ui/lost.tsx";
import { useNarrow } from "../ui/use-narrow.ts";
import { newsWords, useAwayNotice } from "./use-away-notice.ts";
import { useFollowWork } from "./use-follow-work.ts";
import { useSearchTargetLine } from "./use-search-target-line.ts";
import { forgetChanges } from "../project/changes-store.ts";
import { restoreTerminals } from "../project/terminals-store.ts";
import { useWork } from "../project/work-store.ts";
import { ContextDialog } from "../usage/context-dialog.tsx";
import { Databases } from "../databases/databases.tsx";
import { Checks } from "../checks/checks.tsx";
import { Git } from "../git/git.tsx";
import { Publish } from "../publish/publish-button.tsx";
import { Comments } from "../comments/comments-button.tsx";
import { ShareLinks } from "../share/share-button.tsx";
import { ComparisonNotice } from "./comparison-notice.tsx";
import { NarrowLayout } from "./narrow-layout.tsx";
import { ProjectCommands } from "./project-commands.tsx";
import { ProjectHeader } from "./project-header.tsx";
import { SettingsPlace } from "../settings/settings-place.tsx";
import { useProject } from "../project/use-project.ts";
import { WideLayout } from "./wide-layout.tsx";
import { words } from "../words/words.ts";

/** One project: its conversation and its work. */
export function ProjectPage() {
  const { project } = useParams({ from: "/p/$project" });
  const { data, error, refetch } = useQuery({
    queryKey: projectKey(project),
    queryFn: ({ signal }) => readProject(project, signal),
  });
  useEffect(() => {
    useWork.getState().reset();
    forgetChanges();
    restoreTerminals(project);
  }, [project]);
  useSpanInAddress();
  // Waits for the permissions, so that no control appears and then disappears.
  const isAccessKnown = useProjectAccess(project) !== undefined;
  if (data && isAccessKnown)
    return (
      <FollowProject key={project} project={project}>
        <WorkbenchOrGone />
      </FollowProject>
    );
  if (error instanceof ApiFailure && error.status === 404)
    return (
      <Lost title={words.workbench.noProject}>
        {words.workbench.noProjectAt({ address: project })}
      </Lost>
    );
  if (error)
    return (
      <Lost title={words.workbench.cannotShow}>
        {sentence(error)} <Button onClick={() => void refetch()}>{words.workbench.tryAgain}</Button>
      </Lost>
    );
  return <p className="p-6 text-quiet">{words.workbench.opening}</p>;
}

/** The workbench, or a message if the project was deleted or the person lost access or their session meanwhile. */
function WorkbenchOrGone() {
  const status = useLiveState(({ refused }) => refused?.status);
  const isTeam = useMe()?.accounts === true;
  if (status === 401 && isTeam)
    return (
      <Lost title={words.workbench.signedOut} reloads>
        {words.workbench.signedOutAbout}
      </Lost>
    );
  if (status !== 404) return <Workbench />;
  if (isTeam) return <Lost title={words.workbench.noAccess}>{words.workbench.noAccessAbout}</Lost>;
  return <Lost title={words.workbench.gone}>{words.workbench.goneMeanwhile}</Lost>;
}

function Workbench() {
  const narrow = useNarrow();
  const { id, name } = useProject();
  const working = useView(isRunning);
  const waits = useView((view) => view.question !== undefined);
  const unseen = useAwayNotice();
  useFollowWork();
  useSearchTargetLine();
  useEffect(() => {
    if (unseen !== undefined && !waits) {
      document.title = words.workbench.unseenTitle({ what: newsWords(unseen), name });
      return;
    }
    document.title = waits
      ? words.workbench.waitsTitle({ name })
      : working
        ? `… ${name}`
        : `${name} · Treadle`;
  }, [name, working, waits, unseen]);
  return (
    <div className="flex h-full flex-col">
      <ProjectHeader narrow={narrow} />
      <ConnectionNotice />
      <ComparisonNotice />
      <ProjectCommands narrow={narrow} />
      <SettingsPlace project={id} />
      <ContextDialog />
      <Publish />
      <ShareLinks />
      <Comments />
      <Members />
      <Databases />
      <Git />
      <Checks />
      <main id="main" tabIndex={-1} aria-label={name} className="min-h-0 flex-1 outline-none">
        {narrow ? <NarrowLayout /> : <WideLayout />}
      </main>
    </div>
  );
}

function ConnectionNotice() {
  const lost = useLiveState((state) => state.connection === "lost");
  const refused = useLiveState((state) => state.refused);
  if (!lost && !refused) return null;
  return (
    <p role="status" className="border-b border-line px-4 py-1.5 text-small text-unsure">
      {refused ? sentence(refused) : words.workbench.lost}
    </p>
  );
}
