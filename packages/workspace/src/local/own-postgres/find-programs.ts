import type { Programs } from "../../postgres-types.ts";
import type { FetchedPrograms } from "./fetch-programs.ts";
import { programsOfMachine } from "./programs.ts";

/**
 * Finds the programs of a major version: this machine's, or else npm's.
 * @throws WorkspaceError `failed` if there are none
 */
export async function findPrograms(
  major: number,
  env: Record<string, string | undefined>,
  fetched: FetchedPrograms,
): Promise<Programs> {
  // A setting without a valid folder concerns the apps' own server.
  const there = await programsOfMachine(env).catch(() => []);
  return there.find((one) => one.major === major) ?? fetched.get(major);
}
