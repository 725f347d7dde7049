import { describe, expect, it } from "vitest";
import type { PageStep, PageUse } from "../ports/browser.ts";
import type { DataCopies } from "../ports/data-copies.ts";
import { createFakeWorkspace, type FakeWorkspace } from "../testing/fake-workspace.test-support.ts";
import { GOOD_PAGE } from "../testing/try-run.test-support.ts";
import { createTriedApp } from "./tried-app.ts";

const page = () => (_request: unknown, response: { end(text: string): void }) =>
  void response.end("x");
const USED: PageUse = { steps: [], outline: "", report: GOOD_PAGE };

async function tryOut(options: { starts?: boolean; copied?: boolean; refused?: boolean } = {}) {
  const workspace = createFakeWorkspace({ files: { "server.js": "1" }, serve: page });
  let data = "a";
  Object.assign(workspace, { dataDigest: async () => data });
  await workspace.start("npm run dev");
  const used: string[] = [];
  const copies: { workspace: FakeWorkspace; closed: boolean }[] = [];
  const dataCopies: DataCopies = {
    async open() {
      if (options.refused) throw new Error("the app's data is larger than 512 MB");
      const own = createFakeWorkspace({ ...(options.starts !== false && { serve: page }) });
      const copy = { workspace: own, closed: false };
      const name = `copy ${copies.push(copy)}`;
      return {
        workspace: own,
        browser: {
          look: async () => GOOD_PAGE,
          use: async () => (used.push(name), USED),
        },
        isTouched: async () => false,
        close: async () => void (copy.closed = true),
      };
    },
  };
  const app = createTriedApp(
    workspace,
    async () => (used.push("own"), USED),
    options.copied === false ? undefined : dataCopies,
  );
  const { signal } = new AbortController();
  const use = (steps: PageStep[] = []) => app.use({ path: "/", steps, signal });
  return { app, use, used, copies, workspace, write: () => (data += "b") };
}

describe("the app as the model tries it out", () => {
  it("is one copy for all calls, which ends with the run", async () => {
    const { app, use, used, copies } = await tryOut();
    const [first, second] = [await use(), await use()];
    expect(used).toEqual(["copy 1", "copy 1"]);
    expect([first.place, second.place]).toEqual([undefined, undefined]);
    await app.close();
    expect(copies.map(({ closed }) => closed)).toEqual([true]);
  });

  it("is on the day that the steps begin with, its server too, and keeps what earlier calls did", async () => {
    const { use, copies } = await tryOut();
    const isShifted = () => /NODE_OPTIONS/.test(copies[0]!.workspace.server!.command);
    await use();
    expect(isShifted()).toBe(false);
    const onDay: PageStep[] = [{ do: "date", text: "2031-03-01" }];
    expect((await use(onDay)).place).toBe(undefined);
    expect(isShifted()).toBe(true);
    const { commands } = copies[0]!.workspace;
    const starts = commands.length;
    await use(onDay);
    expect(commands).toHaveLength(starts);
    await use();
    expect([isShifted(), copies.length]).toEqual([false, 1]);
  });

  it.each([
    [
      "a file",
      (tried: Awaited<ReturnType<typeof tryOut>>) => tried.workspace.put("server.js", "2"),
    ],
    ["the data", (tried: Awaited<ReturnType<typeof tryOut>>) => tried.write()],
    [
      "the copy's server, which ended,",
      (tried: Awaited<ReturnType<typeof tryOut>>) => tried.copies[0]!.workspace.stopServer(),
    ],
  ])("starts over after a change of %s, and reports it", async (_what, change) => {
    const tried = await tryOut();
    await tried.use();
    await change(tried);
    const { place } = await tried.use();
    expect(tried.used).toEqual(["copy 1", "copy 2"]);
    expect(place).toBeDefined();
    expect(tried.copies.map(({ closed }) => closed)).toEqual([true, false]);
    expect((await tried.use()).place).toBeUndefined();
  });

  it.each([
    ["the driver makes no copies", { copied: false }],
    ["there is too much data", { refused: true }],
    ["the server does not start in a copy", { starts: false }],
  ])("is the user's own app if %s, and says so", async (_why, options) => {
    const { use, used, copies } = await tryOut(options);
    const { place } = await use();
    expect(used).toEqual(["own"]);
    expect(place).toBeDefined();
    expect(copies.every(({ closed }) => closed)).toBe(true);
  });
});
