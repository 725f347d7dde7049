import type { RunsWhere } from "./runs-where.ts";
import { clip, LINE } from "./printed-lines.ts";

const LINES = 3;
/** Maximum characters of a host's name. */
const HOST = 200;

/** The code of npm's error in its output, if the network, the registry or the package is the cause. */
export const npmWord = (printed: string) =>
  /^npm (?:error|ERR!) code (E404|ETARGET|ENOTFOUND|EAI_AGAIN|ECONN[A-Z]+|ETIMEDOUT|E?SOCKET\w*|ERR_SOCKET\w*|ENET[A-Z]+|EHOST[A-Z]+|E40[13]|E50\d|FETCH_ERROR)\b/m.exec(
    printed,
  )?.[1];

/**
 * The host named by npm. Inside the sandbox the registry is our own proxy, which reports what it
 * could not reach.
 */
export function hostIn(printed: string, where: RunsWhere): string | undefined {
  const behind = /cannot be reached: .*?\bE[A-Z_]+ ([^\s"]+)/.exec(printed)?.[1];
  if (behind !== undefined) return clip(behind, HOST);
  const host = /^npm (?:error|ERR!).*?https?:\/\/([^\s/"'?#]+)/m.exec(printed)?.[1];
  return where === "sandbox" && host?.startsWith("127.0.0.1") ? undefined : host;
}

/** The relevant lines of npm's error: the first ones, without its advice. */
export function npmLines(printed: string): string {
  const lines = printed
    .split(/\r?\n/)
    .filter(
      (line) => /^npm (?:error|ERR!)\s+\S+ \S/.test(line) && !line.includes("A complete log"),
    );
  return lines
    .slice(0, LINES)
    .map((line) => clip(line, LINE))
    .join("\n");
}
