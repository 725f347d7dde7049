import type { RunMode } from "@treadle/protocol";
import { MessagesSquare } from "../ui/icons.ts";
import { PlanSwitch } from "./plan-switch.tsx";
import { words } from "../words/words.ts";

/** The mode of the next message: build, plan only, or talk only. */
export function ModeSwitches({ mode, onMode }: { mode: RunMode; onMode: (mode: RunMode) => void }) {
  const talks = mode === "discuss";
  return (
    <>
      <button
        type="button"
        aria-pressed={talks}
        aria-label={words.prompt.discuss}
        title={words.prompt.discussAbout}
        onClick={() => onMode(talks ? "act" : "discuss")}
        className={`inline-flex h-7 shrink-0 items-center gap-1.5 rounded px-2 text-small hover:bg-hover pointer-coarse:min-h-11 ${talks ? "bg-hover text-accent" : "text-quiet hover:text-ink"}`}
      >
        <MessagesSquare size={15} aria-hidden="true" />
        {talks && <span className="@max-[430px]:sr-only">{words.prompt.discuss}</span>}
      </button>
      <PlanSwitch checked={mode === "plan"} onChange={(plan) => onMode(plan ? "plan" : "act")} />
    </>
  );
}
