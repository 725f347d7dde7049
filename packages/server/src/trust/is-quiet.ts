import type { Workspace } from "@treadle/workspace";

/** Milliseconds after which a sandbox that does not answer is taken for one in which something is alive. */
const QUIET_MS = 3_000;

/** Ends what runs in a workspace; whether nothing is alive in it then. Never rejects. */
export async function isQuiet(workspace: Workspace): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), QUIET_MS);
  });
  try {
    return await Promise.race([workspace.endProcesses().catch(() => false), late]);
  } finally {
    clearTimeout(timer);
  }
}
