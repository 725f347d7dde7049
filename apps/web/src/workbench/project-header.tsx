import { Link } from "@tanstack/react-router";
import { doing } from "../fold/phase.ts";
import { useView } from "../live/live-context.tsx";
import { LoopMark } from "../ui/loop-mark.tsx";
import { Settings } from "../settings/settings.tsx";
import { CheckButton } from "../evidence/check-button.tsx";
import { FixButton } from "../evidence/fix-button.tsx";
import { EvidenceStrip } from "../evidence/evidence-strip.tsx";
import { History } from "../history/history.tsx";
import { NameMenu } from "./name-menu.tsx";
import { VerdictChip } from "../evidence/verdict-chip.tsx";

/** What it is doing, whether the app works, what it cost: on every project page, at the top. */
export function ProjectHeader({ narrow }: { narrow: boolean }) {
  const phase = useView((view) => doing(view)?.phase);
  return (
    <header className="flex h-12 shrink-0 items-center gap-1 border-b border-line px-2 wide:px-3">
      <Link
        to="/"
        aria-label="All projects"
        title="All projects"
        className="inline-flex size-8 shrink-0 items-center justify-center rounded hover:bg-hover"
      >
        <LoopMark phase={phase} />
      </Link>
      <NameMenu />
      <span className="flex-1" />
      <EvidenceStrip />
      <VerdictChip />
      {!narrow && (
        <>
          <CheckButton />
          <FixButton />
          <History />
          <Settings />
        </>
      )}
    </header>
  );
}
