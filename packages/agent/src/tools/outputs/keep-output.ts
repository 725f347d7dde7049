import type { DialectName } from "@treadle/protocol";
import { outputPath } from "./output-name.ts";
import type { OutputPort } from "./types.ts";

/** Lines that are left out of what the model is shown; the first line is 1. */
export interface LeftOut {
  from: number;
  to: number;
  total: number;
}

/** Keeps a text and resolves with how the model sees more of it; undefined where it could not be kept. */
export type KeepOutput = (text: string, left: LeftOut) => Promise<string | undefined>;

/** For the call of that id, in the words of the dialect that the model speaks. */
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
