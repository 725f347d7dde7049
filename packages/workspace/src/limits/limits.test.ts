import { describe, expect, it } from "vitest";
import { memoryHit } from "./limit-words.ts";
import { defaultLimits, limitVariable, lowered, readLimits, readOwnLimits, readPublishedLimits } from "./limits.ts"; // prettier-ignore

describe("a project's limits", () => {
  it("have default values", () => {
    expect(readLimits({})).toEqual(defaultLimits());
    expect(readLimits({ TREADLE_MEMORY_MB: "  " })).toEqual(defaultLimits());
  });

  it("are read from the environment", () => {
    expect(
      readLimits({
        TREADLE_MEMORY_MB: "512",
        TREADLE_PROCESSES: "100",
        TREADLE_CPUS: "0.5",
        TREADLE_OPEN_FILES: "1024",
        TREADLE_DISK_MB: "64",
      }),
    ).toEqual({
      memory: 512 * 1024 ** 2,
      processes: 100,
      cpus: 0.5,
      openFiles: 1_024,
      disk: 64 * 1024 ** 2,
    });
  });

  it("of a published app are its own if set, else those of a project", () => {
    const env = {
      TREADLE_MEMORY_MB: "1024",
      TREADLE_APPS_MEMORY_MB: "256",
      TREADLE_PROCESSES: "99",
    };
    expect(readPublishedLimits(env)).toEqual({
      ...defaultLimits(),
      memory: 256 * 1024 ** 2,
      processes: 99,
      arePublished: true,
    });
    expect(readLimits(env)).toMatchObject({ memory: 1024 * 1024 ** 2, processes: 99 });
    expect(memoryHit(readPublishedLimits(env)).words).toContain("TREADLE_APPS_MEMORY_MB sets");
    expect(memoryHit(readLimits(env)).words).toContain("TREADLE_MEMORY_MB sets");
    expect(() => readPublishedLimits({ TREADLE_APPS_CPUS: "many" })).toThrow(
      "TREADLE_APPS_CPUS is “many”; it has to be a number of cores",
    );
  });

  it("can only be lowered by an app itself, and a program that exceeds one learns where it is set", () => {
    const resourceLimits = readPublishedLimits({
      TREADLE_APPS_MEMORY_MB: "256",
      TREADLE_APPS_CPUS: "1",
    });
    expect(lowered(resourceLimits, readOwnLimits(undefined))).toBe(resourceLimits);
    const own = readOwnLimits({ memoryMB: 128.5, cpus: 4, processes: 64, diskMB: 100 });
    const limits = lowered(resourceLimits, own);
    expect(limits).toMatchObject({
      memory: 128.5 * 1024 ** 2,
      cpus: 1,
      processes: 64,
      disk: 100 * 1024 ** 2,
      own: ["memory", "processes", "disk"],
    });
    expect(memoryHit(limits).words).toContain("“limits.memoryMB” in its treadle.json sets");
    expect(limitVariable("cpus", limits)).toBe("TREADLE_APPS_CPUS");
  });

  it.each([
    [{ memory: 3 }, "there is no limit “memory”; there are memoryMB, processes, cpus, openFiles"],
    [{ memoryMB: "256" }, "“limits.memoryMB” has to be a number of megabytes, 128 or more."],
    [{ cpus: 0 }, "“limits.cpus” has to be a number of cores, 0.1 or more."],
    [{ diskMB: Infinity }, "“limits.diskMB” has to be a number of megabytes, 16 or more."],
    [[], "“limits” has to be an object."],
    ["all", "“limits” has to be an object."],
  ])("rejects %j in a treadle.json, with the reason", (value, why) => {
    expect(() => readOwnLimits(value)).toThrow(why);
  });

  it.each(["much", "-1", "0", "NaN", "Infinity", "1 GB"])(
    "rejects “%s” with a message that names the variable",
    (text) => {
      for (const limit of ["memory", "processes", "cpus", "openFiles", "disk"] as const)
        expect(() => readLimits({ [limitVariable(limit)]: text })).toThrow(
          `${limitVariable(limit)} is “${text}”; it has to be a number of`,
        );
    },
  );
});
