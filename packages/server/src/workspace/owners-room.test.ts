import { expect, it } from "vitest";
import { lostMethods } from "../../../workspace/src/testing/wrapped-driver.test-support.ts";
import { createOwnersRoom, type AwakeProject } from "./owners-room.ts";

/** Projects `a1`, `a2`, … are Ada's, `b1`, … Bob's, and all are in one team. */
function world(awakePerPerson: number | undefined, awakePerTeam = Infinity) {
  const open = new Map<string, AwakeProject>();
  const opened: string[] = [];
  const slept: string[] = [];
  const wake = (id: string, usedAt: number) =>
    open.set(id, {
      id,
      usedAt: () => usedAt,
      sleep: async () => {
        slept.push(id);
        open.delete(id);
      },
    });
  const room = createOwnersRoom({
    quotas: {
      limitOf: async ({ kind }) => (kind === "team" ? awakePerTeam : (awakePerPerson ?? Infinity)),
      projectsOf: async ({ kind, id }) =>
        (kind === "team" ? ["a", "b"] : [id]).flatMap((person) =>
          [1, 2, 3, 4].map((count) => `${person}${count}`),
        ),
      holdersOf: async (project) => [
        { kind: "person", id: project[0]! },
        { kind: "team", id: "kitchen" },
      ],
    },
    awake: () => [...open.values()],
    now: () => 100_000,
  });
  const driver = room.limit({
    open: async ({ project }: { project: string }) => {
      opened.push(project);
      return {};
    },
  } as never);
  const openProject = (project: string) => driver.open({ project } as never);
  return { wake, openProject, opened, slept, isFree: room.isFree };
}

it("closes the longest idle sandbox of the same person at the limit, and nobody else's", async () => {
  const { wake, openProject, opened, slept } = world(2);
  wake("b1", 1);
  wake("a1", 20);
  wake("a2", 10);
  await openProject("a3");
  expect([opened, slept]).toEqual([["a3"], ["a2"]]);
});

it("refuses while all others of the person are in use, with what is allowed", async () => {
  const { wake, openProject, opened, slept } = world(1);
  wake("a1", 100_000);
  await expect(openProject("a2")).rejects.toMatchObject({
    code: "quota-reached",
    coded: { code: "quota-awake", values: { used: 1, limit: 1 } },
  });
  expect([opened, slept]).toEqual([[], []]);
  await openProject("b1");
  expect(opened).toEqual(["b1"]);
});

it("lets one of two in that are opened at the same time count, and neither stand in the other's way", async () => {
  const { wake, openProject, opened } = world(1);
  // Both are being opened, and so count as open for everybody else.
  wake("a1", 100_000);
  wake("a2", 100_000);
  const both = await Promise.allSettled([openProject("a1"), openProject("a2")]);
  expect(both.map(({ status }) => status)).toContain("fulfilled");
  expect(opened.length).toBeGreaterThan(0);
});

it("opens any number without a limit", async () => {
  const { wake, openProject, opened } = world(undefined);
  wake("a1", 100_000);
  await openProject("a2");
  expect(opened).toEqual(["a2"]);
});

it("counts the projects of all people in a team towards its limit", async () => {
  const { wake, openProject, slept } = world(undefined, 2);
  wake("a1", 100_000);
  wake("b1", 100_000);
  await expect(openProject("b2")).rejects.toMatchObject({
    code: "quota-reached",
    coded: { code: "quota-team-awake", values: { used: 2, limit: 2 } },
  });
  wake("a1", 1);
  await openProject("b2");
  expect(slept).toEqual(["a1"]);
});

it("tells whether a run would have room, with runs that are about to begin", async () => {
  const { wake, isFree, slept } = world(2);
  expect(await isFree("a1", [])).toBe(true);
  expect(await isFree("a1", ["a2", "b1"])).toBe(true);
  expect(await isFree("a1", ["a2", "a3"])).toBe(false);
  wake("a2", 1);
  wake("a3", 100_000);
  expect(await isFree("a1", [])).toBe(true);
  expect(await isFree("a1", ["a2"])).toBe(false);
  expect(await isFree("a2", ["a3", "a4"])).toBe(true);
  expect(slept).toEqual([]);
});

it("passes every method on to the driver", async () => {
  const quotas = { limitOf: async () => Infinity, projectsOf: async () => [], holdersOf: async () => [] }; // prettier-ignore
  const room = createOwnersRoom({ quotas, awake: () => [], now: () => 0 });
  expect(await lostMethods((driver) => room.limit(driver))).toEqual([]);
});
