import { expect, it } from "vitest";
import type { Inspection } from "../browser/types.ts";
import type { Ask } from "./ask.ts";
import { checkDrawn, UNSEEN } from "./check-drawn.ts";

const answers =
  (type: string, status = 200, location?: string): Ask =>
  async (path) => ({
    status: path === "/" ? status : 200,
    headers: { "content-type": type, ...(path === "/" && location !== undefined && { location }) },
    bytes: 2,
    text: "{}",
  });
const problem = { id: "document-title", help: "Documents must have a title", places: ["html"], count: 1 }; // prettier-ignore
const inspect = async () =>
  ({ report: { rendered: true }, problems: [problem], links: [] }) as unknown as Inspection;

it("what a browser makes of data is not looked at, a page is, also where the first address leads to it", async () => {
  const found = async (ask: Ask) =>
    (await checkDrawn(inspect, ask)).found.map(({ title }) => title);
  expect(await found(answers("application/json"))).toEqual([]);
  expect(await found(answers("text/plain"))).toEqual([]);
  expect(await found(answers("text/html"))).toEqual(["Documents must have a title."]);
  expect(await found(answers("text/html", 302, "/sign-in"))).toHaveLength(1);
  expect(await checkDrawn(undefined, answers("application/json"))).toEqual({
    found: [],
    unchecked: [],
  });
  expect((await checkDrawn(undefined, answers("text/html"))).unchecked).toEqual([UNSEEN]);
});
