import { toProjectPath } from "@treadle/protocol/project-path";
import { createHash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ProjectPath } from "@treadle/protocol";
import { openStore, type Store } from "@treadle/store";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { FakeWorkspace } from "../../workspace/src/testing/fake-workspace.test-support.ts";
import type { Moment } from "./participant.ts";
import { createProjectTrust, type ProjectTrust } from "./project-trust.ts";

/**
 * The three kinds of trust, each with one of its files: its text, and whether that text counts as
 * the person's.
 */
const KINDS = [
  {
    what: "a rule",
    path: "AGENTS.md",
    textOf: (name: string) => `${name}.`,
    counts: async (trust: ProjectTrust, _moment: Moment, text: string) =>
      trust.isAccepted(toProjectPath("AGENTS.md"), createHash("sha1").update(text).digest("hex")),
  },
  {
    what: "a check",
    path: ".treadle/checks.md",
    textOf: (name: string) => `## ${name}\n- expect ${name}\n`,
    counts: async (trust: ProjectTrust, _moment: Moment, text: string) =>
      text.startsWith(`## ${trust.checks.read()?.checks[0]?.name}\n`),
  },
  {
    what: "any other file",
    path: "src/a.ts",
    textOf: (name: string) => `// ${name}`,
    async counts(trust: ProjectTrust, moment: Moment) {
      const { changes } = await trust.turnBegins(moment, false);
      return changes.find(({ path }) => path === "src/a.ts")?.by === "person";
    },
  },
];

let directory: string;
let store: Store;
let project = 0;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), "treadle-trust-"));
  store = await openStore({ directory });
});
afterAll(async () => {
  await store.close();
  rmSync(directory, { recursive: true, force: true });
});
beforeEach(() => void project++);

/** A project that is opened repeatedly, with its files, its checkpoints and its stored state. */
async function aProject(path: string, first: string) {
  const id = `p${project}`;
  const contents = new Map<ProjectPath, Uint8Array>([[path as ProjectPath, Buffer.from(first)]]);
  const files: FakeWorkspace["records"] = [];
  let lastRun: Moment["lastRun"];
  const open = async () => {
    const options = { project: id, directory, stateDirectory: directory };
    const workspace = new FakeWorkspace(options as never, contents, files);
    lastRun ??= await workspace.checkpoint("a turn");
    const moment = { workspace, lastRun };
    const trust = trustOf();
    await trust.opened(moment);
    return { trust, workspace, moment };
  };
  const trustOf = () =>
    createProjectTrust({
      store,
      project: id,
      folder: join(directory, id),
      now: () => 0,
      onNotice: (text) => expect.fail(text),
    });
  return {
    id,
    open,
    trustOf,
    put: (text: string) => contents.set(path as ProjectPath, Buffer.from(text)),
  };
}

describe.each(KINDS)("$what (docs/yours.md)", ({ path, textOf, counts }) => {
  it("counts as the person saved it, at once and when the project is opened again", async () => {
    const { open } = await aProject(path, textOf("First"));
    const { trust, workspace, moment } = await open();
    await trust.personFiles(workspace).write(toProjectPath(path), textOf("Saved"));
    expect(await counts(trust, moment, textOf("Saved"))).toBe(true);
    await trust.released(moment);
    const again = await open();
    expect(await counts(again.trust, again.moment, textOf("Saved"))).toBe(true);
  });

  it("counts with changes made while nothing of the project was running", async () => {
    const { open, put } = await aProject(path, textOf("First"));
    const { trust, moment } = await open();
    await trust.released(moment);
    put(textOf("Mine"));
    const again = await open();
    expect(await counts(again.trust, again.moment, textOf("Mine"))).toBe(true);
  });

  it("does not count as a program of the project left it, however the program ended (A24)", async () => {
    for (const endProcesses of [
      async () => true,
      async () => false,
      () => Promise.reject(new Error("no answer")),
    ]) {
      project++;
      const { open, put } = await aProject(path, textOf("First"));
      const { trust, workspace, moment } = await open();
      put(textOf("Theirs"));
      expect(await counts(trust, moment, textOf("Theirs"))).toBe(false);
      workspace.endProcesses = endProcesses;
      await trust.released(moment);
      const again = await open();
      expect(await counts(again.trust, again.moment, textOf("Theirs"))).toBe(false);
    }
  });

  it("is not attributed to the person after a crash, when anyone may have changed it (A24)", async () => {
    const { open, put } = await aProject(path, textOf("First"));
    await open();
    put(textOf("Anybody's"));
    const again = await open();
    expect(await counts(again.trust, again.moment, textOf("Anybody's"))).toBe(false);
  });

  it("counts again as it did in the checkpoint that the person restores", async () => {
    const { open, put } = await aProject(path, textOf("First"));
    const { trust, workspace, moment } = await open();
    await trust.personFiles(workspace).write(toProjectPath(path), textOf("Saved"));
    const { checkpoint } = await workspace.checkpoint("saved");
    put(textOf("Theirs"));
    trust.restoring();
    await workspace.restore(checkpoint);
    await trust.restored(moment);
    expect(await counts(trust, moment, textOf("Saved"))).toBe(true);
  });
});

it("is deleted with the project", async () => {
  const { id, open, trustOf } = await aProject("AGENTS.md", "Be kind.");
  const { trust, moment } = await open();
  await trust.released(moment);
  const keys = ["protected", "checks", "between"].map((name) => `${name}:${id}`);
  for (const key of keys) expect(await store.settings.get(key), key).toBeDefined();
  await trustOf().removed();
  for (const key of keys) expect(await store.settings.get(key), key).toBeUndefined();
});
