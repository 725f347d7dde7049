import { attack } from "@treadle/server";
import { attackHere } from "./attack-here.ts";
import { plain } from "../terminal/plain.ts";

type Area = Parameters<Parameters<typeof attack>[0]["onResult"]>[0]["area"] | "here";

const WORDS = { held: "held", through: "THROUGH", untried: "not tried" } as const;
const WIDTH = Math.max(...Object.values(WORDS).map((word) => word.length));

/** The aims of the attempts below each heading. */
const HEADINGS: Record<Area, string> = {
  read: "It tries to read",
  write: "It tries to change",
  files: "It has the host work in the project's folder, and leads it elsewhere",
  trust: "It has the host run or reveal something, through the project's own settings",
  privilege: "It tries to get",
  kernel: "It asks the kernel for",
  guest: "It tries to become the guest, and speaks in its place:",
  browser: "A page, in the browser that looks at it, tries to get, or to use up",
  here: "A project, or a backup of somebody else's, has this command write elsewhere, or wait, by",
  taken: "A browser that a page broke out of, in its own sandbox, tries",
  maker: "An install script, where dependencies are prepared for all, tries",
  tool: "A tool server, in a sandbox of its own, tries",
  published: "A published app tries to reach",
  connect: "It tries to reach",
  exhaust: "It tries to use up",
};

/** Limits for the output of a successful attempt: lines, and characters per line. */
const LINES = 6;
const LETTERS = 160;

/** `treadle doctor --attacks`: a table of the attempts of hostile code and their results. Status 1 if any succeeded. */
export async function attacks(): Promise<number> {
  const print = (line = "") => process.stdout.write(`${line}\n`);
  let heading: Area | undefined;
  const printResult = (
    { id, area, what }: { id: string; area: Area; what: string },
    { outcome, output }: { outcome: keyof typeof WORDS; output: string },
  ) => {
    if (area !== heading) print(`\n${HEADINGS[area]}`);
    heading = area;
    print(`  ${WORDS[outcome].padEnd(WIDTH)}  ${id.padEnd(4)}  ${plain(what)}`);
    if (outcome !== "through") return;
    for (const line of plain(output).trim().split("\n").slice(0, LINES))
      print(`${" ".repeat(WIDTH + 10)}→ ${line.slice(0, LETTERS)}`);
  };
  const counts = await attack({
    env: process.env,
    onOpened(driver) {
      print(`Hostile code runs in its own project (driver: ${driver}) and tries to get out.`);
      print("held: it tried, and got nothing. THROUGH: it got what it was after.");
      print("Numbers such as A31 are those of docs/attacks.md.");
    },
    onResult: printResult,
  });
  await attackHere((attempt, output) => {
    const outcome = output === "" ? "held" : "through";
    counts[outcome]++;
    printResult({ ...attempt, area: "here" }, { outcome, output });
  });
  const { held, through, untried } = counts;
  const end = [
    `${held} held`,
    `${through} went through`,
    ...(untried ? [`${untried} not tried, because a program is missing inside`] : []),
  ];
  print(`\n${held + through + untried} attempts: ${end.join(", ")}.`);
  if (through > 0) print("What goes through here is open to every project. Please report it.");
  return through > 0 ? 1 : 0;
}
