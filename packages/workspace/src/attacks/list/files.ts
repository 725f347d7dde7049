import type { ProjectPath } from "@treadle/protocol";
import { toProjectPath } from "@treadle/protocol/project-path";
import { literally, type AttackPlace, type Attempt } from "../attempt.ts";
import type { Workspace } from "../../types.ts";

/** The outcome of a call: its error's code, or success. */
const messageOf = (work: Promise<unknown>) =>
  work.then(
    () => "WENT THROUGH",
    (error: Error & { code?: string }) => `refused: ${error.code}`,
  );

const MINE = toProjectPath("mine.txt");

/** Paths that every validation refuses; a cast gets them past the types. */
const PATHS = [
  "../../etc/x",
  "/etc/x",
  "C:\\x",
  "..\\x",
  "a/../../x",
  "./../x",
  "a\0b",
  "../attacker-evil/x",
  "",
];

/**
 * Calls that the host makes in a project's folder for model and person, with paths that lead out of
 * it.
 */
export function fileCalls(place: AttackPlace): Attempt[] {
  const { otherDirectory: other } = place;
  const calls = ({ files }: Workspace, path: ProjectPath) => [
    messageOf(files.read(path)),
    messageOf(files.write(path, "planted")),
    messageOf(files.remove(path)),
    messageOf(files.rename(MINE, path)),
  ];
  return [
    {
      id: "A18",
      area: "files",
      what: "paths that leave the project, read, written, removed, renamed",
      async act(workspace) {
        await workspace.files.write(MINE, "x");
        const all = await Promise.all(
          PATHS.flatMap((path) => calls(workspace, path as ProjectPath)),
        );
        return all.join("\n");
      },
      always: /^(refused: (path|missing|not-a-file)\n?)+$/,
    },
    {
      id: "A20",
      area: "files",
      what: "a link to another project, read, written, listed through",
      async act(workspace) {
        await workspace.run(`ln -sfn ${other} linked; ln -sfn ${other}/private.txt linked.txt`);
        const through = await Promise.all([
          ...calls(workspace, toProjectPath("linked/private.txt")),
          ...calls(workspace, toProjectPath("linked/planted.txt")),
          messageOf(workspace.files.read(toProjectPath("linked.txt"))),
        ]);
        const { files } = await workspace.files.list().catch(() => ({ files: [] }));
        const found = await workspace.files.search({ pattern: place.otherSecret });
        await workspace.run("rm -f linked linked.txt");
        const names = files.map(({ path }) => path).filter((path) => path.startsWith("linked/"));
        return [...through, ...names, found.matches.length, ...(await place.listOther())].join(
          "\n",
        );
      },
      always: /\n0\n/,
      never: /WENT THROUGH|linked\/|planted/,
    },
    {
      id: "A20",
      area: "files",
      what: "a link where a folder was, written through by going back to a checkpoint",
      async act(workspace) {
        await workspace.files.write(toProjectPath("went/planted.txt"), "x");
        await workspace.files.write(toProjectPath("went/deep/planted.txt"), "x");
        const checkpoint = await workspace.checkpoint("before the link");
        await workspace.run(`rm -rf went; ln -s ${other} went`);
        await workspace.restore(checkpoint.checkpoint);
        const { output } = await workspace.run("test -L went || cat went/deep/planted.txt");
        await workspace.run("rm -rf went");
        return [output, ...(await place.listOther())].join("\n");
      },
      always: /^x\nprivate.txt$/,
    },
    {
      id: "A20",
      area: "files",
      what: "a link that a checkpoint holds, written through by going back to it",
      async act(workspace) {
        await workspace.run(`rm -rf went; ln -s ${other} went`);
        const checkpoint = await workspace.checkpoint("with the link");
        await workspace.run("rm went; mkdir went; echo x > went/planted.txt");
        await workspace.restore(checkpoint.checkpoint);
        const outcome = await workspace.files
          .write(toProjectPath("went/planted-too.txt"), "x")
          .then(
            () => "WENT THROUGH",
            () => "refused",
          );
        await workspace.run("rm -rf went");
        return [outcome, ...(await place.listOther())].join("\n");
      },
      always: /^refused\nprivate.txt$/,
    },
    {
      id: "A21",
      area: "files",
      what: "a folder that becomes a link between the look and the write",
      async act(workspace) {
        const swapping = workspace.run(
          `mkdir -p kept; end=$((SECONDS + 2)); while [ $SECONDS -lt $end ]; do ln -sfn ${other} swap; rm -f swap; cp -r kept swap; rm -rf swap; done`,
        );
        let going = true;
        void swapping.finally(() => (going = false));
        let read = "";
        let tried = 0;
        while (going) {
          tried++;
          await workspace.files
            .write(toProjectPath("swap/planted.txt"), "x")
            .catch(() => undefined);
          await workspace.files.read(toProjectPath("swap/private.txt")).then(
            ({ bytes }) => (read += Buffer.from(bytes).toString()),
            () => undefined,
          );
        }
        await workspace.run("rm -rf swap kept");
        return `tried ${tried > 0}\n${read}\n${(await place.listOther()).join("\n")}`;
      },
      always: /^tried true/,
      never: new RegExp(`planted|${literally(place.otherSecret).source}`),
    },
    {
      id: "A22",
      area: "files",
      what: "a pipe, a socket, a device and a hard link in a file's place",
      async act(workspace) {
        await workspace.run(
          `mkfifo pipe; node -e 'require("net").createServer().listen("sock",()=>process.exit())'; ln -s /dev/zero zero; ln /etc/passwd hard 2>/dev/null; true`,
        );
        const { files } = workspace;
        const all = await Promise.all([
          ...["pipe", "sock", "zero", "hard"].map((name) =>
            messageOf(files.read(toProjectPath(name))),
          ),
          workspace.revision().then(() => "revision"),
          files.search({ pattern: "root:" }).then(({ matches }) => `found ${matches.length}`),
        ]);
        await workspace.run("rm -f pipe sock zero hard");
        return all.join("\n");
      },
      always: /revision[^]*found 0/,
      never: /WENT THROUGH/,
    },
  ];
}
