import type { Finding } from "@treadle/protocol";
import { clipLine } from "../text/clip.ts";

/** Characters of the line that is shown. */
const LINE = 300;
/** The system's word for a port that nobody listens on, or a server's that it cannot let anybody in yet, with its own port. */
const REFUSED = /\bECONNREFUSED\b[^\n]*[: ]5432\b|[: ]5432\b[^\n]*\brefused\b|\b57P03\b/i;

/** A finding if what a server printed says that no PostgreSQL answered it. */
export function postgresRefused(printed: string): Finding | undefined {
  const line = printed.split("\n").find((one) => REFUSED.test(one));
  if (line === undefined) return undefined;
  return {
    code: "postgres-refused",
    subject: "localhost:5432",
    detail: clipLine(line.trim(), LINE),
  };
}
