import { sentence } from "@treadle/protocol/sentences";
import { createLocalDriver, type LocalDriverOptions } from "./local/driver.ts";
import { WorkspaceError, type WorkspaceDriver } from "./types.ts";

const DRIVERS = ["local", "docker", "kubernetes"] as const;
type DriverName = (typeof DRIVERS)[number];

/**
 * The driver that runs projects: `TREADLE_DRIVER`, else `local` on Linux and `docker` elsewhere.
 * @throws WorkspaceError `sandbox` for an unknown name
 */
export function driverName(
  env: Record<string, string | undefined>,
  platform: NodeJS.Platform = process.platform,
): DriverName {
  const name = env.TREADLE_DRIVER?.trim() || (platform === "linux" ? "local" : "docker");
  const known = DRIVERS.find((driver) => driver === name);
  if (known) return known;
  throw new WorkspaceError("sandbox", sentence("driver-unknown", { name }));
}

/**
 * Creates the driver that this machine is configured for.
 * @throws WorkspaceError `sandbox` if the settings contradict each other, or name an unknown driver
 */
export async function createDriver(options: LocalDriverOptions): Promise<WorkspaceDriver> {
  const asked = options.env.TREADLE_DRIVER?.trim();
  if (options.unsafeNoSandbox) {
    if (asked && asked !== "local")
      throw new WorkspaceError("sandbox", sentence("driver-conflict", { name: asked }));
    return createLocalDriver(options);
  }
  const name = driverName(options.env);
  if (name === "local") return createLocalDriver(options);
  const { unsafeNoSandbox: _never, ...others } = options;
  // Imported on demand: their clients take a while to load.
  if (name === "kubernetes") {
    const { createKubernetesDriver } = await import("./kubernetes/driver.ts");
    return createKubernetesDriver(others);
  }
  const { createDockerDriver } = await import("./docker/driver.ts");
  return createDockerDriver(others);
}
