import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { keptOutputs, OUTPUT_BYTES, OUTPUTS } from "./kept-outputs.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "treadle-outputs-"));
});
afterEach(() => rm(folder, { recursive: true }));

it("an output can be read after a restart", async () => {
  expect(await keptOutputs(folder).save("r1.1", "né\nbuilt\n")).toBe(true);
  expect(await keptOutputs(folder).read("r1.1")).toBe("né\nbuilt\n");
  expect(await keptOutputs(folder).read("r1.2")).toBeUndefined();
});

it("stores an output up to its limit, and not one byte more", async () => {
  const outputs = keptOutputs(folder);
  expect(await outputs.save("r1.1", "x".repeat(OUTPUT_BYTES))).toBe(true);
  expect(await outputs.save("r1.2", "x".repeat(OUTPUT_BYTES + 1))).toBe(false);
});

it("removes the oldest output for a new one", async () => {
  const outputs = keptOutputs(folder);
  for (let call = 1; call <= OUTPUTS + 2; call++) await outputs.save(`r1.${call}`, `${call}`);
  expect(await readdir(join(folder, "outputs"))).toHaveLength(OUTPUTS);
  expect(await outputs.read("r1.2")).toBeUndefined();
  expect(await outputs.read("r1.3")).toBe("3");
});

it.each(["../secret", "..", "/etc/passwd", "r1.1/../../secret", "r1.1.new", "", "r1.1\0"])(
  "A18 stores and reads no output at %j",
  async (name) => {
    await writeFile(join(folder, "secret"), "secret");
    const outputs = keptOutputs(folder);
    await outputs.save("r1.1", "there");
    expect(await outputs.read(name)).toBeUndefined();
    expect(await outputs.save(name, "x")).toBe(false);
    expect((await readdir(folder)).sort()).toEqual(["outputs", "secret"]);
  },
);

it("a read-only folder loses the output, and nothing else", async () => {
  await writeFile(join(folder, "outputs"), "in the way");
  expect(await keptOutputs(folder).save("r1.1", "text")).toBe(false);
  expect(await keptOutputs(folder).read("r1.1")).toBeUndefined();
});
