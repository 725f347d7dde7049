import { toProjectPath } from "@treadle/protocol/project-path";
import type { Workspace } from "@treadle/workspace";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createAuthors } from "./authors.ts";

/** Never used by these tests. */
const workspace = {} as Workspace;

const notice = (path: string, version: string) => ({
  path: toProjectPath(path),
  kind: "written" as const,
  size: 1,
  version,
});

describe("authors of file changes", () => {
  it("are the model and the person for the versions they left, and the person's editor for all others", () => {
    const authors = createAuthors(() => 0);
    void authors.modelWrote?.(workspace, toProjectPath("a"), "v1", false);
    const act = authors.personActs([toProjectPath("./a")]);
    act.left(toProjectPath("./a"), "v2");
    act.end();
    void authors.modelWrote?.(workspace, toProjectPath("gone"), "", false);
    expect([
      authors.isPersons(toProjectPath("a"), "v2"),
      authors.isPersons(toProjectPath("a"), "v3"),
    ]).toEqual([true, false]);
    expect(authors.attribute(notice("a", "v1")).by).toBe("model");
    expect(authors.attribute(notice("a", "v2")).by).toBe("person");
    expect(authors.attribute(notice("a", "v3")).by).toBe("person");
    expect(authors.attribute({ path: toProjectPath("gone"), kind: "removed", size: 9 })).toEqual({
      path: "gone",
      kind: "removed",
      size: 0,
      by: "model",
    });
  });

  it("are commands while they run and shortly after, but not for what the person saved meanwhile", () => {
    let now = 1000;
    const authors = createAuthors(() => now);
    const end = authors.commandRuns();
    const act = authors.personActs([toProjectPath("b"), toProjectPath("large")]);
    act.left(toProjectPath("b"), "v1");
    act.leftSized(toProjectPath("large"), 5_000_000);
    act.end();
    expect(authors.attribute(notice("package-lock.json", "x")).by).toBe("command");
    expect(authors.attribute(notice("b", "v1")).by).toBe("person");
    expect(
      authors.attribute({ path: toProjectPath("large"), kind: "written", size: 5_000_000 }).by,
    ).toBe("person");
    end();
    end();
    expect(authors.attribute(notice("late", "x")).by).toBe("command");
    now += 10_000;
    expect(authors.attribute(notice("later", "x")).by).toBe("person");
  });

  it("are commands for a notice that came during one, however late it is processed", () => {
    let now = 0;
    const authors = createAuthors(() => now);
    const end = authors.commandRuns();
    const during = authors.isCommands();
    end();
    now += 10_000;
    expect(authors.attribute(notice("a", "x"), during).by).toBe("command");
  });

  it("F13 are the person for a save in the page during a command, whatever the order of notice and response", async () => {
    const SAVES = 6;
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), async (s) => {
        const authors = createAuthors(() => 0);
        authors.commandRuns();
        const by = new Map<string, string>();
        const notices: Promise<void>[] = [];
        const report = async (path: string, version: string) => {
          await s.schedule(Promise.resolve(), `notice ${path}`);
          const during = authors.isCommands();
          await authors.settled([toProjectPath(path)]);
          by.set(path, authors.attribute(notice(path, version), during).by);
        };
        const saves = Array.from({ length: SAVES }, async (_, at) => {
          const act = authors.personActs([toProjectPath(`f${at}`)]);
          // The file has been written: the watcher sees it, the response is in transit.
          notices.push(report(`f${at}`, `v${at}`));
          await s.schedule(Promise.resolve(), `answer ${at}`);
          act.left(toProjectPath(`f${at}`), `v${at}`);
          act.end();
        });
        notices.push(report("built", "x"));
        await s.waitFor(Promise.all(saves));
        await s.waitFor(Promise.all(notices));
        expect([...by.values()].filter((author) => author === "person")).toHaveLength(SAVES);
        expect(by.get("built")).toBe("command");
        expect(authors.personWrites.size).toBe(SAVES);
      }),
      { numRuns: 50 },
    );
  });

  it("are determined after active operations in a folder and its parents", async () => {
    const authors = createAuthors(() => 0);
    const act = authors.personActs([toProjectPath("lib/src")]);
    const finished: string[] = [];
    const waiting = ["lib/src/a", "lib", "lib/src/"].map((path) =>
      authors.settled([toProjectPath(path)]).then(() => finished.push(path)),
    );
    await authors.settled([toProjectPath("lib/srcs"), toProjectPath("src")]);
    expect(finished).toEqual([]);
    act.end();
    await Promise.all(waiting);
    expect(finished).toHaveLength(3);
  });

  it("are the model again for a file it wrote after the person, despite a late notice of the page", () => {
    const authors = createAuthors(() => 0);
    const act = authors.personActs([toProjectPath("a")]);
    act.left(toProjectPath("a"), "v1");
    act.end();
    void authors.modelWrote?.(workspace, toProjectPath("a"), "v2", false);
    expect(authors.attribute(notice("a", "v1")).by).toBe("person");
    expect([...authors.personWrites]).toEqual([]);
  });
});
