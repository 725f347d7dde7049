import type { Evidence } from "@treadle/protocol";

/**
 * The outcomes of a recorded run, used instead of executing anything, so that a replay needs no
 * sandbox.
 */
export interface RecordedWork {
  /** The recorded outcome of a call; undefined: the call is executed. */
  result(tool: string): { ok: boolean; title: string; result: string } | undefined;
  /** The next recorded evidence; undefined: the project is observed. */
  evidence(): Evidence | undefined;
}
