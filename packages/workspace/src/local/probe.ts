import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { promisify } from "node:util";
import type { RegistryConfig } from "@treadle/egress";
import type { MachineReport } from "../types.ts";
import type { ResourceLimits } from "../limits/limits.ts";
import { controlPlaces } from "../host/control-groups.ts";
import { describeLimits } from "./describe-limits.ts";
import type { Installation } from "../host/installation.ts";
import { LAUNCH_ENV, sandboxCommand } from "./sandbox-command.ts";
import { sandboxUid } from "../host/sandbox-uid.ts";

const run = promisify(execFile);

/** Tries out what the local driver needs: starting a sandbox proves more than a version number. */
export async function probeMachine(
  installation: Installation,
  registry: RegistryConfig,
  limits: ResourceLimits,
  controlGroups: boolean,
): Promise<MachineReport> {
  const checks: MachineReport["checks"] = [];
  const add = (name: string, ok: boolean, detail: string, mend?: string) =>
    checks.push({ name, ok, detail, mend: ok ? undefined : mend });

  add(
    "Linux",
    process.platform === "linux",
    process.platform,
    "use a Linux machine or virtual machine",
  );
  const bwrap = await version("bwrap");
  add(
    "bubblewrap",
    bwrap !== undefined,
    bwrap ?? "not installed",
    "sudo apt-get install -y bubblewrap",
  );
  const git = await version("git");
  add("git", git !== undefined, git ?? "not installed", "sudo apt-get install -y git");
  if (bwrap !== undefined) {
    const problem = await tryCommand(installation);
    add(
      "sandbox",
      problem === undefined,
      problem ?? "starts, with namespaces and overlay mounts",
      /permission|not permitted/i.test(problem ?? "")
        ? "sudo sysctl -w kernel.unprivileged_userns_clone=1 kernel.apparmor_restrict_unprivileged_userns=0"
        : undefined,
    );
  }
  // Missing control groups are reported, but do not prevent running.
  const places = controlGroups ? controlPlaces() : undefined;
  for (const { name, detail } of describeLimits(limits, places)) add(name, true, detail);
  add("guest", existsSync(`${installation.guest}/guest.mjs`), installation.guest, "npm run build");
  add("registry", true, `${registry.url.host}${registry.authorization ? ", with a login" : ""}`);
  return { ok: checks.every((check) => check.ok), checks };
}

async function version(program: string): Promise<string | undefined> {
  try {
    const { stdout } = await run(program, ["--version"]);
    return stdout.trim().split("\n")[0];
  } catch {
    return undefined;
  }
}

async function tryCommand(installation: Installation): Promise<string | undefined> {
  const { file, args } = sandboxCommand({
    binds: [{ source: installation.node, target: "/run/node" }],
    directory: "/",
    env: {},
    uid: sandboxUid("probe"),
    command: ["/run/node", "-e", "process.exit(0)"],
  });
  try {
    await run(file, args, { env: LAUNCH_ENV, timeout: 10_000 });
    return undefined;
  } catch (error) {
    return ((error as { stderr?: string }).stderr || (error as Error).message).trim().slice(0, 300);
  }
}
