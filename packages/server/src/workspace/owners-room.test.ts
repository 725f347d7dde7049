import { expect, it } from "vitest";
import { lostMethods } from "../../../workspace/src/testing/wrapped-driver.test-support.ts";
import { withOwnersRoom, type AwakeProject } from "./owners-room.ts";

/** Projects `a1`, `a2`, … are Ada's, `b1`, … Bob's. */
function world(awakePerPerson: number | undefined) {
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
  const driver = withOwnersRoom(
    {
      open: async ({ project }: { project: string }) => {
        opened.push(project);
        return {};
      },
    } as never,
    {
      quotas: {
        read: async () => ({ awakePerPerson }),
        owned: async (person: string) => [1, 2, 3, 4].map((count) => `${person}${count}`),
        ownersOf: async (project: string) => [project[0]!],
      } as never,
      awake: () => [...open.values()],
      now: () => 100_000,
    },
  );
  const openProject = (project: string) => driver.open({ project } as never);
  return { wake, openProject, opened, slept };
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

it("passes every method on to the driver", async () => {
  const quotas = { read: async () => ({}), ownersOf: async () => [] } as never;
  const parts = { quotas, awake: () => [], now: () => 0 };
  expect(await lostMethods((driver) => withOwnersRoom(driver, parts))).toEqual([]);
});
