import type { Light } from "../lights.ts";
import { useRhythm } from "../useRhythm.ts";

/** Seconds of every line: long enough for the slowest light to come round twice. */
const SHOWN = 30;

export function LightEntry({ light, held }: { light: Light; held: boolean }) {
  const lamp = useRhythm<HTMLSpanElement>(light, held);
  const turns = Array.from({ length: SHOWN / light.period }, (_, turn) => turn * light.period);
  return (
    <li className="entry">
      <div className="entry-head">
        <span className="lamp" ref={lamp} aria-hidden="true" />
        <h3>{light.name}</h3>
        <p className="character">{light.character}</p>
      </div>
      <div className="entry-body">
        <svg className="rhythm" viewBox={`0 0 ${SHOWN} 1`} preserveAspectRatio="none" aria-hidden="true">
          {turns.flatMap((start) =>
            light.lit.map(([from, to]) => (
              <rect key={start + from} x={start + from} width={to - from} height="1" />
            )),
          )}
        </svg>
        <p className="meaning">{light.meaning}</p>
        <p>{light.story}</p>
        <p className="facts">
          {light.height} m above the water, lit since {light.since}
        </p>
      </div>
    </li>
  );
}
