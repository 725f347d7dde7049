import type { ProjectService } from "@treadle/server";
import { plain } from "./plain.ts";

type Difference = Awaited<ReturnType<ProjectService["changes"]>>[number];

const MARK = { added: "+", changed: "~", removed: "−" } as const;
/** Maximum number of listed files. */
const FILES = 40;

/** Describes what a run did to the folder, one line per file; empty without changes. */
export function changedFiles(differences: readonly Difference[]): string {
  if (differences.length === 0) return "";
  const width = Math.max(...differences.slice(0, FILES).map(({ path }) => plain(path).length));
  const lines = differences
    .slice(0, FILES)
    .map((one) => `  ${MARK[one.kind]} ${plain(one.path).padEnd(width)}  ${extent(one)}`.trimEnd());
  const more = differences.length - FILES;
  if (more > 0) lines.push(`  … and ${more} more`);
  const count = differences.length === 1 ? "1 file" : `${differences.length} files`;
  return `\nChanged ${count}:\n${lines.join("\n")}\n`;
}

function extent({ binary, diff, cut }: Difference): string {
  if (binary) return "not text";
  if (cut) return "";
  const lines = diff.split("\n");
  const added = lines.filter((line) => line.startsWith("+")).length;
  const removed = lines.filter((line) => line.startsWith("-")).length;
  return [added > 0 ? `+${added}` : "", removed > 0 ? `−${removed}` : ""].filter(Boolean).join(" ");
}
