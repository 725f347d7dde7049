import { expect, it } from "vitest";
import { createDiskUse } from "./disk-use.ts";

it("measures a project's folder at most once a minute", async () => {
  let now = 0;
  const measured: string[] = [];
  const diskOf = createDiskUse({
    folderOf: (project) => `/projects/${project}`,
    now: () => now,
    measure: async ([folder]) => measured.push(folder!) * 1000,
  });
  expect(await diskOf("p")).toBe(1000);
  now = 59_000;
  expect(await diskOf("p")).toBe(1000);
  now = 60_000;
  expect(await diskOf("p")).toBe(2000);
  expect(measured).toEqual(["/projects/p", "/projects/p"]);
});
