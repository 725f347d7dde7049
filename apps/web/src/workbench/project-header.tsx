import { Link } from "@tanstack/react-router";
import { Suspense, useRef } from "react";
import { OwnMenu } from "../account/own-menu.tsx";
import { useMe } from "../api/account.ts";
import { useMay } from "../project/use-may.ts";
import { currentActivity } from "../fold/phase.ts";
import { useView } from "../live/live-context.tsx";
import { LoopMark } from "../ui/loop-mark.tsx";
import { CommandsButton } from "../palette/commands-button.tsx";
import { SettingsButton } from "../settings/settings-button.tsx";
import { CheckButton } from "../evidence/check-button.tsx";
import { CheckRestButton } from "../evidence/check-rest-button.tsx";
import { FixButton } from "../evidence/fix-button.tsx";
import { EvidenceDot } from "../evidence/evidence-dot.tsx";
import { EvidenceStrip } from "../evidence/evidence-strip.tsx";
import { CommentsButton } from "../comments/comments-button.tsx";
import { History } from "../history/history.tsx";
import { NameMenu } from "./name-menu.tsx";
import { PublishButton } from "../publish/publish-button.tsx";
import { ShareButton } from "../share/share-button.tsx";
import { VerdictChip } from "../evidence/verdict-chip.tsx";
import { keysHint } from "../commands/hint.ts";
import { useLostFocus } from "../ui/use-lost-focus.ts";
import { lazyPart } from "../ui/lazy-part.tsx";
import { withWords, words } from "../words/words.ts";

/** Loaded only on a server with accounts, where several people may be in a project. */
const { Part: PeopleHere } = lazyPart(() => withWords(import("../together/people-here.tsx")));

/** The evidence, the verdict and the buttons. When a focused button disappears, the focus moves to the main one. */
function Seen() {
  const here = useRef<HTMLDivElement>(null);
  useLostFocus(here, () => here.current?.querySelector<HTMLElement>("[data-main], [data-part]"));
  return (
    <div ref={here} className="contents">
      <EvidenceStrip />
      <VerdictChip />
      <History />
      <CommentsButton />
      <PublishButton />
      <ShareButton />
      <CommandsButton />
      <SettingsButton />
      <NextStep />
    </div>
  );
}

/**
 * The button for the project's next step, at the right end. Draws nothing for a person who may not edit the project.
 */
function NextStep() {
  const mayEdit = useMay("project.edit");
  if (!mayEdit) return null;
  return (
    <>
      <CheckButton />
      <CheckRestButton />
      <FixButton />
      <PublishButton isNext />
    </>
  );
}

/** The header of every project page: the current activity, whether the app works, and the cost. */
export function ProjectHeader({ narrow }: { narrow: boolean }) {
  const isTeam = useMe()?.accounts === true;
  const phase = useView((view) => currentActivity(view)?.phase);
  return (
    <header className="flex min-h-12 shrink-0 items-center gap-1 border-b border-line px-2 wide:px-3">
      <Link
        to="/"
        aria-label={words.workbench.allProjects}
        {...keysHint("home", words.workbench.allProjects)}
        className="inline-flex size-8 shrink-0 items-center justify-center rounded hover:bg-hover"
      >
        <LoopMark phase={phase} />
      </Link>
      <div className="flex min-w-0 flex-1 items-center">
        <NameMenu />
      </div>
      {isTeam && (
        <Suspense fallback={null}>
          <PeopleHere narrow={narrow} />
        </Suspense>
      )}
      {narrow ? (
        <>
          <EvidenceDot />
          <VerdictChip />
        </>
      ) : (
        <Seen />
      )}
      {!narrow && <OwnMenu />}
    </header>
  );
}
