import { describe, expect, it } from "vitest";
import type { Workspace } from "@treadle/workspace";
import { createCopyPreviews } from "./data-copies.ts";

/** A project whose copies have a server on port 3000 and report which data they contain. */
function createProject() {
  let digest = "a";
  const stopped: string[] = [];
  const workspace = {
    copy: async () => ({
      server: { state: "up", ports: [3000] },
      listen: () => () => {},
      dataDigest: async () => digest,
      stop: async () => void stopped.push("copy"),
    }),
  } as unknown as Workspace;
  const opened: { origin: string; path: string }[] = [];
  const previews = createCopyPreviews(
    {
      look: async ({ origin, path }) => (opened.push({ origin, path }), {} as never),
      use: async ({ origin, path }) => (opened.push({ origin, path }), {} as never),
      press: async ({ origin, path }) => (opened.push({ origin, path }), {} as never),
    },
    (capability, port) => `${capability}${port === undefined ? "" : `--${port}`}`,
  );
  const copies = previews.get("project", workspace, async () => ({ hosts: ["a.com"] }));
  return { previews, copies, opened, stopped, write: (next: string) => (digest = next) };
}

describe("a data copy", () => {
  it("has a preview of its own as long as it is open", async () => {
    const { previews, copies, opened, stopped } = createProject();
    const copy = (await copies.open())!;
    const signal = new AbortController().signal;
    await copy.browser.look({ path: "/", signal });
    await copy.browser.look({ path: "/api", port: 4000, signal });
    const [first, second] = opened.map(({ origin }) => origin);
    expect(second).toBe(`${first}--4000`);
    expect(previews.find(first!)?.ports()).toEqual([3000]);
    await copy.close();
    expect([previews.find(first!), stopped]).toEqual([undefined, ["copy"]]);
  });

  it("is touched by a request that may write, and by a written data file", async () => {
    const { previews, copies, opened, write } = createProject();
    const signal = new AbortController().signal;
    const asked = (await copies.open())!;
    await asked.browser.look({ path: "/", signal });
    expect(await asked.isTouched()).toBe(false);
    previews.find(opened[0]!.origin)?.onWrite?.();
    expect(await asked.isTouched()).toBe(true);
    const written = (await copies.open())!;
    expect(await written.isTouched()).toBe(false);
    write("b");
    expect(await written.isTouched()).toBe(true);
  });

  it("is not touched by what its server writes as it starts", async () => {
    const { copies, write } = createProject();
    const copy = (await copies.open())!;
    write("b");
    await copy.takeAsUntouched?.();
    expect(await copy.isTouched()).toBe(false);
    write("c");
    expect(await copy.isTouched()).toBe(true);
  });

  it("does not exist if the workspace supports no copies", async () => {
    const { previews } = createProject();
    const copies = previews.get("project", {} as Workspace, async () => ({}));
    expect(await copies.open()).toBeUndefined();
  });
});
