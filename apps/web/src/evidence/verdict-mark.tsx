import type { ProjectStatus } from "@treadle/protocol/fold";
import { Check, CircleDashed, Hand, Minus, Play, X } from "../ui/icons.ts";

export const VERDICT_COLOUR: Record<ProjectStatus, string> = {
  working: "text-accent",
  waiting: "text-accent",
  verified: "text-verified",
  runs: "text-ink",
  failed: "text-failed",
  unverified: "text-unsure",
  new: "text-quiet",
};

/** The verdict as an icon, so that it is not shown by colour alone. */
export function VerdictMark({ state }: { state: ProjectStatus }) {
  const props = { size: 14, strokeWidth: 2.5, "aria-hidden": true } as const;
  const className = `shrink-0 ${VERDICT_COLOUR[state]}`;
  if (state === "verified") return <Check {...props} className={className} />;
  if (state === "runs") return <Play {...props} className={className} />;
  if (state === "failed") return <X {...props} className={className} />;
  if (state === "waiting") return <Hand {...props} className={className} />;
  if (state === "working")
    return (
      <span className={`${className} pulsing`}>
        <CircleDashed {...props} />
      </span>
    );
  return <Minus {...props} className={className} />;
}
