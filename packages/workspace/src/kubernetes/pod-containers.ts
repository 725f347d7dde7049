import { sentence } from "@treadle/protocol/sentences";
import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import type { Duplex } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import type { ContainerEngine, ContainerSettings, RunOnceOptions } from "../containers/types.ts";
import { GUEST_FLAGS, SANDBOX_PLACES } from "../guest-workspace/sandbox-environment.ts";
import type { ResourceLimits } from "../limits/limits.ts";
import { WorkspaceError } from "../types.ts";
import type { ExecReport, ExecRequest, ShutAddress } from "../wire/exec-request.ts";
import type { Api } from "./api.ts";
import { apiError } from "./api-failure.ts";
import type { Executed } from "./exec.ts";
import { HOLD } from "./hold-script.ts";
import { limitOf, type Pod } from "./pod-progress.ts";
import { MAIN, podSpec, STORE } from "./pod-spec.ts";
import type { Pods } from "./pods.ts";
import type { KubernetesSettings } from "./settings.ts";

/** Milliseconds that a pod may take to become shut in, and to say so. */
const SHUT_MS = 20_000;
const REPORT_MS = 60_000;
/** Milliseconds to wait for the cluster's word on why a pod ended. */
const REASON_MS = 3_000;
const REASON_PAUSE_MS = 200;
/** The longest report, in bytes. */
const MAX_REPORT = 64 * 1024;

/** How many of a project's pods may use all of their processes at once. */
const PODS_COUNTED = 2;

/**
 * Treadle's program, with the limits that a pod's specification has no words for. A container that grants less keeps its
 * own. Processes are counted by user, and so for all pods of a project together; they are limited only if each project has a
 * user of its own.
 */
const program = ({ openFiles, disk, processes }: ResourceLimits): string[] => [
  "bash",
  "-c",
  [
    "ulimit -c 0",
    `ulimit -n ${openFiles}`,
    `ulimit -f ${Math.ceil(disk / 1024)}`,
    ...(process.getuid?.() === 0 ? [`ulimit -u ${PODS_COUNTED * processes}`] : []),
    'exec "$@"',
  ].join("; "),
  "bash",
  SANDBOX_PLACES.node,
  ...GUEST_FLAGS,
  `${SANDBOX_PLACES.guest}/over-exec.mjs`,
];

type Run = Pick<ExecRequest, "directory" | "fill" | "run">;

export interface PodContainers extends ContainerEngine {
  /**
   * Starts a pod in which a program listens, so that others can test that they do not reach it.
   * @param onEnded called when it listens no longer
   * @returns its address
   */
  listen(
    settings: Pick<ContainerSettings, "user" | "limits">,
    onEnded: () => void,
  ): Promise<ShutAddress>;
  /** Starts and ends a pod as projects have one. Rejects with WorkspaceError `sandbox` if that cannot be done. */
  tryPod(settings: Pick<ContainerSettings, "user" | "limits">): Promise<void>;
  /** Ends the pods that listen. */
  close(): Promise<void>;
}

/** The port of the pod that others must not reach. */
const LISTENING_PORT = 4174;
const LISTENER = `require("node:net").createServer((s)=>s.destroy()).listen(${LISTENING_PORT},()=>console.log(""))`;

/** Containers in pods of a cluster: one pod for a project, in which git runs beside it, and one for each proof. */
export function createPodContainers(
  api: Api,
  pods: Pods,
  options: KubernetesSettings & { owner: string },
  /** The addresses that a pod must not reach. */
  findShut: (pod: Pod) => Promise<readonly ShutAddress[] | undefined>,
): PodContainers {
  /** Names of running pods with a container for git, by project. */
  const stores = new Map<string, string>();
  const closers = new Set<() => Promise<void>>();

  /** Executes Treadle's program in a container, and waits for its report. */
  async function execute(
    name: string,
    container: string,
    limits: ResourceLimits,
    request: ExecRequest,
    onStderr: (bytes: Buffer) => void,
  ): Promise<Executed> {
    const executed = await api
      .exec(pods.path(name), container, program(limits), onStderr)
      .catch((error: unknown) => {
        throw apiError(error, api.cluster.server);
      });
    executed.stream.on("error", () => undefined);
    executed.stream.write(`${JSON.stringify(request)}\n`);
    const { open } = await readReport(executed.stream);
    if (open.length === 0) return executed;
    executed.stream.destroy();
    throw new WorkspaceError(
      "sandbox",
      sentence("kubernetes-not-shut-in", { addresses: open.join(", ") }),
    );
  }

  /** Starts a pod and its program, which is the one that the pod ends with. */
  async function startPod(
    name: string,
    settings: ContainerSettings,
    run: Run,
    onStderr: (bytes: Buffer) => void,
    find = findShut,
  ): Promise<Executed> {
    const pod = await pods.start(name, podSpec(name, settings, options));
    try {
      const shut = await find(pod);
      const request = { hold: HOLD, shut, shutMs: SHUT_MS, ...run };
      return await execute(name, MAIN, settings.limits, request, onStderr);
    } catch (error) {
      void pods.remove(name);
      throw error;
    }
  }

  async function findLimit(name: string, limits: ResourceLimits) {
    const end = performance.now() + REASON_MS;
    while (performance.now() < end) {
      const pod = await pods.find(name).catch(() => undefined);
      if (!pod) return undefined;
      const hit = limitOf(pod, limits);
      if (hit || pod.status?.phase === "Succeeded" || pod.status?.phase === "Failed") return hit;
      await sleep(REASON_PAUSE_MS);
    }
    return undefined;
  }

  return {
    async startGuest(settings, guest, onStderr) {
      const name = podName(options.owner, settings.project);
      const { directory, fill, limits } = settings;
      const run: Run = { directory, fill, run: { kind: "guest", guest } };
      const { stream, exited } = await startPod(name, settings, run, onStderr);
      if (settings.store) stores.set(settings.project, name);
      let removing: Promise<void> | undefined;
      const remove = () => {
        stores.delete(settings.project);
        stream.destroy();
        return (removing ??= pods.remove(name));
      };
      return {
        carrier: stream,
        closed: exited.then(() => void stores.delete(settings.project)),
        // The nodes' processes are not visible here; memory and processes are counted in the pod.
        pids: () => [],
        findLimit: async () => (removing ? undefined : findLimit(name, limits)),
        disconnect: () => void stream.destroy(),
        remove,
      };
    },

    async runOnce({ command, ...settings }, runOptions) {
      const input = Buffer.from(runOptions.input ?? "");
      const { directory, fill, env, project, task } = settings;
      const run: Run = {
        directory,
        fill,
        run: { kind: "command", command, env, input: input.length },
      };
      const beside = task === "store" ? stores.get(project) : undefined;
      if (beside !== undefined) {
        const executed = await execute(
          beside,
          STORE,
          settings.limits,
          { shutMs: 0, ...run },
          runOptions.onStderr,
        );
        return finish(executed, input, runOptions);
      }
      const name = `${podName(options.owner, project)}-${randomBytes(4).toString("hex")}`;
      const executed = await startPod(name, settings, run, runOptions.onStderr);
      try {
        return await finish(executed, input, runOptions);
      } finally {
        void pods.remove(name);
      }
    },

    async listen(settings, onEnded) {
      const name = `${podName(options.owner, "")}-${randomBytes(4).toString("hex")}`;
      let address = "";
      const { stream, exited } = await startPod(
        name,
        { ...settings, project: "", task: "once", binds: [], directory: "/" },
        {
          directory: "/",
          run: { kind: "command", command: [SANDBOX_PLACES.node, "-e", LISTENER], input: 0 },
        },
        () => undefined,
        ({ status }) => {
          address = status?.podIP ?? "";
          return Promise.resolve(undefined);
        },
      );
      const ended = exited.then(onEnded).then(() => pods.remove(name));
      closers.add(() => {
        stream.destroy();
        return ended;
      });
      await Promise.race([once(stream, "data"), ended]);
      return { host: address, port: LISTENING_PORT };
    },

    async tryPod(settings) {
      const name = `${podName(options.owner, "")}-${randomBytes(4).toString("hex")}`;
      const part = { ...settings, project: "", task: "once" as const, binds: [], directory: "/" };
      const { stream } = await startPod(
        name,
        part,
        { directory: "/", run: { kind: "command", command: ["true"], input: 0 } },
        () => undefined,
      );
      stream.destroy();
      await pods.remove(name);
    },

    async close() {
      await Promise.all([...closers].map((close) => close()));
    },
  };
}

/** Gives a command its input, and waits for its end. */
async function finish(
  { stream, exited }: Executed,
  input: Buffer,
  { onOutput, onStarted }: RunOnceOptions,
): Promise<number> {
  const drained = new Promise<void>((resolve) => {
    stream.once("end", () => resolve()).once("close", () => resolve());
  });
  stream.on("data", onOutput);
  onStarted?.({ pids: () => [], remove: () => void stream.destroy() });
  // Never ended, because the program runs only while its input is open.
  if (input.length > 0) stream.write(input);
  const code = await exited;
  await drained;
  return code;
}

/** A name that is the same for a project as long as it exists, so that no project can have two pods. */
const podName = (owner: string, project: string): string =>
  `treadle-${owner}-${createHash("sha256").update(project).digest("hex").slice(0, 16)}`;

/** Reads the first line of a program's output; the rest stays readable. */
async function readReport(stream: Duplex): Promise<ExecReport> {
  const signal = AbortSignal.timeout(REPORT_MS);
  let read = Buffer.alloc(0);
  try {
    for (;;) {
      const end = read.indexOf("\n");
      if (end !== -1) {
        if (end + 1 < read.length) stream.unshift(read.subarray(end + 1));
        return JSON.parse(read.subarray(0, end).toString()) as ExecReport;
      }
      const piece = stream.read() as Buffer | null;
      if (piece) read = Buffer.concat([read, piece]);
      else if (stream.readableEnded || stream.destroyed || read.length > MAX_REPORT) break;
      else {
        const done = new AbortController();
        const waiting = ["readable", "end", "close"].map((event) =>
          once(stream, event, { signal: AbortSignal.any([signal, done.signal]) }),
        );
        await Promise.race(waiting).finally(() => {
          done.abort();
          for (const one of waiting) one.catch(() => undefined);
        });
      }
    }
  } catch {
    // Not what the program of this version says.
  }
  stream.destroy();
  throw new WorkspaceError("sandbox", sentence("kubernetes-image-unfit"));
}
