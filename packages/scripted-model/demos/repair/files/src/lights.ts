/** A light as a chart describes it. Times in seconds. */
export interface Light {
  name: string;
  /** The abbreviation that is printed beside it on a chart. */
  character: string;
  meaning: string;
  period: number;
  /** When it is lit within one period: from, to. */
  lit: [from: number, to: number][];
  height: number;
  since: number;
  story: string;
  /** Where it stands on our chart of 800 by 520. */
  x: number;
  y: number;
  labelSide: "left" | "right";
}

export const LIGHTS: Light[] = [
  {
    name: "Gannet Rock",
    character: "Fl(3) 15s",
    meaning: "Three flashes every fifteen seconds",
    period: 15,
    lit: [
      [0, 0.8],
      [2.4, 3.2],
      [4.8, 5.6],
    ],
    height: 41,
    since: 1839,
    story: "Two keepers, one stove and a rope for the mail. Shown here: the logbook of the winter of 1880.",
    x: 660,
    y: 84,
    labelSide: "left",
  },
  {
    name: "Skerry Point",
    character: "Fl(2) 10s",
    meaning: "Two flashes every ten seconds",
    period: 10,
    lit: [
      [0, 1],
      [2.5, 3.5],
    ],
    height: 28,
    since: 1871,
    story: "The lens is the height of a door. You can walk round it, and see yourself upside down in it.",
    x: 246,
    y: 168,
    labelSide: "right",
  },
  {
    name: "Mare Bank",
    character: "Oc 6s",
    meaning: "Lit, with one short darkness every six seconds",
    period: 6,
    lit: [[0, 4.5]],
    height: 11,
    since: 1902,
    story: "A lightship: it moved with the sand that it warned of. Her bell is yours to ring, gently.",
    x: 520,
    y: 268,
    labelSide: "right",
  },
  {
    name: "North Mole",
    character: "Iso 4s",
    meaning: "Two seconds of light, two of darkness",
    period: 4,
    lit: [[0, 2]],
    height: 9,
    since: 1924,
    story: "The one that everybody here grew up with. Forty people told us what it meant to them.",
    x: 300,
    y: 356,
    labelSide: "right",
  },
  {
    name: "The Narrows",
    character: "Q",
    meaning: "Quick: one flash every second",
    period: 1,
    lit: [[0, 0.4]],
    height: 5,
    since: 1958,
    story: "No tower at all, a lamp on a post. It is the last one that a boat sees before it is home.",
    x: 392,
    y: 446,
    labelSide: "right",
  },
];
