import { useState, type ReactNode } from "react";
import { visible } from "@treadle/protocol/safe-text";
import { useLineName } from "./found-line.tsx";
import { ChevronRight } from "../ui/icons.ts";

export interface StepProps {
  /** Shown at the beginning of the line. */
  title: ReactNode;
  /** Shown at the end of the line, such as a duration. */
  number?: ReactNode;
  tone?: "failed" | "unsure" | "going" | undefined;
  quiet?: boolean;
  /** Whether this step is inside another. */
  inner?: boolean;
  /** The next action, shown beside a failure. */
  action?: ReactNode;
  startOpen?: boolean;
  /** The contents; rendered only when the step is open. */
  children?: () => ReactNode;
}

const TONES = { failed: "text-failed", unsure: "text-unsure", going: "text-accent" };

/** One line of a turn, which can be opened if it has contents. */
export function Step(props: StepProps) {
  const { title, number, tone, quiet, inner, action, startOpen = false, children } = props;
  const [chosen, setChosen] = useState<boolean>();
  const line = useLineName(() => setChosen(true));
  const open = chosen ?? startOpen;
  return (
    <div data-opens data-line={line} className={inner ? "pl-4" : ""}>
      <div className="flex items-center gap-2">
        <button
          type="button"
          aria-expanded={open}
          onClick={() => setChosen(!open)}
          className={`-mx-1 flex min-w-0 flex-1 items-center gap-1.5 rounded px-1 py-0.5 text-left hover:bg-hover pointer-coarse:min-h-9 ${
            tone ? TONES[tone] : quiet ? "text-quiet" : ""
          }`}
        >
          <ChevronRight
            size={14}
            aria-hidden="true"
            className={`shrink-0 text-quiet ${chosen === undefined ? "" : "transition-transform duration-(--appear)"} ${open ? "rotate-90" : ""}`}
          />
          <span className="min-w-0 truncate">
            {typeof title === "string" ? visible(title) : title}
          </span>
          {number !== undefined && number !== "" && (
            <span className="numbers ml-auto shrink-0 pl-2 text-small text-quiet">{number}</span>
          )}
        </button>
        {action}
      </div>
      {open && children && (
        <div className="mt-1 mb-2 ml-1.5 border-l border-line pl-3.5">{children()}</div>
      )}
    </div>
  );
}
