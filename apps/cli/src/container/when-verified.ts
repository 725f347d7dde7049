import { EXIT } from "../exit-status.ts";
import { runContainer } from "./run-container.ts";

/** What was seen to work is started in a container; what was not is left as it is, and that is said. */
export async function inContainer(
  directory: string,
  status: number,
  notice: (text: string) => void,
): Promise<void> {
  if (status !== EXIT.verified) {
    notice("It was not put into a container, since it is not verified.");
    return;
  }
  const { address, name } = await runContainer(directory, notice);
  notice(`It runs in the container ${name}: ${address} (docker stop ${name} ends it).`);
}
