import type { ServerResponse } from "node:http";
import type { PageReport } from "@treadle/protocol";
import { describe, expect, it } from "vitest";
import type { PressReport } from "../../ports/browser.ts";
import type { DataCopies } from "../../ports/data-copies.ts";
import { createFakeClock } from "../../testing/fake-clock.test-support.ts";
import { createFakeWorkspace } from "../../testing/fake-workspace.test-support.ts";
import { GOOD_PAGE } from "../../testing/try-run.test-support.ts";
import { gatherEvidence } from "../gather-evidence.ts";

const FILES = { "package.json": '{"scripts":{"dev":"node server.js"}}', "server.js": "" };
type Files = Record<string, string>;
const serve = () => (_request: unknown, response: ServerResponse) =>
  void response.writeHead(200, { "content-type": "text/html" }).end("<p>hi</p>");

async function gather(
  press: Partial<PressReport>,
  { asked = true, copied = true, reachesOutside = false, files = FILES as Files } = {},
) {
  const pressed: string[] = [];
  let opened = 0;
  const look = async ({ path }: { path: string }) => ({ ...GOOD_PAGE, path }) as PageReport;
  const copies: DataCopies = {
    reachesOutside: async () => reachesOutside,
    async open() {
      opened++;
      return {
        workspace: createFakeWorkspace({ files, serve }),
        browser: {
          look,
          press: async ({ path }) => {
            pressed.push(path);
            const report = { ...GOOD_PAGE, path } as PageReport;
            return { pressed: 1, left: 0, dead: [], report, ...press };
          },
        },
        isTouched: async () => false,
        close: async () => {},
      };
    },
  };
  const evidence = await gatherEvidence({
    workspace: createFakeWorkspace({ files, serve }),
    browser: { look },
    ...(copied && { copies }),
    clock: createFakeClock(),
    asked,
    keepPicture: async () => ({ hash: "ab", mediaType: "image/jpeg" }),
    onEvidence: () => {},
    signal: new AbortController().signal,
  });
  return { evidence, pressed, opened };
}

describe("the controls of a page", () => {
  it("are findings with a picture if they do nothing or lead nowhere, and fail nothing", async () => {
    const picture = new Uint8Array([1]);
    const { evidence } = await gather({
      dead: [
        { kind: "control", subject: 'button "Export"', picture },
        { kind: "link", subject: 'link "Terms"' },
      ],
    });
    expect(evidence.findings).toEqual([
      {
        code: "dead-control",
        subject: 'button "Export"',
        path: "/",
        picture: { hash: "ab", mediaType: "image/jpeg" },
      },
      { code: "dead-link", subject: 'link "Terms"', path: "/" },
    ]);
    expect(evidence.parts.console.state).toBe("held");
  });

  it("fail the console if one of them throws", async () => {
    const report = { ...GOOD_PAGE, path: "/", uncaughtErrors: [{ message: "boom" }] } as PageReport;
    const { evidence } = await gather({ threw: 'button "Save"', report });
    expect(evidence.parts.console).toMatchObject({ state: "failed" });
    expect(evidence.parts.console.summary).toContain('button "Save"');
  });

  it("are not pressed unless somebody requested the look", async () => {
    expect((await gather({}, { asked: false })).pressed).toEqual([]);
    expect((await gather({})).pressed).toEqual(["/"]);
  });

  it("are pressed in a copy of their own, unless the app only serves its files", async () => {
    expect(await gather({})).toMatchObject({ pressed: ["/"], opened: 2 });
    const files = { "index.html": "<p>hi</p>" };
    expect(await gather({}, { files })).toMatchObject({ pressed: ["/"], opened: 1 });
  });

  it("are not pressed without a copy, or if that could reach an external system, with a note", async () => {
    const alone = await gather({}, { copied: false });
    const outside = await gather({}, { reachesOutside: true });
    for (const { evidence, pressed } of [alone, outside]) {
      expect(pressed).toEqual([]);
      expect(evidence.parts.page.detail).toContain("No control was pressed");
    }
  });
});
