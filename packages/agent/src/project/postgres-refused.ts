import type { Finding } from "@treadle/protocol";
import type { Workspace } from "@treadle/workspace";
import { clipLine } from "../text/clip.ts";
import { prose } from "../text/prose.ts";

const [MISSING, IN_TAB, LATE] = ["missing", "in-tab", "late"].map((name) =>
  prose(new URL(`./postgres-${name}.md`, import.meta.url)),
) as [string, string, string];
/** Characters of the line that is shown. */
const LINE = 300;
/** The system's word for a port that nobody listens on, or a server's that it cannot let anybody in yet, with its own port. */
const REFUSED = /\bECONNREFUSED\b[^\n]*[: ]5432\b|[: ]5432\b[^\n]*\brefused\b|\b57P03\b/i;

type Place = Pick<Workspace, "hasPostgres" | "hasSockets">;

/** Why no PostgreSQL answers in a workspace, and what to do, in words for the model. */
export function whyNoPostgres({ hasPostgres, hasSockets }: Place): string {
  if (hasPostgres) return LATE;
  return hasSockets === false ? IN_TAB : MISSING;
}

/** The same, if what was printed says that no PostgreSQL answered; else empty. */
export const postgresNote = (workspace: Place, printed: string): string =>
  refusedLine(printed) === undefined ? "" : `\n${whyNoPostgres(workspace)}`;

/** A finding if what a server printed says that no PostgreSQL answered it. */
export function postgresRefused(printed: string): Finding | undefined {
  const line = refusedLine(printed);
  if (line === undefined) return undefined;
  const detail = clipLine(line.trim(), LINE);
  return { code: "postgres-refused", subject: "localhost:5432", detail };
}

const refusedLine = (printed: string) => printed.split("\n").find((line) => REFUSED.test(line));
