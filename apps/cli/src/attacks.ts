import { attack } from "@treadle/server";
import { plain } from "./plain.ts";

const WORDS = { held: "held", through: "THROUGH", untried: "not tried" } as const;
/** What an attempt that went through said: lines, and letters of each. */
const LINES = 6;
const LETTERS = 160;

/** `treadle doctor --attacks`: a table of what hostile code tried and what came of it. Status 1 if anything went through. */
export async function attacks(): Promise<number> {
  process.stdout.write("Hostile code tries this from inside a project of its own:\n\n");
  const counts = await attack({
    env: process.env,
    onResult({ id, area, what }, { outcome, output }) {
      const line = [WORDS[outcome].padEnd(9), area.padEnd(9), id.padEnd(3), plain(what)];
      process.stdout.write(`${line.join("  ")}\n`);
      if (outcome !== "through") return;
      for (const said of plain(output).trim().split("\n").slice(0, LINES))
        process.stdout.write(`${" ".repeat(11)}→ ${said.slice(0, LETTERS)}\n`);
    },
  });
  const { held, through, untried } = counts;
  const end = [
    `${held} held`,
    `${through} went through`,
    ...(untried ? [`${untried} not tried`] : []),
  ];
  process.stdout.write(`\n${held + through + untried} attempts: ${end.join(", ")}.\n`);
  if (through > 0)
    process.stdout.write("What goes through here is open to every project. Please report it.\n");
  return through > 0 ? 1 : 0;
}
