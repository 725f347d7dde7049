import { spawn } from "node:child_process";
import { chownSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { PROVE_ENV, SANDBOX_PLACES } from "../guest-workspace/sandbox-environment.ts";
import { createWaysOut, PROXY_ENV } from "@treadle/egress";
import type { Exit, RunOptions } from "../types.ts";
import { PROXY_SOCKET } from "@treadle/egress/proxy-socket";
import { PROOF_SOCKET, PROOF_WAY } from "./proof-proxy.ts";
import { listenOn, makeSocketFolder } from "./start-guest.ts";
import { TRUST_ENV, trustInside } from "./trust-certificate.ts";
import { createBoundedText } from "../guest-workspace/bounded-text.ts";
import { descendantsOf } from "../guest/process-table.ts";
import { measureActivity } from "../limits/process-activity.ts";
import { watchLimits } from "./limit-watch.ts";
import type { ResourceLimits } from "../limits/limits.ts";
import { DEFAULT_OUTER_MS, DEFAULT_QUIET_MS, limitByProgress } from "../limits/progress.ts";
import { limitWords, makeControlGroups, NO_CONTROL_GROUPS } from "../host/control-groups.ts";
import type { Dependencies } from "./project-dependencies.ts";
import type { Installation } from "../host/installation.ts";
import { removeTree } from "../remove-tree.ts";
import { LAUNCH_ENV, sandboxCommand } from "./sandbox-command.ts";

const OUTPUT_KEPT = 64 * 1024;

/**
 * Runs a command in a separate sandbox over a temporary layer of the project, so that a build that verifies a revision
 * leaves nothing in the project. The command can reach the hosts allowed for the project and the static hosts, but no
 * registry.
 */
export async function prove(
  settings: {
    directory: string;
    stateDirectory: string;
    uid: number;
    /** The project's git repository, if it is not in `directory`. */
    repository: string | undefined;
    tools: string;
    installation: Installation;
    dependencies: Dependencies;
    limits: ResourceLimits;
    controlGroups: boolean;
    ways: Parameters<typeof createWaysOut>[0];
  },
  command: string,
  options: RunOptions,
): Promise<Exit> {
  const { directory, stateDirectory, uid, installation } = settings;
  const scratch = mkdtempSync(join(stateDirectory, "prove-"));
  const upper = join(scratch, "upper");
  const work = join(scratch, "work");
  for (const folder of [upper, work]) {
    mkdirSync(folder);
    if (process.getuid?.() === 0) chownSync(folder, uid, uid);
  }
  const out = createWaysOut(settings.ways);
  const way = out.ways.find(({ socket }) => socket === PROXY_SOCKET)!;
  // Not in the state folder, because a socket's path is limited to 107 bytes.
  const sockets = makeSocketFolder();
  const socket = join(sockets, "s", PROXY_SOCKET);
  await listenOn(way.server, socket);
  const { limits } = settings;
  const groups = settings.controlGroups ? makeControlGroups("prove", limits) : NO_CONTROL_GROUPS;
  const { file, args } = sandboxCommand({
    binds: [
      {
        source: directory,
        target: "/home/project",
        writable: true,
        overlay: { lower: [directory], upper, work },
      },
      ...(settings.repository
        ? [{ source: settings.repository, target: "/home/project/.git" }]
        : []),
      ...settings.dependencies.throwAway("/home/project", scratch),
      { source: installation.guest, target: "/run/treadle/guest" },
      { source: installation.npm, target: "/run/treadle/npm" },
      { source: settings.tools, target: SANDBOX_PLACES.tools },
      { source: installation.node, target: "/run/treadle/node/bin/node" },
      { source: join(installation.guest, "etc/passwd"), target: "/etc/passwd" },
      { source: join(installation.guest, "etc/group"), target: "/etc/group" },
      { source: join(installation.guest, "etc/hosts"), target: "/etc/hosts" },
      { source: join(installation.guest, "etc/gitconfig"), target: "/etc/gitconfig" },
      { source: socket, target: PROOF_SOCKET },
      ...trustInside(scratch, out.trusted),
    ],
    directory: "/home/project",
    env: { ...PROVE_ENV, ...PROXY_ENV, ...TRUST_ENV, ...options.env },
    uid,
    cgroups: groups.folders,
    limits,
    command: [
      ...limitWords(groups, limits),
      "bash",
      "-c",
      // Waits until the proxy is available.
      'exec 9< <("$TREADLE_NODE" -e "$2" 2> /dev/null); read -r -u 9 _; exec 9<&-; exec bash -c "$1" 2>&1',
      "bash",
      command,
      PROOF_WAY,
    ],
  });

  const started = performance.now();
  const captured = createBoundedText(OUTPUT_KEPT);
  const decoder = new TextDecoder();
  const write = (text: string) => {
    captured.add(text);
    options.onOutput?.(text);
  };
  const watch = watchLimits({ groups, limits, onHit: ({ words }) => write(words) });
  let why: "timeout" | "quiet" | "aborted" | undefined;
  try {
    return await new Promise<Exit>((resolve) => {
      const child = spawn(file, args, {
        cwd: "/",
        env: LAUNCH_ENV,
        stdio: ["ignore", "pipe", "pipe"],
      });
      const end = (reason: typeof why) => {
        why ??= reason;
        child.kill("SIGKILL");
      };
      const limit = limitByProgress({
        outerMs: options.timeoutMs ?? DEFAULT_OUTER_MS,
        quietMs: options.quietMs ?? DEFAULT_QUIET_MS,
        activity: async () => measureActivity(descendantsOf(child.pid!)),
        onOver: end,
      });
      const onAbort = () => end("aborted");
      if (options.signal?.aborted) onAbort();
      options.signal?.addEventListener("abort", onAbort, { once: true });
      const take = (bytes: Buffer) => {
        limit.printed();
        write(decoder.decode(bytes, { stream: true }));
      };
      child.stdout.on("data", take);
      child.stderr.on("data", take);
      child.on("error", (error) => captured.add(error.message));
      child.on("close", (code, signal) => {
        limit.end();
        options.signal?.removeEventListener("abort", onAbort);
        watch.look();
        const ms = Math.round(performance.now() - started);
        const output = captured.toString();
        resolve(
          why
            ? { kind: why, ms, output }
            : { kind: "exited", code: code ?? 137, signal: signal || undefined, ms, output },
        );
      });
    });
  } finally {
    watch.close();
    out.close();
    await groups.remove();
    rmSync(sockets, { recursive: true, force: true });
    await removeTree(scratch);
  }
}
