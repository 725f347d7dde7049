/** The four strokes of the loop. */
export type Phase = "write" | "run" | "look" | "repair";

const STROKES: [Phase, string][] = [
  ["write", "M14.33 3.31A9 9 0 0 1 20.69 9.67"],
  ["run", "M20.69 14.33A9 9 0 0 1 14.33 20.69"],
  ["look", "M9.67 20.69A9 9 0 0 1 3.31 14.33"],
  ["repair", "M3.31 9.67A9 9 0 0 1 9.67 3.31"],
];

/** The loop of write, run, look and repair, as a ring. Highlights the current stroke, or the first one at rest. */
export function LoopMark({ phase, size = 20 }: { phase?: Phase; size?: number }) {
  return (
    <svg
      viewBox="0 0 24 24"
      width={size}
      height={size}
      fill="none"
      strokeWidth="3"
      strokeLinecap="round"
      aria-hidden="true"
      data-phase={phase ?? "rest"}
    >
      {STROKES.map(([name, path]) => (
        <path
          key={name}
          d={path}
          className={
            name === (phase ?? "write") ? "stroke-accent" : phase ? "stroke-edge" : "stroke-ink"
          }
        />
      ))}
    </svg>
  );
}
