import { toProjectPath } from "@treadle/protocol/project-path";
import type { ServerResponse } from "node:http";
import type { PageReport } from "@treadle/protocol";
import { describe, expect, it } from "vitest";
import { countedInRun } from "../../checks/note-checks.ts";
import { CHECKS_FILE } from "../../checks/parse-checks.ts";
import type { Browser, PageStep } from "../../ports/browser.ts";
import type { DataCopies } from "../../ports/data-copies.ts";
import { createFakeClock } from "../../testing/fake-clock.test-support.ts";
import {
  createFakeWorkspace,
  type FakeWorkspace,
} from "../../testing/fake-workspace.test-support.ts";
import { GOOD_PAGE } from "../../testing/try-run.test-support.ts";
import { CHECKS_AT_ONCE } from "../checks/check-places.ts";
import { gatherEvidence, type EvidenceRequest } from "../gather-evidence.ts";

const CHECK = (name: string) =>
  `## ${name}\n- type "Milk" in searchbox "Name"\n- click "Add ${name}"\n- expect "Milk"\n`;
const FILES = {
  "package.json": '{"scripts":{"dev":"node server.js"}}',
  "server.js": "",
  ".treadle/checks.md": CHECK("First") + CHECK("Second"),
};

/** An app that rejects a name already in the data of its copy. */
function createApp(options: {
  /** Whether using the page of a copy changes its data. */
  writes?: boolean;
  /** Whether the steps of the n-th use fail. */
  fails?: (use: number) => boolean;
  /** Whether the browser reports that expectations already held before the actions. */
  already?: boolean;
  files?: Record<string, string>;
  /** Files that differ in the revision before the turn. */
  filesBefore?: Record<string, string>;
  copyStarts?: boolean;
  /** Maximum number of copies; later requests are refused. */
  mostCopies?: number;
  tooLarge?: boolean;
  /** Called when a check runs in the person's own app. */
  onOwnUse?: (own: FakeWorkspace) => void;
}) {
  const { writes = true, files = FILES, copyStarts = true } = options;
  const page = () => (_request: unknown, response: ServerResponse) =>
    void response.writeHead(200, { "content-type": "text/html" }).end("<p>hi</p>");
  const own = createFakeWorkspace({ files, serve: page });
  const seen: string[] = [];
  const ports: (number | undefined)[] = [];
  const copies: { workspace: FakeWorkspace; closed: boolean; restored: string[] }[] = [];
  let uses = 0;
  let going = 0;
  let most = 0;
  const order: string[] = [];
  const browserAt = (place: string, onUse = () => {}): Browser => ({
    look: async ({ path, onPicture }) => {
      seen.push(`look ${place}`);
      onPicture?.(new TextEncoder().encode(place));
      return { ...GOOD_PAGE, path } as PageReport;
    },
    use: async ({ path, steps, port }) => {
      most = Math.max(most, ++going);
      await new Promise((resolve) => setImmediate(resolve));
      going--;
      ports.push(port);
      order.push(steps.find(({ do: act }) => act === "click")?.on ?? "");
      seen.push(`use ${place}`);
      onUse();
      const ok = !options.fails?.(++uses);
      return {
        steps: steps.map(({ do: act, on }: PageStep, index) => ({
          ok: ok || index + 1 < steps.length,
          said: `${act} ${on}`,
          alreadyHeld: act === "expect" && options.already ? true : undefined,
        })),
        outline: "",
        report: { ...GOOD_PAGE, path } as PageReport,
      };
    },
  });
  const opened: Parameters<DataCopies["open"]>[0][] = [];
  const dataCopies: DataCopies = {
    async open(how) {
      opened.push(how);
      if (copies.length === options.mostCopies) throw new Error("no room for another copy");
      if (options.tooLarge) throw new Error("too much data");
      const workspace = createFakeWorkspace({ files, ...(copyStarts && { serve: page }) });
      // Its server uses another port than in the earlier copies.
      for (let earlier = 0; earlier < copies.length; earlier++) await workspace.start("earlier");
      const copy = { workspace, closed: false, restored: [] as string[] };
      const place = `copy ${copies.push(copy)}`;
      let touched = false;
      workspace.restore = async (checkpoint) => {
        copy.restored.push(checkpoint);
        for (const [path, text] of Object.entries(options.filesBefore ?? {}))
          workspace.put(path, text);
        return { checkpoint, revision: checkpoint, label: "", at: 0 };
      };
      return {
        workspace,
        browser: browserAt(place, () => (touched = writes)),
        isTouched: async () => touched,
        close: async () => void (copy.closed = true),
      };
    },
  };
  const gather = (more: Partial<EvidenceRequest> = {}) =>
    gatherEvidence({
      workspace: own,
      browser: browserAt("own", () => options.onOwnUse?.(own)),
      copies: dataCopies,
      clock: createFakeClock(),
      onEvidence: () => {},
      signal: new AbortController().signal,
      ...more,
    });
  return { own, copies, seen, ports, gather, most: () => most, order, opened };
}

describe("an app that can be copied", () => {
  it("is observed in a copy, and each check runs on the person's current data", async () => {
    const { seen, copies, gather, own } = createApp({});
    const { checks, parts } = await gather();
    expect(parts.page.state).toBe("held");
    expect(checks?.map(({ state }) => state)).toEqual(["held", "held"]);
    expect(seen).toEqual(["look copy 1", "use copy 1", "use copy 2"]);
    expect(copies.map(({ closed }) => closed)).toEqual([true, true]);
    // The person's own server runs nevertheless.
    expect(own.server?.state).toBe("up");
  });

  it("has only what its migrations create in the copies of checks that start empty", async () => {
    const files = { ...FILES, ".treadle/checks.md": `## Starts empty\n\n${CHECK("First")}` };
    const { opened, seen, copies, gather } = createApp({ files });
    const { checks } = await gather();
    expect(checks?.map(({ state }) => state)).toEqual(["held"]);
    expect(opened.slice(0, 2)).toEqual([undefined, { empty: true }]);
    expect(seen).toEqual(["look copy 1", "use copy 2"]);
    expect(copies.every(({ closed }) => closed)).toBe(true);
  });

  it("never runs a check that starts empty on the person's own data", async () => {
    const files = { ...FILES, ".treadle/checks.md": `## Starts empty\n\n${CHECK("First")}` };
    const { seen, gather } = createApp({ files, tooLarge: true });
    const { checks } = await gather();
    expect(checks?.map(({ state }) => state)).toEqual(["untried"]);
    expect(seen).toEqual(["look own"]);
  });

  it("uses a separate copy for a check with a date, whose server runs at that date", async () => {
    const dated = CHECK("First").replace("- type", "- on 2031-03-01\n- type");
    const files = { ...FILES, ".treadle/checks.md": dated + CHECK("Second") };
    const { copies, gather } = createApp({ files, writes: false });
    await gather();
    const shifted = copies.filter(({ workspace }) =>
      /NODE_OPTIONS/.test(workspace.server?.command ?? ""),
    );
    expect(shifted).toHaveLength(1);
  });

  it("opens no more copies than run at the same time if none of them is changed", async () => {
    const names = ["1", "2", "3", "4", "5", "6", "7"];
    const files = { ...FILES, ".treadle/checks.md": names.map(CHECK).join("") };
    const { seen, copies, gather } = createApp({ writes: false, files });
    await gather();
    expect(seen).toHaveLength(8);
    expect(copies).toHaveLength(CHECKS_AT_ONCE);
  });

  it("meets everybody in one copy if it only serves its files, which nobody can change there", async () => {
    const files = {
      "index.html": "<p>hi</p>",
      ".treadle/checks.md": FILES[".treadle/checks.md"],
    };
    const { seen, copies, gather, most } = createApp({ files, fails: (use) => use === 1 });
    const { checks } = await gather();
    expect(checks?.map(({ state }) => state)).toEqual(["held", "held"]);
    expect(seen).toEqual(["look copy 1", "use copy 1", "use copy 1", "use copy 1"]);
    expect(most()).toBe(2);
    expect(copies.map(({ closed }) => closed)).toEqual([true]);
  });

  it("runs its checks in parallel, those that failed last first", async () => {
    const names = ["1", "2", "3", "4"];
    const files = { ...FILES, ".treadle/checks.md": names.map(CHECK).join("") };
    const { most, order, gather } = createApp({ files });
    const { checks } = await gather({ failedBefore: ["3"] });
    expect(most()).toBe(CHECKS_AT_ONCE);
    expect(order[0]).toBe("Add 3");
    expect(checks?.map(({ name }) => name)).toEqual(names);
  });

  it("repeats a failed check in a fresh copy, and reports both tries", async () => {
    const { seen, gather } = createApp({ writes: false, fails: (use) => use === 1 });
    const { checks } = await gather();
    expect(seen).toEqual(["look copy 1", "use copy 1", "use copy 2", "use copy 3"]);
    expect(checks?.[0]).toMatchObject({ state: "held", firstTry: "expect Milk" });
    expect(checks![1]!.firstTry).toBeUndefined();
  });

  it("leaves a check untried if no fresh copy is available, and keeps the rest of the evidence", async () => {
    const { gather } = createApp({ mostCopies: 1 });
    const { checks, parts } = await gather();
    expect(parts.page.state).toBe("held");
    expect(checks?.map(({ state }) => state)).toEqual(["held", "untried"]);
  });

  it("is requested at the port of its server in that copy", async () => {
    const { ports, copies, gather } = createApp({});
    await gather();
    const has = copies.map(({ workspace }) => workspace.server?.ports[0]);
    expect(ports).toEqual(has);
    expect(new Set(has).size).toBe(2);
  });

  it("is observed in the person's own app if its server does not start in a copy", async () => {
    const { seen, gather } = createApp({ copyStarts: false });
    const { parts } = await gather();
    expect(parts.serve.state).toBe("held");
    expect(parts.serve.detail).toContain("no copy could be made");
    expect(seen[0]).toBe("look own");
  });

  it("is observed in the person's own app if there is too much data to copy", async () => {
    const { seen, gather } = createApp({ tooLarge: true });
    const { page, serve } = (await gather()).parts;
    expect(page.state).toBe("held");
    expect(serve.detail).toContain("too much data");
    expect(seen[0]).toBe("look own");
  });
});

describe("an app that is observed directly", () => {
  it("has its data restored afterwards, and its server restarted", async () => {
    const { own, gather } = createApp({
      tooLarge: true,
      files: { ...FILES, ".data/rows.json": '["Milk"]', ".data/gone.json": "1" },
      onOwnUse(workspace) {
        workspace.put(".data/rows.json", '["Milk","Check"]');
        workspace.put(".data/new.json", "x");
        workspace.contents.delete(toProjectPath(".data/gone.json"));
      },
    });
    await gather();
    expect(own.text(".data/rows.json")).toBe('["Milk"]');
    expect(own.text(".data/gone.json")).toBe("1");
    expect(own.text(".data/new.json")).toBeUndefined();
    expect(own.commands.filter((command) => command.startsWith("start: "))).toHaveLength(2);
    expect(own.server?.state).toBe("up");
  });

  it.each([true, false])(
    "is served by a new server if a command ran beside the old one: %s",
    async (hasRun) => {
      const { own, gather } = createApp({ tooLarge: true });
      await own.start("npm run dev");
      const [before] = own.server!.ports;
      Object.assign(own, { hasRunSince: () => hasRun });
      const { revision } = await gather({ served: await own.revision() });
      expect(revision).toBe(await own.revision());
      expect(own.server?.ports[0] !== before).toBe(hasRun);
    },
  );

  it("keeps its server if its data did not change", async () => {
    const { own, gather } = createApp({
      tooLarge: true,
      files: { ...FILES, ".data/rows.json": "[]" },
    });
    await gather();
    expect(own.commands.filter((command) => command.startsWith("start: "))).toHaveLength(1);
  });

  it("keeps a changed database, and reports that", async () => {
    const { own, gather } = createApp({
      tooLarge: true,
      files: { ...FILES, ".data/app.db": "before" },
      onOwnUse: (workspace) => void workspace.put(".data/app.db", "after"),
    });
    const { parts } = await gather();
    expect(own.text(".data/app.db")).toBe("after");
    expect(parts.serve.detail).toContain("stays changed");
  });
});

describe("a passed check", () => {
  it("proves nothing if its expectations held before its actions", async () => {
    const { gather } = createApp({ already: true });
    const { checks } = await gather();
    expect(checks?.map(({ provesNothing }) => provesNothing)).toEqual([
      "already-held",
      "already-held",
    ]);
  });

  it("is judged by the revision before if all that is done is done before each check", async () => {
    const checks = '## Before each\n- click "Sign in"\n\n## Says where\n- expect "By the river"\n';
    const files = { ...FILES, ".treadle/checks.md": checks };
    const { gather } = createApp({ already: true, files });
    expect((await gather()).checks?.[0]?.provesNothing).toBeUndefined();
  });

  it("proves nothing without an expectation", async () => {
    const files = { ...FILES, ".treadle/checks.md": '## Clicks\n- click "Add"\n' };
    const { checks } = await createApp({ files }).gather();
    expect(checks?.[0]?.provesNothing).toBe("no-expectation");
  });

  it("proves nothing about the turn if it also passes on the revision before", async () => {
    // The third use is the first check on the earlier revision.
    const { gather, copies } = createApp({ fails: (use) => use === 4 });
    const { checks } = await gather({ before: "c1", run: "r1" });
    expect(checks?.map(({ provesNothing }) => provesNothing)).toEqual(["passed-before", undefined]);
    // Each runs on the current data, so that a change by one does not affect the next.
    expect(copies.map(({ restored }) => restored)).toEqual([[], [], ["c1"], ["c1"]]);
    expect(copies.every(({ closed }) => closed)).toBe(true);
  });

  it("may pass on the revision before if the turn is to show what was made earlier", async () => {
    const { gather, copies } = createApp({});
    const { checks } = await gather({ before: "c1", run: "r1", provesEarlier: true });
    expect(checks?.map(({ provesNothing }) => provesNothing)).toEqual([undefined, undefined]);
    expect(copies.flatMap(({ restored }) => restored)).toEqual([]);
  });

  it("shares a copy of the earlier revision with other checks that change no data", async () => {
    const { gather, copies } = createApp({ writes: false });
    const { checks } = await gather({ before: "c1", run: "r1" });
    expect(checks?.map(({ provesNothing }) => provesNothing)).toEqual([
      "passed-before",
      "passed-before",
    ]);
    expect(copies.filter(({ restored }) => restored.length > 0)).toHaveLength(1);
  });

  it("runs on the earlier revision at the same date", async () => {
    const dated = CHECK("First").replace("- type", "- on 2031-03-01\n- type");
    const files = { ...FILES, ".treadle/checks.md": dated + CHECK("Second") };
    const { copies, gather } = createApp({ files, writes: false });
    await gather({ before: "c1", run: "r1" });
    const before = copies.filter(({ restored }) => restored.length > 0);
    const isShifted = before.map(({ workspace }) =>
      /NODE_OPTIONS/.test(workspace.server?.command ?? ""),
    );
    expect(isShifted.toSorted()).toEqual([false, true]);
  });

  it("does not count as new if it is older and was repaired, even if it also passes before", async () => {
    const checks = countedInRun();
    await createApp({ writes: false }).gather({ checks, run: "r1" });
    const repaired = CHECK("First").replace("- expect", '- expect button "Add"\n- expect');
    const files = { ...FILES, ".treadle/checks.md": repaired + CHECK("Second") };
    const { gather } = createApp({ writes: false, files });
    const touched = new Set([CHECKS_FILE]);
    const evidence = await gather({
      checks,
      run: "r2",
      before: "c1",
      touched,
      failedChecks: new Set(),
    });
    const [first] = evidence.checks ?? [];
    expect(first).toMatchObject({ name: "First", state: "held", rewritten: true });
    expect(first!.provesNothing).toBeUndefined();
    expect(first!.isNew).toBeUndefined();
  });

  it("is not run on an earlier revision that needs other packages", async () => {
    const before = '{"scripts":{"dev":"node server.js"},"dependencies":{"left-pad":"1.0.0"}}';
    const { gather, seen } = createApp({ writes: false, filesBefore: { "package.json": before } });
    const { checks } = await gather({ before: "c1", run: "r1" });
    expect(seen).toEqual(["look copy 1", "use copy 1", "use copy 2"]);
    expect(checks![0]!.provesNothing).toBeUndefined();
    expect(checks?.map(({ beforeUntried }) => beforeUntried)).toEqual([
      "other-packages",
      "other-packages",
    ]);
  });
});

describe("a request that only eyes can judge", () => {
  const keepPicture = async (bytes: Uint8Array) => ({
    hash: new TextDecoder().decode(bytes),
    mediaType: "image/png",
  });
  const files = { "package.json": FILES["package.json"], "server.js": "" };

  it("gets a picture of the first page before the turn as well", async () => {
    const { gather, copies } = createApp({ files });
    const { pages } = await gather({ before: "c1", byEye: true, keepPicture });
    expect(pages.at(-1)).toMatchObject({
      picture: { hash: "copy 1" },
      pictureBefore: { hash: "copy 2" },
    });
    expect(copies.map(({ restored }) => restored)).toEqual([[], ["c1"]]);
    expect(copies.every(({ closed }) => closed)).toBe(true);
  });

  it("takes no such picture if a check can judge all of it", async () => {
    const { gather, copies } = createApp({ files });
    const { pages } = await gather({ before: "c1", keepPicture });
    expect(pages.at(-1)!.pictureBefore).toBeUndefined();
    expect(copies).toHaveLength(1);
  });

  it("gets no picture of an earlier revision that needs other packages", async () => {
    const before = '{"scripts":{"dev":"node server.js"},"dependencies":{"left-pad":"1.0.0"}}';
    const { gather } = createApp({ files, filesBefore: { "package.json": before } });
    const { pages, parts } = await gather({ before: "c1", byEye: true, keepPicture });
    expect(pages.at(-1)!.pictureBefore).toBeUndefined();
    expect(parts.page.state).toBe("held");
  });
});
