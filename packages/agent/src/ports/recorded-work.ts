import type { Evidence } from "@treadle/protocol";

/** What was seen outside in a recorded run, given in place of running anything: a replay needs no sandbox then. */
export interface RecordedWork {
  /** The recorded outcome of a call; undefined: the call is carried out. */
  result(tool: string): { ok: boolean; title: string; result: string } | undefined;
  /** What the next look saw; undefined: the project is looked at. */
  evidence(): Evidence | undefined;
}
