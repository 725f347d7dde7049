import type { WorkspaceDriver } from "../types.ts";

/** A driver as a class with all members, optional ones included, whose methods record that they were called. */
class CompleteDriver implements Required<WorkspaceDriver> {
  readonly name = "complete";
  readonly calls: string[] = [];
  #note(method: string): never {
    this.calls.push(method);
    return undefined as never;
  }
  async probe() {
    return this.#note("probe");
  }
  async open() {
    return this.#note("open");
  }
  async prepareTemplates() {
    return this.#note("prepareTemplates");
  }
  servePostgres() {
    return this.#note("servePostgres");
  }
  async postgresPrograms() {
    return this.#note("postgresPrograms");
  }
  async close() {
    return this.#note("close");
  }
}

/** Every member of a driver. A member that is added to the interface is missing here until it is listed. */
const ARGUMENTS: { [Method in keyof Required<Omit<WorkspaceDriver, "name">>]: unknown[] } = {
  probe: [],
  open: [{ project: "p" }],
  prepareTemplates: [],
  servePostgres: [{ directory: "/nowhere" }],
  postgresPrograms: [17],
  close: [],
};

/**
 * Calls every method of a wrapped driver.
 * @returns the methods that did not reach the driver inside
 */
export async function lostMethods(
  wrap: (driver: WorkspaceDriver) => WorkspaceDriver,
): Promise<string[]> {
  const driver = new CompleteDriver();
  const wrapped = wrap(driver);
  for (const [method, given] of Object.entries(ARGUMENTS))
    await (wrapped as unknown as Record<string, (...values: unknown[]) => unknown>)[method]?.(
      ...given,
    );
  const lost = Object.keys(ARGUMENTS).filter((method) => !driver.calls.includes(method));
  return wrapped.name === driver.name ? lost : [...lost, "name"];
}
