import { expect, it } from "vitest";
import { FakeDriver } from "./testing/fake-workspace.test-support.ts";
import { lostMethods } from "./testing/wrapped-driver.test-support.ts";
import { withTabs } from "./webcontainer/tab-driver.ts";
import { createTabs } from "./webcontainer/tabs.ts";
import { withOpen } from "./with-open.ts";
import { withRoom } from "./with-room.ts";

it.each([
  [withOpen.name, (driver) => withOpen(driver, (options) => driver.open(options))],
  [withRoom.name, (driver) => withRoom(driver, () => 0, () => [])], // prettier-ignore
  [withTabs.name, (driver) => withTabs(driver, createTabs())],
] satisfies [string, Parameters<typeof lostMethods>[0]][])(
  "%s passes every method on to the driver",
  async (_, wrap) => {
    expect(await lostMethods(wrap)).toEqual([]);
  },
);

it("has no PostgreSQL where the driver has none", () => {
  const driver = withRoom(withTabs(new FakeDriver(), createTabs()), () => 0, () => []); // prettier-ignore
  expect(driver).not.toHaveProperty("servePostgres");
  expect(driver).not.toHaveProperty("postgresPrograms");
});
