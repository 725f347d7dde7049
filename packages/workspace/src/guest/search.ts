import { sentence } from "@treadle/protocol/sentences";
import { headOf } from "@treadle/protocol/safe-text";
import { spawn } from "node:child_process";
import type { ProjectPath } from "@treadle/protocol";
import { foreignGlobs } from "../ignored.ts";
import type { Sources } from "../sources/sources.ts";
import { fromDisk } from "../paths.ts";
import { boundedLines } from "./bounded-lines.ts";
import { surveySources } from "./list-files.ts";
import { refuseLinks } from "./open-folder.ts";
import { WorkspaceError } from "../types.ts";
import type { Params, Result } from "../wire/requests.ts";

const DEFAULT_LIMIT = 200;
/** Maximum length of a line in the results: a minified line is no useful result. */
const LINE_LIMIT = 500;
/** Maximum number of context lines: to see more, read the file. */
const AROUND_LIMIT = 20;
/**
 * Maximum length of ripgrep's record of one line with its matches, in characters: a whole program
 * on one line is skipped.
 */
const RECORD_LIMIT = 4 * 1024 * 1024;

/** Finds matching lines with ripgrep; stops reading at the limit. */
export async function search(
  root: string,
  sources: Sources,
  ripgrep: string,
  query: Params<"search">,
): Promise<Result<"search">> {
  const { under = "", limit = DEFAULT_LIMIT } = query;
  refuseLinks(root, under);
  surveySources(root, sources);
  // Searches exactly the listed files: ripgrep's own handling of .gitignore is turned off.
  const args = ["--json", "--sort=path", "--hidden", "--no-ignore", "--no-config"];
  if (query.glob) args.push("--glob", query.glob);
  if (query.leaveOut) args.push("--glob", `!${query.leaveOut}`);
  // The last matching pattern wins, so that a glob like `*.ts` cannot include node_modules.
  for (const glob of foreignGlobs()) args.push("--glob", glob);
  if (!query.regex) args.push("--fixed-strings");
  if (!query.caseSensitive) args.push("--ignore-case");
  if (query.around) args.push("--context", String(Math.min(query.around, AROUND_LIMIT)));
  args.push("--regexp", query.pattern, "--", under === "" ? "." : `./${under}`);

  const child = spawn(ripgrep, args, { cwd: root, stdio: ["ignore", "pipe", "pipe"] });
  const ended = new Promise<number>((resolve) => {
    child.once("error", () => resolve(127));
    child.once("exit", (code) => resolve(code ?? 0));
  });
  let complaint = "";
  child.stderr.on("data", (bytes: Buffer) => {
    if (complaint.length < 2_000) complaint += bytes.toString();
  });
  const matches: Result<"search">["matches"] = [];
  /** The file of the last match: its lines arrive one after the other. */
  let asked: { path: ProjectPath; shown: boolean } | undefined;
  const isShown = (path: ProjectPath): boolean => {
    if (asked?.path !== path)
      asked = { path, shown: ["source", "data"].includes(sources.kindOf(path)) };
    return asked.shown;
  };
  let matched = 0;
  let more = false;
  for await (const line of boundedLines(child.stdout, RECORD_LIMIT)) {
    if (line === undefined) {
      more = true;
      continue;
    }
    const record = JSON.parse(line) as {
      type: string;
      data: { path: { text?: string }; lines: { text?: string }; line_number: number };
    };
    const beside = record.type === "context";
    if ((record.type !== "match" && !beside) || record.data.path.text === undefined) continue;
    const path = fromDisk(record.data.path.text.replace(/^\.\//, ""));
    if (!isShown(path)) continue;
    if (!beside && ++matched > limit) {
      more = true;
      child.kill();
      break;
    }
    matches.push({
      path,
      line: record.data.line_number,
      text: headOf((record.data.lines.text ?? "").replace(/\r?\n$/, ""), LINE_LIMIT),
      beside: beside || undefined,
    });
  }
  const code = await ended;
  // 2 with matches means that some file could not be read; the matches are still valid.
  if (code === 2 && matches.length === 0)
    throw new WorkspaceError("failed", sentence("search-failed", { why: complaint.trim() }));
  if (code === 127) throw new WorkspaceError("failed", sentence("search-program-missing"));
  return { matches, more };
}
