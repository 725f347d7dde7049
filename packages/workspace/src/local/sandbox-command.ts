import { existsSync, lstatSync, readlinkSync } from "node:fs";
import { defaultLimits, type ResourceLimits } from "../limits/limits.ts";
import { syscallFilter } from "../host/syscall-filter.ts";

/** A file or folder of the host that is visible in the sandbox. */
export interface Bind {
  /** Absolute path on the host. */
  source: string;
  /** Absolute path in the sandbox. */
  target: string;
  writable?: boolean;
  /**
   * Mounts that the host later makes below `source` (with `nsenter` into the launcher) appear in the sandbox as well.
   * Dependencies are added to a running sandbox in this way.
   */
  shared?: boolean;
  /** Instead of `source` itself: an overlay over `source`, whose writes go to `upper`. */
  overlay?: { lower: string[]; upper: string; work: string };
}

export interface SandboxOptions {
  binds: Bind[];
  /** Working directory in the sandbox. */
  directory: string;
  /** The complete environment in the sandbox: nothing is inherited. */
  env: Record<string, string>;
  /** Uid to switch to if the server is root; see `sandboxUid`. */
  uid: number;
  /** Control groups to enter first: absolute paths of folders with `cgroup.procs`. */
  cgroups?: string[];
  /** In bytes; default 256 MB. */
  tmpSize?: number;
  /** Limits of each process; default: `defaultLimits`. */
  limits?: Pick<ResourceLimits, "openFiles" | "disk">;
  /** Program and arguments, as seen in the sandbox. */
  command: string[];
}

/**
 * Folders that exist on every Linux; the first that contains none of the sources is used as the
 * stage, in a separate mount namespace.
 */
const STAGES = ["/mnt", "/media", "/srv", "/opt"];

const TMP_SIZE = 256 * 1024 * 1024;

/** For constants whose words contain no spaces. */
const split = (words: string) => words.split(" ");

const isRoot = () => process.getuid?.() === 0;

/**
 * Builds the command that runs `command` in a bubblewrap sandbox: separate user, pid, ipc, uts, cgroup and network
 * namespaces (loopback only), no capabilities, no new privileges, and only `/usr` and `binds` visible. A launcher
 * prepares a mount namespace first: the sandbox's uid could not reach sources below `/root` or a 0700 data folder, so
 * root binds them to a stage before dropping privileges. The launcher's pid represents the sandbox: they end together,
 * with their mounts. Spawn it with an empty environment, because that of bubblewrap's pid 1 is readable in the sandbox.
 */
export function sandboxCommand(options: SandboxOptions): { file: string; args: string[] } {
  const sources = options.binds.flatMap(({ source, overlay }) => [
    source,
    ...(overlay ? [...overlay.lower, overlay.upper, overlay.work] : []),
  ]);
  const stage = STAGES.find(
    (folder) =>
      existsSync(folder) && !sources.some((source) => `${source}/`.startsWith(`${folder}/`)),
  );
  if (!stage) throw new Error("no folder is left to prepare the sandbox in");

  const { openFiles, disk } = options.limits ?? defaultLimits();
  const steps: string[] = [];
  const bwrap: string[] = [];
  options.binds.forEach((bind, index) => {
    const place = `${stage}/${index}`;
    if (bind.overlay) {
      const { lower, upper, work } = bind.overlay;
      steps.push(
        bind.shared ? "shared-overlay" : "overlay",
        overlayOptions(lower, upper, work),
        place,
      );
    } else steps.push(bind.shared ? "shared" : "bind", bind.source, place);
    bwrap.push(bind.writable ? "--bind" : "--ro-bind", place, bind.target);
  });

  const words = [
    "bwrap",
    ...split("--unshare-user --unshare-ipc --unshare-pid --unshare-net --unshare-uts"),
    ...split("--unshare-cgroup-try --die-with-parent --disable-userns"),
    ...split("--uid 1000 --gid 1000 --hostname sandbox --cap-drop ALL --clearenv"),
    ...systemFolders(),
    ...split("--proc /proc --ro-bind /proc/sys /proc/sys --dev /dev"),
    ...split(`--size ${options.tmpSize ?? TMP_SIZE} --tmpfs /tmp`),
    ...split("--size 16777216 --tmpfs /run --size 67108864 --tmpfs /home --dir /home/user"),
    // The sandbox's own / and /dev would otherwise be memory without a limit.
    ...split("--size 67108864 --tmpfs /dev/shm --remount-ro /dev"),
    ...bwrap,
    ...split("--remount-ro /"),
    ...(FILTER ? split(`--seccomp ${FILTER_DESCRIPTOR}`) : []),
    "--chdir",
    options.directory,
    ...Object.entries(options.env).flatMap(([name, value]) => ["--setenv", name, value]),
    "--",
    ...options.command,
  ];
  const drop = isRoot()
    ? [
        "setpriv",
        `--reuid=${options.uid}`,
        `--regid=${options.uid}`,
        "--clear-groups",
        "--no-new-privs",
      ]
    : [];
  const unshare = isRoot()
    ? ["--mount", "--propagation", "private"]
    : ["--user", "--map-root-user", "--mount", "--propagation", "private"];
  const groups = (options.cgroups ?? []).flatMap((folder) => [
    "cgroup",
    `${folder}/cgroup.procs`,
    "-",
  ]);
  return {
    file: "unshare",
    args: [
      ...unshare,
      "bash",
      // If its input is a socket, bash would run the .bashrc of the server's user.
      "--norc",
      "-c",
      LAUNCH,
      "launch",
      stage,
      FILTER,
      String(openFiles),
      String(Math.ceil(disk / 1024)),
      ...groups,
      ...steps,
      "--",
      ...drop,
      ...words,
    ],
  };
}

/** The environment for spawning the command: only a path to find programs. */
export const LAUNCH_ENV = { PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin" };

export function overlayOptions(lower: string[], upper: string, work: string): string {
  // In a user namespace the kernel stores overlay's attributes under `user.`; root could use
  // either, but not both in turn.
  const own = isRoot() ? "" : ",userxattr";
  return `lowerdir=${lower.map(escapeLayer).join(":")},upperdir=${escapeLayer(upper)},workdir=${escapeLayer(work)}${own},nosuid,nodev`;
}

/** Escapes a path for overlay's options, which are separated by commas and colons. */
export const escapeLayer = (path: string): string =>
  path.replaceAll(/[\\:,]/g, (letter) => `\\${letter}`);

/** The descriptor from which bubblewrap reads the seccomp filter. */
const FILTER_DESCRIPTOR = 9;
const FILTER = syscallFilter()?.toString("base64") ?? "";

/**
 * The launcher's script; its arguments are never parsed by a shell. Closes all descriptors but the
 * standard three, since those that the server inherited without close-on-exec (a service manager's
 * sockets, a shell's pipes) would reach the sandbox.
 */
const LAUNCH = `
set -e
for place in /proc/self/fd/*; do
  number=\${place##*/}
  if [ "$number" -gt 2 ]; then eval "exec $number>&-" 2>/dev/null || true; fi
done
ulimit -c 0
stage=$1; filter=$2; files=$3; size=$4; shift 4
# Where the machine allows less than this, what it allows stands.
ulimit -n "$files" 2>/dev/null || true
# No single file is larger than all of a project may be; the rest is watched.
ulimit -f "$size" 2>/dev/null || true
mount -t tmpfs -o mode=755,nosuid,nodev tmpfs "$stage"
if [ -n "$filter" ]; then
  base64 -d <<< "$filter" > "$stage/filter"
  exec ${FILTER_DESCRIPTOR}< "$stage/filter"
fi
# All binds are one call of mount (13 of them took 20 ms), which reads them from a table with these letters escaped.
escape() {
  word=\${1//\\\\/\\\\134}; word=\${word// /\\\\040}; word=\${word//$'\\t'/\\\\011}; word=\${word//$'\\n'/\\\\012}
}
folders=(); shared=()
while [ "$1" != "--" ]; do
  kind=$1; source=$2; place=$3; shift 3
  case $kind in
    cgroup) echo $$ > "$source" || true; continue;;
    overlay|shared-overlay)
      mkdir "$place"; mount -t overlay overlay -o "$source" "$place"
      [ $kind = overlay ] || shared+=("$place")
      continue;;
    shared) shared+=("$place");;
  esac
  if [ -d "$source" ]; then folders+=("$place"); else : > "$place"; fi
  escape "$source"; echo "$word $place none bind 0 0" >> "$stage/table"
done
[ \${#folders[@]} = 0 ] || mkdir "\${folders[@]}"
[ ! -f "$stage/table" ] || mount -a -T "$stage/table"
# Its own alone: nothing of the host's mounts comes to it, and nothing of its goes to them.
for place in "\${shared[@]}"; do mount --make-private "$place"; mount --make-shared "$place"; done
shift
exec "$@"
`;

/** `/usr` and the files needed to use it; never the rest of `/etc`. */
function systemFolders(): string[] {
  const words = ["--ro-bind", "/usr", "/usr"];
  for (const name of ["bin", "sbin", "lib", "lib64", "lib32"]) {
    const stat = lstatSync(`/${name}`, { throwIfNoEntry: false });
    if (stat?.isSymbolicLink()) words.push("--symlink", readlinkSync(`/${name}`), `/${name}`);
    else if (stat?.isDirectory()) words.push("--ro-bind", `/${name}`, `/${name}`);
  }
  for (const name of [
    "ssl",
    "ca-certificates",
    "alternatives",
    "ld.so.cache",
    "localtime",
    "fonts",
    "mime.types",
  ])
    words.push("--ro-bind-try", `/etc/${name}`, `/etc/${name}`);
  return words;
}
