import { isSound, judge } from "@treadle/protocol/evidence";
import { EXIT } from "../terminal/exit-status.ts";
import type { RunPlace } from "../run/prepare-run.ts";
import { runContainer } from "./run-container.ts";

/**
 * Starts a verified app in a container; otherwise prints why it does not. The container files make a new revision, which
 * is checked as well, so that the next run finds it verified.
 */
export async function inContainer(
  { treadle, project, directory, notice }: RunPlace,
  status: number,
): Promise<void> {
  if (status !== EXIT.verified) {
    notice("It was not put into a container, since it was not seen to work.");
    return;
  }
  const { address, name } = await runContainer(directory, notice, async () => {
    const { verdict, reason } = judge(await treadle.projects.check(project));
    await treadle.projects.release(project);
    if (!isSound(verdict))
      throw new Error(`With the files for the container it is not verified: ${reason}.`);
  });
  notice(`It runs in the container ${name}: ${address} (docker stop ${name} ends it).`);
}
