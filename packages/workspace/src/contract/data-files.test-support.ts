import { toProjectPath } from "@treadle/protocol/project-path";
import { describe, expect } from "vitest";
import type { Workspace, WorkspaceNotice } from "../types.ts";
import type { Contract } from "./contract.test-support.ts";

/**
 * A server that writes to a file at each request: the path names the file, the query the content.
 */
const WRITER = `
const http = require("node:http"), fs = require("node:fs"), path = require("node:path");
http.createServer((request, response) => {
  const { pathname, search } = new URL(request.url, "http://x");
  const file = "." + pathname;
  if (pathname !== "/") {
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.appendFileSync(file, search);
  }
  response.end("ok");
}).listen(3000);
`;

export function describeDataFiles(contract: Contract): void {
  const { openNew, apart, text } = contract;

  async function openServing(files: Record<string, string> = {}): Promise<Workspace> {
    const workspace = await openNew();
    for (const [path, content] of Object.entries({ "server.cjs": WRITER, ...files }))
      await workspace.files.write(toProjectPath(path), content);
    await workspace.start("node server.cjs");
    expect(workspace.server?.state).toBe("up");
    return workspace;
  }

  const ask = async (workspace: Workspace, address: string) => {
    const socket = await workspace.connect(3000);
    socket.end(`GET ${address} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    for await (const piece of socket) void piece;
  };

  describe.concurrent("files that only the running app writes", () => {
    apart(
      "W153",
      "are not part of a revision, are reported, and are remembered when the project is opened again",
      async () => {
        const workspace = await openServing({ "db.json": "[]" });
        const notices: WorkspaceNotice[] = [];
        workspace.listen((notice) => void (notice.type === "data-files" && notices.push(notice)));
        const before = await workspace.revision();
        await ask(workspace, "/access.log?1");
        await ask(workspace, "/uploads/one.png?1");
        expect(await workspace.revision()).toBe(before);
        await ask(workspace, "/db.json?1");
        const without = await workspace.revision();
        expect(without).not.toBe(before);
        await ask(workspace, "/db.json?2");
        await ask(workspace, "/access.log?2");
        expect(await workspace.revision()).toBe(without);
        const paths = ["access.log", "db.json", "uploads/one.png"];
        expect(workspace.dataFiles()).toEqual(paths);
        expect(
          notices
            .flatMap((notice) => (notice.type === "data-files" ? notice.paths : []))
            .toSorted(),
        ).toEqual(paths);
        await workspace.stop();
      },
    );

    apart(
      "W195",
      "in a hidden folder, mark it as the state of a tool, which is ignored from then on",
      async () => {
        const workspace = await openServing({ ".config/own.js": "1" });
        const before = await workspace.revision();
        await ask(workspace, "/.tool/tmp/dev-1/index.js?1");
        expect(await workspace.revision()).toBe(before);
        await ask(workspace, "/.tool/tmp/dev-2/index.js?1");
        await workspace.run("echo x > .tool/by-a-command.js");
        expect(await workspace.revision()).toBe(before);
        // Files written by a person, and files that outside programs obey, belong to the project,
        // whoever writes them.
        await ask(workspace, "/.config/other.js?1");
        await ask(workspace, "/.vscode/tasks.json?1");
        const after = await workspace.revision();
        expect(after).not.toBe(before);
        const shown = (await workspace.files.list()).files.map(({ path }) => String(path));
        expect(shown).toEqual(
          expect.arrayContaining([".config/other.js", ".config/own.js", ".vscode/tasks.json"]),
        );
        expect(shown.filter((path) => path.startsWith(".tool"))).toEqual([]);
        await workspace.stop();
      },
    );

    apart(
      "W192",
      "are recognised while a program runs that writes no files, but not while another one does",
      async () => {
        const workspace = await openServing();
        await workspace.revision();
        const asked = await workspace.pipe("cat", { leavesFiles: true });
        await ask(workspace, "/uploads/one.png?1");
        await workspace.revision();
        expect(workspace.dataFiles()).toEqual(["uploads/one.png"]);
        const other = await workspace.pipe("cat");
        await ask(workspace, "/uploads/two.png?1");
        await workspace.revision();
        expect(workspace.dataFiles()).toEqual(["uploads/one.png"]);
        for (const pipe of [asked, other]) await pipe.kill();
        await workspace.stop();
      },
    );

    apart(
      "W154",
      "stay unchanged when a checkpoint is restored, and are in no difference",
      async () => {
        const workspace = await openServing({ "db.json": "[]", "a.txt": "one" });
        const { checkpoint } = await workspace.checkpoint("seeded");
        await ask(workspace, "/db.json?entered");
        await ask(workspace, "/access.log?1");
        await workspace.revision();
        await workspace.files.write(toProjectPath("a.txt"), "two");
        expect((await workspace.diff(checkpoint)).map(({ path }) => path)).toEqual(["a.txt"]);
        await workspace.restore(checkpoint);
        expect(await text("a.txt", workspace)).toBe("one");
        expect(await text("db.json", workspace)).toBe("[]?entered");
        expect(await text("access.log", workspace)).toBe("?1");
        // Files that are missing are restored from the checkpoint.
        await workspace.files.remove(toProjectPath("db.json"));
        await workspace.restore(checkpoint);
        expect(await text("db.json", workspace)).toBe("[]");
        await workspace.stop();
      },
    );

    apart(
      "W155",
      "are never sources, whatever writes them: neither by name, nor when a source imports them",
      async () => {
        const workspace = await openServing({
          "src/main.js": 'import table from "../made/table.json";\nexport { x } from "./plain";\n',
          "index.html": '<img src="/shown.png"><link href=look.txt>',
          "src/all.ts": 'const all = import.meta.glob("../posts/*.json");',
          "made/table.json": "{}",
        });
        for (const path of [
          ..."public/app.js src/x.ts index.html style.css view.ejs package.json tsconfig.app.json config.yaml".split(
            " ",
          ),
          ..."made/table.json src/plain.json shown.png posts/one.json .env.local .vscode/tasks.json AGENTS.md".split(
            " ",
          ),
        ]) {
          const before = await workspace.revision();
          await ask(workspace, `/${path}?1`);
          expect([path, (await workspace.revision()) !== before]).toEqual([path, true]);
        }
        expect(workspace.dataFiles()).toEqual([]);
        await workspace.stop();
      },
    );

    apart(
      "W156",
      "become sources again once a command, the model or the person writes them",
      async () => {
        const workspace = await openServing();
        await workspace.revision();
        await ask(workspace, "/db.json?1");
        const before = await workspace.revision();
        expect(workspace.dataFiles()).toEqual(["db.json"]);
        await workspace.files.write(toProjectPath("db.json"), "[]");
        expect(await workspace.revision()).not.toBe(before);
        expect(workspace.dataFiles()).toEqual([]);
        // A command's writes are not data, even if the server runs at the same time.
        await workspace.run("echo 1 > seeded.json");
        const seeded = await workspace.revision();
        await workspace.run("echo 2 > seeded.json");
        expect(await workspace.revision()).not.toBe(seeded);
        expect(workspace.dataFiles()).toEqual([]);
        await workspace.stop();
      },
    );
  });
}
