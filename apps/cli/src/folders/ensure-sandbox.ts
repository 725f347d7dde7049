import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

/** Required programs of the host, and their Debian packages. */
const NEEDED = [
  { program: "bwrap", package: "bubblewrap", why: "to keep generated code in its sandbox" },
  { program: "git", package: "git", why: "to keep checkpoints" },
];

/**
 * Whether the sandbox's programs are installed. If they are missing, they are installed as root on a Debian-like system,
 * with a notice; otherwise the command that installs them is printed. Nothing is needed if Docker runs the projects.
 * @param print receives whole lines for people
 */
export async function ensureSandbox(print: (line: string) => void): Promise<boolean> {
  // Docker's image contains all programs. The server reports whether the engine answers, and keeps asking.
  if (process.env.TREADLE_DRIVER === "docker") return true;
  if (process.platform !== "linux") {
    print("On this system projects run in Docker, so Docker has to be running.");
    return true;
  }
  const missing = NEEDED.filter(({ program }) => !onPath(program));
  if (missing.length === 0) return true;
  const names = missing.map((entry) => entry.package).join(" ");
  const why = missing.map((entry) => `${entry.package} ${entry.why}`).join(", ");
  if (process.getuid?.() !== 0 || !onPath("apt-get")) {
    print(`Missing: ${why}. Install it, then start again:\n\n  ${installCommand(names)}\n`);
    return false;
  }
  print(`Missing: ${why}. Installing with apt-get…`);
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const install = () =>
    spawnSync("apt-get", ["install", "-y", "-qq", ...names.split(" ")], { env, encoding: "utf8" });
  let result = install();
  // A new machine has no package lists; an old one may have outdated ones.
  if (result.status !== 0) {
    spawnSync("apt-get", ["update", "-qq"], { env });
    result = install();
  }
  if (result.status === 0) {
    print(`Installed ${names}.`);
    return true;
  }
  const reason = result.stderr.trim().split("\n").at(-1) ?? "";
  print(`apt-get could not install ${names}: ${reason}\nInstall it by hand, then start again.`);
  return false;
}

function installCommand(names: string): string {
  const sudo = process.getuid?.() === 0 ? "" : "sudo ";
  for (const [manager, words] of [
    ["apt-get", "apt-get install -y"],
    ["dnf", "dnf install -y"],
    ["pacman", "pacman -S --noconfirm"],
    ["zypper", "zypper install -y"],
    ["apk", "apk add"],
  ] as const)
    if (onPath(manager)) return `${sudo}${words} ${names}`;
  return `install ${names} with this system's package manager`;
}

function onPath(program: string): boolean {
  return (process.env.PATH ?? "")
    .split(delimiter)
    .some((folder) => folder !== "" && existsSync(join(folder, program)));
}
