import { asSentence } from "@treadle/protocol/sentences";
import { toProjectPath } from "@treadle/protocol/project-path";
import { WorkspaceError } from "@treadle/workspace";
import { describe, expect, it } from "vitest";
import { answer, call, scriptedModel, toldText } from "../testing/scripted-model.test-support.ts";
import { htmlWorkspace, ofType, tryRun } from "../testing/try-run.test-support.ts";
import { createLockGuard, lockIn, lockOver } from "./locks.ts";

const [src, app, other] = [
  toProjectPath("src"),
  toProjectPath("src/App.tsx"),
  toProjectPath("other.ts"),
];
const nobody = () => false;

it("a lock covers a file, everything in a folder, and a move of the folder around it", () => {
  expect(lockOver([src], app)).toBe("src");
  expect(lockOver([app], src)).toBeUndefined();
  expect(lockIn([app], src)).toBe("src/App.tsx");
  expect(lockIn([app], other)).toBeUndefined();
});

describe("a run in a project with locks", () => {
  const files = { "index.html": "<h1>mine</h1>", "src/App.tsx": "mine", "other.ts": "1" };
  const write = (path: string) => call("write_file", { path, content: "theirs" });

  it.each([
    ["writes", write("src/App.tsx")],
    ["edits", call("edit_file", { path: "src/App.tsx", edits: [{ old: "mine", new: "x" }] })],
    ["makes in a locked folder", write("src/new.ts")],
    ["removes", call("delete_file", { path: "src" })],
    ["moves away", call("rename_file", { from: "src/App.tsx", to: "b.tsx" })],
    ["moves into", call("rename_file", { from: "other.ts", to: "src/other.ts" })],
  ])("refuses what %s it, with a plain sentence", async (_what, asked) => {
    let prompt = "";
    const { workspace, events } = await tryRun(
      scriptedModel(answer("", asked), (request) => {
        prompt = toldText(request);
        return answer("", call("finish", { done: "Nothing.", try: "", name: "" }));
      }),
      { workspace: htmlWorkspace({ files }), ports: { locks: () => [src] } },
    );
    expect(workspace.text("src/App.tsx")).toBe("mine");
    expect(workspace.paths()).toEqual(["index.html", "other.ts", "src/App.tsx"]);
    expect(prompt).toContain("the person locked src");
    expect(ofType(events, "call-end")[0]).toMatchObject({ status: "denied" });
  });

  it("restores files that a command changed, created or removed, tells the model, and keeps the person's changes", async () => {
    let prompt = "";
    const personWrites = new Map<ReturnType<typeof toProjectPath>, string>();
    const { workspace, events } = await tryRun(
      scriptedModel(answer("", call("run_command", { command: "npm run codemod" })), (request) => {
        prompt = toldText(request);
        return answer("", call("finish", { done: "Nothing.", try: "", name: "" }));
      }),
      {
        workspace: htmlWorkspace({
          files: { ...files, "src/mine.ts": "1" },
          command(command, workspace) {
            if (command !== "npm run codemod") return undefined;
            workspace.contents.delete(toProjectPath("src/mine.ts"));
            const version = workspace.put("src/person.ts", "by the person");
            personWrites.set(toProjectPath("src/person.ts"), version);
            return {
              writes: { "src/App.tsx": "theirs", "src/made.ts": "theirs", "other.ts": "2" },
            };
          },
        }),
        request: { personWrites },
        ports: { locks: () => [src] },
      },
    );
    expect(workspace.text("src/App.tsx")).toBe("mine");
    expect(workspace.text("src/mine.ts")).toBe("1");
    expect(workspace.text("src/made.ts")).toBeUndefined();
    expect(workspace.text("src/person.ts")).toBe("by the person");
    expect(workspace.text("other.ts")).toBe("2");
    expect(prompt).toContain("Put back as they were: src/App.tsx, src/made.ts, src/mine.ts.");
    const printed = ofType(events, "output").map(({ text }) => text);
    expect(printed.join("")).toContain("The person locked them");
  });
});

it("does not change a file that was unlocked meanwhile", async () => {
  const workspace = htmlWorkspace({ files: { "src/App.tsx": "mine" } });
  let locks = [src];
  const guard = createLockGuard(workspace, () => locks);
  await guard.begin();
  workspace.put("src/App.tsx", "theirs");
  locks = [];
  expect(await guard.putBack(nobody)).toEqual({ back: [], left: [] });
  expect(workspace.text("src/App.tsx")).toBe("theirs");
});

describe("A92 ways for a command to bypass a lock", () => {
  const [a, z] = [toProjectPath("src/a.ts"), toProjectPath("src/z.ts")];
  const begun = async (locks = [src], files = { "src/a.ts": "mine", "src/z.ts": "mine" }) => {
    const workspace = htmlWorkspace({ files });
    const guard = createLockGuard(workspace, () => locks);
    await guard.begin();
    return { workspace, guard, stands: () => [workspace.text(a), workspace.text(z)] };
  };

  it("a folder in place of a file does not prevent restoring the other files", async () => {
    const { workspace, guard, stands: currentContents } = await begun();
    workspace.contents.delete(a);
    workspace.put("src/a.ts/in-the-way", "theirs");
    workspace.put("src/z.ts", "theirs");
    await guard.putBack(nobody);
    expect(currentContents()).toEqual(["mine", "mine"]);
    expect(workspace.paths()).toEqual(["src/a.ts", "src/z.ts"]);
  });

  it("a file in place of its folder is set aside, since it cannot be deleted safely", async () => {
    const { workspace, guard, stands: currentContents } = await begun([a, z]);
    for (const path of [a, z]) workspace.contents.delete(path);
    workspace.put("src", "theirs");
    expect(await guard.putBack(nobody)).toEqual({ back: [a, z], left: [] });
    expect(currentContents()).toEqual(["mine", "mine"]);
    expect(workspace.text("src.set-aside-1")).toBe("theirs");
  });

  it("more created files than can be listed, before the changed one", async () => {
    const { workspace, guard, stands: currentContents } = await begun();
    for (let made = 0; made < 2_500; made++) workspace.put(`src/b${made}.ts`, "");
    workspace.put("src/z.ts", "theirs");
    const { left } = await guard.putBack(nobody);
    expect(left).toEqual([]);
    expect(currentContents()).toEqual(["mine", "mine"]);
    expect(workspace.paths()).toEqual(["src/a.ts", "src/z.ts"]);
  });

  it("a file too long to be read, unless the person put it there", async () => {
    const { workspace, guard } = await begun();
    workspace.put("src/a.ts", Buffer.alloc(17 * 1024 * 1024));
    workspace.put("src/z.ts", Buffer.alloc(17 * 1024 * 1024));
    expect((await guard.putBack((path, is) => path === a && is === undefined)).back).toEqual([z]);
    expect(workspace.text("src/z.ts")).toBe("mine");
  });

  it("a process that writes between two commands: the state before the first one counts", async () => {
    const { workspace, guard, stands: currentContents } = await begun();
    await guard.putBack(nobody);
    workspace.put("src/a.ts", "theirs");
    await guard.begin();
    expect((await guard.putBack(nobody)).back).toEqual([a]);
    expect(currentContents()).toEqual(["mine", "mine"]);
  });

  it("a file that cannot be restored is reported, and the others are restored", async () => {
    const { workspace, guard } = await begun();
    workspace.put("src/a.ts", "theirs");
    workspace.put("src/z.ts", "theirs");
    const { write } = workspace.files;
    workspace.files.write = async (path, ...rest) => {
      if (path === a) throw new WorkspaceError("conflict", asSentence("changed again"));
      return write(path, ...rest);
    };
    expect(await guard.putBack(nobody)).toEqual({ back: [z], left: [a] });
  });
});
