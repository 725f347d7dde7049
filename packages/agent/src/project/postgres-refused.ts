import type { Finding } from "@treadle/protocol";
import type { Workspace } from "@treadle/workspace";
import { clipLine } from "../text/clip.ts";
import { prose } from "../text/prose.ts";

const [MISSING, IN_TAB, LATE] = ["missing", "in-tab", "late"].map((name) =>
  prose(new URL(`./postgres-${name}.md`, import.meta.url)),
) as [string, string, string];
/** Maximum characters of the quoted line. */
const LINE = 300;
/**
 * Matches the system's error for port 5432 without a listener, or PostgreSQL's code for a server that is not ready yet.
 */
const REFUSED = /\bECONNREFUSED\b[^\n]*[: ]5432\b|[: ]5432\b[^\n]*\brefused\b|\b57P03\b/i;

type Place = Pick<Workspace, "hasPostgres" | "hasSockets">;

/** Explains for the model why no PostgreSQL answers in a workspace, and what to do. */
export function whyNoPostgres({ hasPostgres, hasSockets }: Place): string {
  if (hasPostgres) return LATE;
  return hasSockets === false ? IN_TAB : MISSING;
}

/** The explanation of `whyNoPostgres` if the output shows that no PostgreSQL answered; empty otherwise. */
export const postgresNote = (workspace: Place, printed: string): string =>
  refusedLine(printed) === undefined ? "" : `\n${whyNoPostgres(workspace)}`;

/** A finding if a server's output shows that no PostgreSQL answered; undefined otherwise. */
export function postgresRefused(printed: string): Finding | undefined {
  const line = refusedLine(printed);
  if (line === undefined) return undefined;
  const detail = clipLine(line.trim(), LINE);
  return { code: "postgres-refused", subject: "localhost:5432", detail };
}

const refusedLine = (printed: string) => printed.split("\n").find((line) => REFUSED.test(line));
