import { sentence } from "@treadle/protocol/sentences";
import { isAbsolute, posix, relative, sep } from "node:path";
import type { ContainerBind, ContainerSettings } from "../containers/types.ts";
import { SANDBOX_PLACES } from "../guest-workspace/sandbox-environment.ts";
import { WorkspaceError } from "../types.ts";
import { HOLD, holdScript, WAIT_SCRIPT } from "./hold-script.ts";
import type { KubernetesSettings } from "./settings.ts";

/** Labels of every pod of Treadle: whose it is, and what it does. */
export const OWNER_LABEL = "dev.treadle/owner";
const TASK_LABEL = "dev.treadle/task";

/** Names of a pod's containers. */
export const MAIN = "sandbox";
export const STORE = "store";

const MB = 1024 * 1024;
/** Memory of the container that runs git, in bytes. */
const STORE_MEMORY = 512 * MB;

/** Linux' numbers of IFF_UP, SIOCGIFFLAGS and SIOCSIFFLAGS, in the only language of every Debian that has them. */
const CUT_SCRIPT = `
socket(my $socket, 2, 2, 0) or die;
for my $path (glob "/sys/class/net/*") {
  my ($name) = $path =~ m{([^/]+)$};
  next if $name eq "lo";
  my $request = pack "a16 x24", $name;
  ioctl($socket, 0x8913, $request) or die "$name: $!";
  my $flags = unpack "x16 s", $request;
  ioctl($socket, 0x8914, pack "a16 s x22", $name, $flags & ~1) or die "$name: $!";
}`;

/**
 * A pod that runs one project's code: no token, no DNS, no capabilities, a read-only system, and only `binds` of the
 * claim. It meets the Pod Security level "restricted", unless the network is cut.
 */
export function podSpec(
  name: string,
  settings: ContainerSettings,
  options: KubernetesSettings & { owner: string },
): object {
  const { uid, gid } = settings.user;
  const volumes: object[] = [{ name: "data", persistentVolumeClaim: { claimName: options.claim } }];
  const temporary = (container: string, folders: [path: string, megabytes: number][]) =>
    folders.map(([mountPath, megabytes], at) => {
      const volume = `${container}-${at}`;
      volumes.push({ name: volume, emptyDir: { medium: "Memory", sizeLimit: `${megabytes}Mi` } });
      return { name: volume, mountPath };
    });
  const scratch = (settings.scratch ?? []).map((mountPath, at) => {
    volumes.push({
      name: `scratch-${at}`,
      emptyDir: { sizeLimit: String(settings.limits.disk) },
    });
    return { name: `scratch-${at}`, mountPath };
  });
  const limits = {
    cpu: `${Math.round(settings.limits.cpus * 1000)}m`,
    memory: String(settings.limits.memory),
    "ephemeral-storage": String(settings.limits.disk + 512 * MB),
  };
  const common = {
    image: options.image,
    imagePullPolicy: "IfNotPresent",
    workingDir: "/",
    securityContext: {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ["ALL"] },
    },
  };
  const store = settings.store && {
    ...common,
    name: STORE,
    command: ["bash", "-c", WAIT_SCRIPT],
    // Ends with the sandbox, and starts before it.
    restartPolicy: "Always",
    resources: {
      requests: { cpu: "10m", memory: "32Mi" },
      limits: { cpu: "1", memory: String(STORE_MEMORY), "ephemeral-storage": "64Mi" },
    },
    volumeMounts: [
      ...temporary(STORE, [["/tmp", 64]]),
      ...settings.store.map((bind) => mountOf(bind, options.mount)),
    ],
  };
  const cut = options.network === "cut" && {
    ...common,
    name: "cut",
    command: ["perl", "-e", CUT_SCRIPT],
    securityContext: {
      runAsUser: 0,
      runAsNonRoot: false,
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ["ALL"], add: ["NET_ADMIN"] },
    },
    resources: {
      requests: { cpu: "10m", memory: "16Mi" },
      limits: { cpu: "1", memory: "64Mi" },
    },
  };
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name, labels: { [OWNER_LABEL]: options.owner, [TASK_LABEL]: settings.task } },
    spec: {
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      restartPolicy: "Never",
      terminationGracePeriodSeconds: 0,
      hostname: "sandbox",
      // Outside names are resolved by the guest; the cluster's own are nobody's business here.
      dnsPolicy: "None",
      dnsConfig: { nameservers: ["127.0.0.1"] },
      runtimeClassName: options.runtimeClass,
      nodeSelector: options.nodeSelector,
      imagePullSecrets: options.pullSecrets.map((secret) => ({ name: secret })),
      securityContext: {
        runAsUser: uid,
        runAsGroup: gid,
        runAsNonRoot: true,
        seccompProfile: options.seccompProfile
          ? { type: "Localhost", localhostProfile: options.seccompProfile }
          : { type: "RuntimeDefault" },
        // Programs in the pod resolve outside hosts by a DNS server in it, on port 53.
        sysctls: [{ name: "net.ipv4.ip_unprivileged_port_start", value: "0" }],
      },
      initContainers: [cut, store].filter((container) => container),
      containers: [
        {
          ...common,
          name: MAIN,
          command: ["bash", "-c", holdScript(HOLD)],
          resources: {
            // Requests stay low: most projects rest most of the time.
            requests: { cpu: "50m", memory: String(Math.min(settings.limits.memory, 256 * MB)) },
            limits,
          },
          volumeMounts: [
            ...temporary(MAIN, [
              ["/tmp", 256],
              // Scaffolding tools check whether the parent folder is writable.
              [posix.dirname(SANDBOX_PLACES.root), 1],
              [SANDBOX_PLACES.home, 64],
              [SANDBOX_PLACES.sockets, 1],
            ]),
            ...scratch,
            ...settings.binds.map((bind) => mountOf(bind, options.mount)),
          ],
        },
      ],
      volumes,
    },
  };
}

/** Mounts a folder of the claim. */
function mountOf({ source, target, writable }: ContainerBind, mount: string): object {
  const subPath = relative(mount, source);
  if (subPath === "" || subPath.startsWith("..") || isAbsolute(subPath))
    throw new WorkspaceError(
      "sandbox",
      sentence("kubernetes-outside-volume", { folder: source, volume: mount }),
    );
  return {
    name: "data",
    mountPath: target,
    subPath: subPath.split(sep).join("/"),
    readOnly: !writable,
  };
}
