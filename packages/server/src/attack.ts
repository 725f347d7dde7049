import {
  attempts,
  createDriver,
  makeAttempt,
  openAttackPlace,
  openMakerPlace,
  weighServer,
  type Attempt,
  type AttemptResult,
} from "@treadle/workspace";

import { toolAttempts } from "@treadle/tool-servers";
import { attackFromBrowser, attackFromTakenBrowser } from "@treadle/browser";

/**
 * Runs the attack suite against a real sandbox on this machine, in a temporary project, for `treadle doctor
 * --attacks`.
 * @param options.onOpened called with the driver's name once the sandbox is open
 * @param options.onResult called with the result of each attempt, in order
 * @returns the number of attempts by outcome
 * @throws WorkspaceError if no sandbox can be opened
 */
export async function attack(options: {
  env: Record<string, string | undefined>;
  onOpened?(driver: string): void;
  onResult(attempt: Pick<Attempt, "id" | "area" | "what">, result: AttemptResult): void;
}): Promise<Record<AttemptResult["outcome"], number>> {
  // Gives this process the share of the processor that a server has.
  weighServer();
  const counts = { held: 0, through: 0, untried: 0 };
  let name = "";
  const { place, workspace, close } = await openAttackPlace(async (cacheDirectory, env) => {
    const driver = await createDriver({ cacheDirectory, env: { ...options.env, ...env } });
    name = driver.name;
    return driver;
  });
  options.onOpened?.(name);
  try {
    const makeAll = async (all: readonly Attempt[]) => {
      for (const attempt of all) {
        const result = await makeAttempt(attempt, workspace);
        counts[result.outcome]++;
        options.onResult(attempt, result);
      }
    };
    await makeAll(attempts(place));
    await makeAll(toolAttempts(place));
    // Only this driver prepares dependencies; with others, projects fetch everything themselves.
    if (name === "local") {
      // Uses the machine's registry and login, not the person's own.
      const own = Object.entries(options.env).filter(([name]) => name.startsWith("TREADLE_"));
      const maker = await openMakerPlace(place, (cacheDirectory, env) =>
        createDriver({ cacheDirectory, env: { ...Object.fromEntries(own), ...env } }),
      );
      try {
        await makeAll(maker.attempts);
      } finally {
        await maker.close();
      }
    }
    const onResult: typeof options.onResult = (attempt, result) => {
      counts[result.outcome]++;
      options.onResult(attempt, result);
    };
    await attackFromBrowser({ env: options.env, servicePort: place.servicePort, onResult });
    await attackFromTakenBrowser({ env: options.env, place, onResult });
  } finally {
    await close();
  }
  return counts;
}
