import { sentence } from "@treadle/protocol/sentences";
import { createLocalDriver, type LocalDriverOptions } from "./local/driver.ts";
import { WorkspaceError, type WorkspaceDriver } from "./types.ts";

/**
 * The driver that runs projects: `TREADLE_DRIVER`, else `local` on Linux and `docker` elsewhere.
 * @throws WorkspaceError `sandbox` for an unknown name
 */
export function driverName(
  env: Record<string, string | undefined>,
  platform: NodeJS.Platform = process.platform,
): "local" | "docker" {
  const name = env.TREADLE_DRIVER?.trim() || (platform === "linux" ? "local" : "docker");
  if (name === "local" || name === "docker") return name;
  throw new WorkspaceError("sandbox", sentence("driver-unknown", { name }));
}

/**
 * Creates the driver that this machine is configured for.
 * @throws WorkspaceError `sandbox` if the settings contradict each other, or name an unknown driver
 */
export async function createDriver(options: LocalDriverOptions): Promise<WorkspaceDriver> {
  const asked = options.env.TREADLE_DRIVER?.trim();
  if (options.unsafeNoSandbox) {
    if (asked === "docker") throw new WorkspaceError("sandbox", sentence("driver-conflict"));
    return createLocalDriver(options);
  }
  if (driverName(options.env) === "local") return createLocalDriver(options);
  // Imported on demand: the client takes a while to load.
  const { createDockerDriver } = await import("./docker/driver.ts");
  const { unsafeNoSandbox: _never, ...others } = options;
  return createDockerDriver(others);
}
