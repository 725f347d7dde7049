import type { DialectName } from "@treadle/protocol";
import { outputPath } from "./output-name.ts";
import type { OutputPort } from "./types.ts";

/** Lines omitted from the text for the model, counted from 1. */
export interface LeftOut {
  from: number;
  to: number;
  total: number;
}

/** Saves a text and resolves with how the model can read more of it; undefined if saving failed. */
export type KeepOutput = (text: string, left: LeftOut) => Promise<string | undefined>;

/** Saves outputs of the call with that id, and gives the advice in the model's dialect. */
export function keepOutput({ save }: OutputPort, call: string, dialect: DialectName): KeepOutput {
  return async (text, { from, to, total }) => {
    if (!(await save(call, text))) return undefined;
    const path = outputPath(call);
    const lines = `lines ${from} to ${to} of ${total}`;
    return dialect === "artifact"
      ? `${lines}; see them with <boltAction type="read">${path} lines ${from} to ${to}</boltAction>`
      : `${lines}; see them with read_file, path ${path}, offset ${from}; search_files takes it as glob`;
  };
}
