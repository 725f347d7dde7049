import type { ServerResponse } from "node:http";
import type { PageReport } from "@treadle/protocol";
import { describe, expect, it } from "vitest";
import type { DataCopies } from "../../ports/data-copies.ts";
import { createFakeClock } from "../../testing/fake-clock.test-support.ts";
import { createFakeWorkspace } from "../../testing/fake-workspace.test-support.ts";
import { GOOD_PAGE } from "../../testing/try-run.test-support.ts";
import { gatherEvidence } from "../gather-evidence.ts";

const FILES = { "package.json": '{"scripts":{"dev":"node server.js"}}', "server.js": "" };

/**
 * Observes a single-page app that links to `/team` and `/terms`.
 * @param show the outline at an address, and the final address if it redirects
 * @param status the status for addresses that the server does not know
 */
async function gather(
  show: (path: string) => { outline: string; address?: string },
  { status = 200 } = {},
) {
  const serve = () => (request: { url?: string }, response: ServerResponse) =>
    void response
      .writeHead(request.url === "/" ? 200 : status, { "content-type": "text/html" })
      .end("<p>hi</p>");
  const links = ["/", "/team", "/terms#privacy", "/logo.svg"];
  const look = async ({ path }: { path: string }) => ({ ...GOOD_PAGE, path, links }) as PageReport;
  const opened: string[] = [];
  const copies: DataCopies = {
    async open() {
      return {
        workspace: createFakeWorkspace({ files: FILES, serve }),
        browser: {
          look,
          use: async ({ path }) => {
            opened.push(path);
            const report = { ...GOOD_PAGE, path } as PageReport;
            return { steps: [], address: path, picture: new Uint8Array(1), report, ...show(path) };
          },
        },
        isTouched: async () => false,
        close: async () => {},
      };
    },
  };
  const { findings = [], parts } = await gatherEvidence({
    workspace: createFakeWorkspace({ files: FILES, serve }),
    browser: { look },
    copies,
    clock: createFakeClock(),
    asked: true,
    keepPicture: async () => ({ hash: "ab", mediaType: "image/jpeg" }),
    onEvidence: () => {},
    signal: new AbortController().signal,
  });
  return { findings, opened, console: parts.console.state };
}

const NAVIGATION = (path: string) =>
  `- link "Team"${path === "/team" ? " [current]" : ""}\n- link "Terms":\n  - /url: /terms\n`;
const page = (path: string, known: Record<string, string>) =>
  NAVIGATION(path) + (known[path] ?? `- text: There is nothing at ${path}.`);

describe("a link within a single-page app", () => {
  it("is dead if the app shows the same there as at an address that does not exist", async () => {
    const { findings, console } = await gather((path) => ({
      outline: page(path, { "/": "- heading Home", "/team": "- heading Team" }),
    }));
    expect(findings).toEqual([
      {
        code: "dead-link",
        subject: "/terms",
        path: "/",
        picture: { hash: "ab", mediaType: "image/jpeg" },
      },
    ]);
    expect(console).toBe("held");
  });

  it("is not judged if the app shows its first page at unknown addresses", async () => {
    const { findings, opened } = await gather((path) => ({
      outline: NAVIGATION(path) + "- heading Home",
    }));
    expect(findings).toEqual([]);
    expect(opened).not.toContain("/terms");
  });

  it("is not judged if it redirects to another address", async () => {
    const { findings } = await gather((path) => ({
      outline: page(path, { "/": "- heading Home" }),
      ...(path.startsWith("/t") && { address: "/sign-in" }),
    }));
    expect(findings).toEqual([]);
  });

  it("is judged by the server's own answer if the server knows its addresses", async () => {
    const { findings, opened } = await gather((path) => ({ outline: page(path, {}) }), {
      status: 404,
    });
    expect([findings, opened]).toEqual([[], []]);
  });
});
