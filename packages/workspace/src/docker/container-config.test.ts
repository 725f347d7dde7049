import { expect, test } from "vitest";
import { containerConfig } from "./container-config.ts";
import { containerUser } from "../containers/container-user.ts";

const config = containerConfig({
  image: "image:1",
  labels: { a: "b" },
  user: { uid: 4242, gid: 4243 },
  binds: [
    { source: "C:\\Users\\me\\app", target: "/home/project", writable: true },
    { source: "/home/me/app/.git", target: "/home/project/.git" },
  ],
  scratch: ["/scratch"],
  directory: "/home/project",
  env: { A: "b c=d" },
  command: ["node", "x"],
  limits: {
    memory: 1_000_000_000,
    processes: 99,
    cpus: 1.5,
    openFiles: 4_096,
    disk: 2_000_000_000,
  },
});
const host = config.HostConfig!;

test("a container has no network, no capability, no way to gain any, and a system that cannot be written", () => {
  expect(host).toMatchObject({
    NetworkMode: "none",
    ReadonlyRootfs: true,
    CapDrop: ["ALL"],
  });
  expect(host.SecurityOpt).toContain("no-new-privileges:true");
  expect(config.User).toBe("4242:4243");
  for (const grant of ["Privileged", "CapAdd", "Devices", "PidMode", "IpcMode", "UsernsMode"])
    expect(host).not.toHaveProperty(grant);
});

test("memory with swap, processes, cores and open files are limited", () => {
  expect(host).toMatchObject({
    Memory: 1_000_000_000,
    MemorySwap: 1_000_000_000,
    PidsLimit: 99,
    NanoCpus: 1_500_000_000,
  });
  expect(host.Ulimits).toContainEqual({ Name: "nofile", Soft: 4_096, Hard: 4_096 });
  expect(host.Ulimits).toContainEqual({ Name: "fsize", Soft: 2_000_000_000, Hard: 2_000_000_000 });
});

test("every temporary folder has a size limit, and its owner if one is given", () => {
  for (const [folder, words] of Object.entries(host.Tmpfs as Record<string, string>)) {
    expect(words).toMatch(/size=\d+.*nosuid|nosuid.*size=\d+/);
    if (folder !== "/tmp") expect(words).toContain("uid=4242,gid=4243");
  }
});

test("only the named paths of the host are mounted, read-only by default, with any characters in them", () => {
  expect(host.Binds).toBeUndefined();
  expect(host.Mounts).toEqual([
    {
      Type: "bind",
      Source: "C:\\Users\\me\\app",
      Target: "/home/project",
      ReadOnly: false,
    },
    { Type: "bind", Source: "/home/me/app/.git", Target: "/home/project/.git", ReadOnly: true },
    { Type: "volume", Source: "", Target: "/scratch" },
  ]);
});

test("it ends with its server, and leaves neither itself nor a log", () => {
  expect(config).toMatchObject({ OpenStdin: true, StdinOnce: true, AttachStdin: true });
  expect(host).toMatchObject({ AutoRemove: true, Init: true, LogConfig: { Type: "none" } });
  expect(config.Env).toEqual(["A=b c=d"]);
});

test("runs as the owner of the files on Linux, as a fixed user elsewhere, and as root if that is the server's user", () => {
  const who = { project: "p", uid: 501, gid: 20, rootless: false } as const;
  expect(containerUser({ ...who, platform: "linux" })).toEqual({ uid: 501, gid: 20 });
  expect(containerUser({ ...who, platform: "darwin" })).toEqual({ uid: 1000, gid: 1000 });
  expect(containerUser({ ...who, platform: "win32", uid: undefined, gid: undefined })).toEqual({
    uid: 1000,
    gid: 1000,
  });
  expect(containerUser({ ...who, platform: "linux", rootless: true })).toEqual({ uid: 0, gid: 0 });
});
