import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { defaultLimits } from "../limits/limits.ts";
import {
  findControlPlaces,
  limitWords,
  makeControlGroups,
  NO_CONTROL_GROUPS,
  weighServer,
} from "./control-groups.ts";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "treadle-groups-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const file = (path: string, text = "") => {
  mkdirSync(join(root, path, ".."), { recursive: true });
  writeFileSync(join(root, path), text);
};

describe("usable control groups", () => {
  it("in cgroup v1, are those of the available controllers, and only for root", () => {
    file("memory/cgroup.procs");
    file("pids/cgroup.procs");
    expect(findControlPlaces(root, "/none", true)).toEqual({
      version: 1,
      folders: { memory: join(root, "memory/treadle"), pids: join(root, "pids/treadle") },
    });
    expect(findControlPlaces(root, "/none", false)).toBeUndefined();
  });

  it("in cgroup v2, are those whose controllers can be enabled for subgroups", () => {
    file("cgroup.controllers", "cpu memory pids");
    file("cgroup.subtree_control", "memory pids");
    const places = findControlPlaces(root, "/none", true);
    expect(places?.version).toBe(2);
    expect(places?.folders).toMatchObject({
      memory: join(root, "treadle"),
      pids: join(root, "treadle"),
    });
  });

  it("without root, are beside the server's own group, if that was delegated to its user", () => {
    file("cgroup.controllers", "cpu memory pids");
    file("user.slice/app.slice/cgroup.subtree_control", "memory pids");
    file("self", "0::/user.slice/app.slice/treadle.service\n");
    const places = findControlPlaces(root, join(root, "self"), false);
    expect(places?.folders.memory).toBe(join(root, "user.slice/app.slice/treadle"));
    file("self", "1:name=systemd:/\n");
    expect(findControlPlaces(root, join(root, "self"), false)).toBeUndefined();
  });

  it("are none on a machine without control groups", () => {
    expect(findControlPlaces(join(root, "nothing"), "/none", true)).toBeUndefined();
  });
});

it("get the limits, and count what a sandbox exceeded", () => {
  const places = {
    version: 1 as const,
    folders: { memory: join(root, "memory/treadle"), pids: join(root, "pids/treadle") },
  };
  const limits = { ...defaultLimits(), memory: 512 * 1024 ** 2, processes: 99 };
  const groups = makeControlGroups("name", limits, places);
  const [memory, pids] = groups.folders as [string, string];
  expect(readFileSync(join(memory, "memory.limit_in_bytes"), "utf8")).toBe("536870912");
  expect(readFileSync(join(pids, "pids.max"), "utf8")).toBe("99");
  expect(groups.counts()).toEqual({ memory: 0, processes: 0 });
  writeFileSync(join(memory, "memory.oom_control"), "under_oom 0\noom_kill 3\n");
  writeFileSync(join(pids, "pids.events"), "max 7\n");
  expect(groups.counts()).toEqual({ memory: 3, processes: 7 });
  expect([...groups.controls]).toEqual(["memory", "pids"]);
});

it("leave limits that no group supports to the kernel's per-process limits", () => {
  const limits = { ...defaultLimits(), memory: 1_000, processes: 99 };
  expect(limitWords(NO_CONTROL_GROUPS, limits)).toEqual([
    "prlimit",
    "--nproc=99",
    "--data=1000",
    "--",
  ]);
  const counted = { ...NO_CONTROL_GROUPS, controls: new Set(["memory", "pids"] as const) };
  expect(limitWords(counted, limits)).toEqual([]);
});

it.each([
  { version: 1 as const, weight: "cpu.shares" },
  { version: 2 as const, weight: "cpu.weight" },
])(
  "A106 the server has ten times the weight of all projects together (version $version)",
  ({ version, weight }) => {
    file("cpu/treadle/cgroup.subtree_control", "cpu");
    const places = { version, folders: { cpu: join(root, "cpu/treadle") } };
    const read = (path: string) => readFileSync(join(root, "cpu", path), "utf8");
    makeControlGroups("name", defaultLimits(), places);
    expect(weighServer(places)).toBe(true);
    const own = `treadle-server-${process.pid}`;
    expect(Number(read(`${own}/${weight}`))).toBe(10 * Number(read(`treadle/${weight}`)));
    expect(read(`${own}/cgroup.procs`)).toBe(String(process.pid));
  },
);
