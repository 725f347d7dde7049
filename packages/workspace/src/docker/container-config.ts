import { posix } from "node:path";
import type { ContainerCreateOptions, MountSettings } from "dockerode";
import { SANDBOX_PLACES } from "../guest-workspace/sandbox-environment.ts";
import type { ContainerSettings } from "../containers/types.ts";
import { containerFilter } from "../containers/container-filter.ts";

export interface DockerContainerSettings extends Omit<
  ContainerSettings,
  "project" | "task" | "fill"
> {
  image: string;
  /** Identifies the container's owner, so that a sweep can find it. */
  labels: Record<string, string>;
  command: string[];
  /**
   * The command runs as PID 1, without the engine's init process, so nothing reaps orphaned
   * processes.
   */
  first?: boolean;
}

const MB = 1024 * 1024;

/**
 * The engine's settings for one container: no network, no capabilities, no new privileges, a
 * read-only root, and only `binds` visible of the host. Its input comes from the attached client;
 * when that disconnects, the container ends and is removed.
 */
export function containerConfig(settings: DockerContainerSettings): ContainerCreateOptions {
  const { uid, gid } = settings.user;
  const own = `uid=${uid},gid=${gid}`;
  const mounts: MountSettings[] = settings.binds.map(({ source, target, writable }) => ({
    Type: "bind",
    Source: source,
    Target: target,
    ReadOnly: !writable,
  }));
  for (const target of settings.scratch ?? [])
    mounts.push({ Type: "volume", Source: "", Target: target });
  return {
    Image: settings.image,
    Labels: settings.labels,
    User: `${uid}:${gid}`,
    WorkingDir: settings.directory,
    Env: Object.entries(settings.env ?? {}).map(([name, value]) => `${name}=${value}`),
    Cmd: settings.command,
    Hostname: "sandbox",
    OpenStdin: true,
    // The attached client is the server. When it exits or is killed, the container's input ends, and the guest with
    // it.
    StdinOnce: true,
    AttachStdin: true,
    AttachStdout: true,
    AttachStderr: true,
    HostConfig: {
      AutoRemove: true,
      Init: !settings.first,
      NetworkMode: "none",
      ReadonlyRootfs: true,
      CapDrop: ["ALL"],
      SecurityOpt: ["no-new-privileges:true", `seccomp=${containerFilter()}`],
      Memory: settings.limits.memory,
      MemorySwap: settings.limits.memory,
      PidsLimit: settings.limits.processes,
      NanoCpus: Math.round(settings.limits.cpus * 1e9),
      ShmSize: 64 * MB,
      // Without a network, Docker disables IPv6 on the loopback, which some servers listen on
      // exclusively.
      Sysctls: {
        "net.ipv6.conf.all.disable_ipv6": "0",
        // Programs in the container resolve outside hosts by a DNS server in it, on port 53.
        "net.ipv4.ip_unprivileged_port_start": "0",
      },
      Dns: ["127.0.0.1"],
      Ulimits: [
        { Name: "core", Soft: 0, Hard: 0 },
        { Name: "nofile", Soft: settings.limits.openFiles, Hard: settings.limits.openFiles },
        { Name: "fsize", Soft: settings.limits.disk, Hard: settings.limits.disk },
      ],
      Tmpfs: {
        "/tmp": `rw,exec,nosuid,nodev,size=${256 * MB},mode=1777`,
        // Scaffolding tools check whether the parent folder is writable.
        [posix.dirname(SANDBOX_PLACES.root)]: `rw,noexec,nosuid,nodev,size=${MB},mode=0755,${own}`,
        [SANDBOX_PLACES.home]: `rw,exec,nosuid,nodev,size=${64 * MB},mode=0700,${own}`,
        [SANDBOX_PLACES.sockets]: `rw,noexec,nosuid,nodev,size=${MB},mode=0700,${own}`,
      },
      Mounts: mounts,
      // Its output is the link to the guest; a log of it would fill the engine's disk.
      LogConfig: { Type: "none", Config: {} },
    },
  };
}
