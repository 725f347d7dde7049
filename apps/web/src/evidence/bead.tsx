import type { CheckState } from "./check-state.ts";

/**
 * Hollow: not tried. Pulsing: in progress. Filled: holds. Half: does not count. Broken: failed. Struck through: does not
 * apply.
 */
export function Bead({ state }: { state: CheckState }) {
  return (
    <svg
      className={state === "going" ? "pulsing" : undefined}
      viewBox="0 0 16 16"
      width="14"
      height="14"
      fill="none"
      strokeWidth="1.75"
      strokeLinecap="round"
      aria-hidden="true"
    >
      {state === "untried" && <circle cx="8" cy="8" r="5" className="stroke-edge" />}
      {state === "going" && (
        <>
          <circle cx="8" cy="8" r="5" className="stroke-accent" />
          <circle cx="8" cy="8" r="2.5" className="fill-accent" />
        </>
      )}
      {state === "held" && <circle cx="8" cy="8" r="5.75" className="fill-verified" />}
      {state === "uncounted" && (
        <>
          <circle cx="8" cy="8" r="5" className="stroke-unsure" />
          <path d="M8 3a5 5 0 0 0 0 10z" className="fill-unsure" />
        </>
      )}
      {state === "failed" && (
        <g className="fill-failed">
          <path d="M7.2 1.9A6 6 0 0 0 5 13.2L7.6 9.6 5.9 7.4z" />
          <path d="M9.6 2.2A6 6 0 0 1 7.6 14L10.2 9.4 8.4 7z" />
        </g>
      )}
      {state === "inapplicable" && (
        <g className="stroke-edge">
          <circle cx="8" cy="8" r="5" strokeDasharray="1.5 2.4" />
          <path d="M3 13 13 3" />
        </g>
      )}
    </svg>
  );
}
