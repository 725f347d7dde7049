import { readFileSync } from "node:fs";

/** One small change that a person asks for, and what a good model does about it. */
export interface TraceTurn {
  say: string;
  /** Files that it has to see first: those that it has not seen in this session. */
  reads: string[];
  edits: { path: string; edits: { old: string; new: string }[] }[];
  /** The sentence before the work, and the one after it. */
  intro: string;
  done: string;
}

/** A project as the session finds it, by path, and what is asked of it. */
export interface Trace {
  files: Record<string, string>;
  turns: TraceTurn[];
}

export function readTrace(): Trace {
  return JSON.parse(readFileSync(new URL("./trace.json", import.meta.url), "utf8")) as Trace;
}

/** The files after one turn. */
export function apply(files: Record<string, string>, { edits }: TraceTurn): Record<string, string> {
  const next = { ...files };
  for (const { path, edits: passages } of edits)
    for (const passage of passages)
      next[path] = (next[path] ?? "").replace(passage.old, () => passage.new);
  return next;
}
