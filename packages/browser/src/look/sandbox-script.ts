import { statSync } from "node:fs";
import { dirname } from "node:path";
import type { Chromium } from "./find-chromium.ts";

/** The user id of the browser if the server is root; used by nothing else. */
export const BROWSER_UID = 61_773;
/** Memory limit for profile, cache and shared memory, in bytes. */
const SCRATCH_BYTES = 512 * 1024 * 1024;
/** The folder inside the sandbox. */
const INSIDE = "/run/browser";

export interface SandboxTools {
  bwrap: string;
  /** The tool that drops privileges if the server is root. */
  setpriv?: string;
  unshare?: string;
  /**
   * Whether the browser creates a nested sandbox for each page's process, for which it needs
   * namespaces.
   */
  inner: boolean;
}

interface SandboxScript {
  chromium: Chromium;
  tools: SandboxTools;
  /**
   * Contains `forwarder.mjs`, the sockets of the looks and `passwd`; readable for the browser's
   * user.
   */
  folder: string;
  /** The Node that runs the forwarder. */
  node: string;
  /** Control groups to enter first. */
  groups: readonly string[];
  /** File with the system call filter; absent if there is none for this processor. */
  filter: string | undefined;
}

/** Bubblewrap reads the filter from this descriptor. */
const FILTER_DESCRIPTOR = "9";

/**
 * A shell script that starts the browser in a sandbox without network except for the looks'
 * sockets, without personal files, with an empty environment and a profile in memory. Passes
 * descriptors 3 and 4 on to the browser.
 */
export function sandboxScript(options: SandboxScript): string {
  const { chromium, tools, folder, node, groups, filter } = options;
  const home = dirname(chromium.executable);
  const binds = [
    { from: node, to: `${INSIDE}/node` },
    { from: folder, to: `${INSIDE}/shared` },
    ...(home.startsWith("/usr/") ? [] : [{ from: home, to: home }]),
    ...Object.values(chromium.env)
      .filter((path) => path.startsWith("/") && !path.startsWith(home))
      .map((path) => ({ from: path, to: path })),
  ];
  const mounts: string[] = [];
  const visible = binds.map(({ from, to }, index) => {
    if (!tools.setpriv || readableByAll(from)) return { from, to };
    // The browser's user cannot enter a parent folder, so root mounts it in an accessible place,
    // for this process alone.
    const stage = `${folder}/stage-${index}`;
    mounts.push(
      statSync(from).isDirectory() ? `mkdir -p ${quote(stage)}` : `: >> ${quote(stage)}`,
      `mount --bind ${quote(from)} ${quote(stage)}`,
    );
    return { from: stage, to };
  });
  const flags = [
    ...["user", "ipc", "pid", "net", "uts", "cgroup"].map((name) => [`--unshare-${name}`]),
    [
      "--die-with-parent",
      ...(tools.inner ? [] : ["--disable-userns"]),
      "--uid",
      "1000",
      "--gid",
      "1000",
    ],
    ["--hostname", "sandbox", "--cap-drop", "ALL", "--clearenv"],
    ["--ro-bind", "/usr", "/usr"],
    ...["bin", "sbin", "lib", "lib64"].map((name) => ["--symlink", `usr/${name}`, `/${name}`]),
    ...["/etc/fonts", "/etc/ssl", "/etc/alternatives"].map((path) => ["--ro-bind-try", path, path]),
    ["--ro-bind-try", "/var/cache/fontconfig", "/var/cache/fontconfig"],
    ["--ro-bind", `${folder}/passwd`, "/etc/passwd"],
    ["--proc", "/proc", "--ro-bind", "/proc/sys", "/proc/sys", "--dev", "/dev"],
    ["--size", String(SCRATCH_BYTES), "--tmpfs", "/tmp"],
    ["--size", String(SCRATCH_BYTES), "--tmpfs", "/dev/shm"],
    ["--size", String(SCRATCH_BYTES), "--tmpfs", "/home", "--chdir", "/home"],
    // Otherwise the sandbox's root is memory without a limit.
    ["--size", "16777216", "--tmpfs", "/run"],
    ...visible.map(({ from, to }) => ["--ro-bind", from, to]),
    ["--remount-ro", "/dev", "--remount-ro", "/"],
    filter === undefined ? [] : ["--seccomp", FILTER_DESCRIPTOR],
    ...Object.entries({
      HOME: "/home",
      PATH: "/usr/bin:/bin",
      LANG: "C.UTF-8",
      ...chromium.env,
    }).map(([name, value]) => ["--setenv", name, value]),
  ].flat();
  const inside = [
    `${INSIDE}/node`,
    `${INSIDE}/shared/forwarder.mjs`,
    `${INSIDE}/shared`,
    chromium.executable,
  ];
  const id = String(BROWSER_UID);
  const drop = tools.setpriv
    ? [tools.setpriv, `--reuid=${id}`, `--regid=${id}`, "--clear-groups", "--no-new-privs", "--"]
    : [];
  // bwrap's own first process keeps its initial environment, which must be empty.
  const command = ["exec", "env", "-i", ...drop, tools.bwrap, ...flags, "--", ...inside]
    .map(quote)
    .join(" ");
  const begin = [
    "#!/bin/sh",
    ...groups.map((group) => `echo $$ > ${quote(`${group}/cgroup.procs`)} || true`),
    ...(filter === undefined ? [] : [`exec ${FILTER_DESCRIPTOR}< ${quote(filter)}`]),
    "",
  ].join("\n");
  if (mounts.length === 0) return `${begin}${command} "$@"\n`;
  const script = [...mounts, `${command} "$@"`].join(" && ");
  return `${begin}exec ${quote(tools.unshare ?? "unshare")} --mount --propagation private /bin/sh -c ${quote(script)} sh "$@"\n`;
}

/** Whether all users can read it, and enter every parent folder. */
function readableByAll(path: string): boolean {
  const { mode } = statSync(path);
  if ((mode & 0o4) === 0 || (statSync(path).isDirectory() && (mode & 0o1) === 0)) return false;
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    if ((statSync(folder).mode & 0o1) === 0) return false;
    if (folder === "/") return true;
  }
}

/** Quotes a word for a shell. */
export const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
