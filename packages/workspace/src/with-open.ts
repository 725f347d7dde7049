import type { WorkspaceDriver } from "./types.ts";

/**
 * A driver that opens workspaces with `open`, and is `driver` in everything else. Members that the driver lacks stay
 * absent. They are listed one by one, since a driver may be a class.
 */
export function withOpen(driver: WorkspaceDriver, open: WorkspaceDriver["open"]): WorkspaceDriver {
  const { servePostgres, postgresPrograms } = driver;
  return {
    name: driver.name,
    probe: () => driver.probe(),
    prepareTemplates: (onProgress) => driver.prepareTemplates(onProgress),
    close: () => driver.close(),
    ...(servePostgres && { servePostgres: servePostgres.bind(driver) }),
    ...(postgresPrograms && { postgresPrograms: postgresPrograms.bind(driver) }),
    open,
  };
}
