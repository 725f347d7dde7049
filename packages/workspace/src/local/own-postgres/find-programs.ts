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
  // An invalid setting of the programs' folder matters only for the server of the apps, and is ignored here.
  const there = await programsOfMachine(env).catch(() => []);
  return there.find((one) => one.major === major) ?? fetched.get(major);
}
