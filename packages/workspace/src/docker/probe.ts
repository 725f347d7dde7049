import { existsSync } from "node:fs";
import type { RegistryConfig } from "@treadle/egress";
import type { Installation } from "../host/installation.ts";
import type { MachineReport } from "../types.ts";
import { engineError, type Engine } from "./engine.ts";
import { findImage } from "./image.ts";

/** Checks the engine for what the docker driver needs. Never throws. */
export async function probeEngine(
  engine: Engine,
  installation: Installation,
  registry: RegistryConfig,
  env: Record<string, string | undefined>,
): Promise<MachineReport> {
  const checks: MachineReport["checks"] = [];
  const add = (name: string, ok: boolean, detail: string, mend?: string) =>
    checks.push({ name, ok, detail, mend: ok ? undefined : mend });
  const built = existsSync(`${installation.guest}/over-stdio.mjs`);
  add("guest", built, installation.guest, "npm run build");
  add("registry", true, `${registry.url.host}${registry.authorization ? ", with a login" : ""}`);
  try {
    await engine.ping();
    const { Version, Os, Arch } = await engine.version();
    add("Docker", true, `${Version}, ${Os} on ${Arch}`);
    const info = (await engine.info()) as { MemoryLimit?: boolean; PidsLimit?: boolean };
    // A missing limit is reported, but does not prevent running.
    add(
      "limits",
      true,
      `memory: ${info.MemoryLimit ? "yes" : "no"}, processes: ${info.PidsLimit ? "yes" : "no"}, by Docker`,
    );
    if (built) {
      const { name, there } = await findImage(engine, installation, env);
      add("image", true, there ? name : `${name}, built when the first project is opened`);
    }
  } catch (error) {
    const how =
      process.platform === "linux" ? "sudo systemctl start docker" : "start Docker Desktop";
    add("Docker", false, engineError("sandbox-unavailable", error).message, how);
  }
  return { ok: checks.every((check) => check.ok), checks };
}
