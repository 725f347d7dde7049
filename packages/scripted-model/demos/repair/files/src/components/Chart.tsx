import { LIGHTS, type Light } from "../lights.ts";
import { useRhythm } from "../useRhythm.ts";

/** The sea in front of the house, drawn as charts draw it: shallows blue, land buff, lights magenta. */
export function Chart({ held }: { held: boolean }) {
  return (
    <svg className="chart" viewBox="0 0 800 520" role="img" aria-label="Sea chart with the five lights">
      <rect className="deep" width="800" height="520" />
      <path
        className="shoal"
        d="M0 0h330c-20 60-50 96-20 150s70 90 40 150 20 70 60 90 50 70 40 130H0z"
      />
      <path
        className="shallow"
        d="M0 0h262c-14 54-40 86-6 138s56 92 34 142 14 82 58 104 62 74 50 136H0z"
      />
      <path
        className="land"
        d="M0 0h170c-4 50-26 76 16 118s66 52 52 96-34 76-4 112 66 34 60 58-52 6-58 40 60 44 92 96H0z"
      />
      <path className="shallow" d="M612 60c26-40 96-34 108 10s-44 66-84 54-42-38-24-64z" />
      <path className="land" d="M642 74c12-14 36-14 44 2s-12 26-28 24-26-14-16-26z" />
      <path className="contour" d="M470 214c44-16 120 2 128 44s-60 60-112 46-62-74-16-90z" />
      <g className="soundings" aria-hidden="true">
        {SOUNDINGS.map(([x, y, depth]) => (
          <text key={`${x}-${y}`} x={x} y={y}>
            {depth}
          </text>
        ))}
      </g>
      <g className="water-names" aria-hidden="true">
        <text x="560" y="420">
          Outer Roads
        </text>
        <text x="400" y="170">
          Long Sound
        </text>
      </g>
      {LIGHTS.map((light) => (
        <LightMark key={light.name} light={light} held={held} />
      ))}
    </svg>
  );
}

const SOUNDINGS: [x: number, y: number, depth: number][] = [
  [420, 60, 18],
  [530, 46, 24],
  [600, 210, 31],
  [730, 190, 42],
  [660, 330, 37],
  [470, 350, 12],
  [740, 470, 48],
  [560, 490, 16],
  [330, 262, 7],
  [496, 236, 4],
  [690, 250, 29],
  [360, 104, 9],
];

function LightMark({ light, held }: { light: Light; held: boolean }) {
  const glow = useRhythm<SVGGElement>(light, held);
  const left = light.labelSide === "left";
  const x = light.x + (left ? -30 : 30);
  return (
    <g className="light">
      <g ref={glow}>
        <circle className="halo" cx={light.x} cy={light.y} r="26" />
        <path
          className="flare"
          d={`M${light.x} ${light.y}c-7-13-6-26 4-36 8 12 6 25-4 36z`}
          transform={`rotate(60 ${light.x} ${light.y})`}
        />
      </g>
      <circle className="post" cx={light.x} cy={light.y} r="4" />
      <text x={x} y={light.y + 20} textAnchor={left ? "end" : "start"}>
        {light.name}
        <tspan className="character" x={x} dy="18">
          {light.character} {light.height}m
        </tspan>
      </text>
    </g>
  );
}
