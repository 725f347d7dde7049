import type { Programs } from "../../postgres-types.ts";
import type { FetchedPrograms } from "./fetch-programs.ts";
import { programsOfMachine } from "./programs.ts";

/** Programs of a major version: this machine's, else npm's. @throws WorkspaceError `failed` where they cannot be had */
export async function findPrograms(
  major: number,
  env: Record<string, string | undefined>,
  fetched: FetchedPrograms,
): Promise<Programs> {
  // A setting that names none is about the apps' own server.
  const there = await programsOfMachine(env).catch(() => []);
  return there.find((one) => one.major === major) ?? fetched.get(major);
}
