import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { bareEnvironment, bin, cache } from "./treadle.ts";

export interface Ended {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs the built command until it ends, in the environment of somebody who has set up nothing. */
export async function runTreadle(args: string[], env: Record<string, string> = {}): Promise<Ended> {
  try {
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [bin, ...args], {
      env: { ...bareEnvironment(), TREADLE_CACHE: cache, ...env },
      maxBuffer: 1e8,
    });
    return { code: 0, stdout, stderr };
  } catch (error) {
    const { code, stdout, stderr } = error as Ended;
    return { code, stdout, stderr };
  }
}
