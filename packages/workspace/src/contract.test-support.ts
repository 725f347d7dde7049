/**
 * What every driver has to keep, each behaviour with its id. A driver's own test calls `describeWorkspace` once; what is
 * special to one driver (mounts, uids, unix sockets) is tested beside that driver.
 */
import { mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type {
  Exit,
  Workspace,
  WorkspaceDriver,
  WorkspaceErrorCode,
  WorkspaceNotice,
} from "./types.ts";

export interface ContractSubject {
  /** Makes the driver once; caches go below `folder`. */
  createDriver(folder: string): WorkspaceDriver;
  /** Behaviours that this driver cannot have, each id with its reason. They are shown as skipped. */
  lacks?: Record<string, string>;
}

/** Waits for the thing itself: asks again every 20 ms until it holds, for at most 10 s. */
export async function eventually<T>(
  ask: () => T | undefined | false | Promise<T | undefined | false>,
): Promise<T> {
  for (let tries = 0; tries < 500; tries++) {
    const found = await ask();
    if (found) return found;
    await sleep(20);
  }
  throw new Error("it never came");
}

/** Whether some process has this command line, each word ended by NUL. */
function runsOnThisMachine(commandLine: string): boolean {
  return readdirSync("/proc").some((name) => {
    try {
      return readFileSync(`/proc/${name}/cmdline`, "latin1") === commandLine;
    } catch {
      return false;
    }
  });
}

export async function codeOf(promise: Promise<unknown>): Promise<WorkspaceErrorCode | "none"> {
  try {
    await promise;
    return "none";
  } catch (error) {
    expect((error as Error).name, String(error)).toBe("WorkspaceError");
    return (error as { code: WorkspaceErrorCode }).code;
  }
}

const SERVER = (port: number, body = "up") =>
  `node -e 'require("http").createServer((q,s)=>s.end(${JSON.stringify(body)})).listen(${port},"127.0.0.1")'`;

async function get(workspace: Workspace, port: number): Promise<string> {
  const stream = await workspace.connect(port);
  stream.write("GET / HTTP/1.0\r\nhost: localhost\r\n\r\n");
  let text = "";
  for await (const piece of stream) text += String(piece);
  return text;
}

export function describeWorkspace(subject: ContractSubject): void {
  let folder: string;
  let driver: WorkspaceDriver;
  let shared: Workspace;
  let opened = 0;

  const openNew = (options: { directory?: string; stateDirectory?: string } = {}) => {
    const name = `contract-${process.pid}-${++opened}`;
    return driver.open({
      project: name,
      directory: join(folder, name, "files"),
      stateDirectory: join(folder, name, "state"),
      ...options,
    });
  };
  const text = async (path: string, workspace = shared) =>
    Buffer.from((await workspace.files.read(path)).bytes).toString();
  const exited = (exit: Exit) => {
    expect(exit.kind, exit.output).toBe("exited");
    return exit as Extract<Exit, { kind: "exited" }>;
  };
  const paths = async (options?: { under?: string }) =>
    (await shared.files.list(options)).files.map((file) => file.path);
  const rule = (id: string, name: string, act: () => Promise<void>) =>
    it.skipIf(subject.lacks?.[id.split(" ")[0]!] !== undefined)(`${id} ${name}`, act);

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "treadle-contract-"));
    driver = subject.createDriver(join(folder, "cache"));
    shared = await openNew();
  }, 60_000);
  afterAll(async () => {
    await driver.close();
    rmSync(folder, { recursive: true, force: true });
  });

  describe("files", () => {
    rule("W1", "what was written is read back, byte for byte", async () => {
      const bytes = new Uint8Array([0, 255, 10, 13, 195, 40, 0]);
      const { size, created } = await shared.files.write("w1/deep/er/file.bin", bytes);
      expect([size, created]).toEqual([7, true]);
      expect([...(await shared.files.read("w1/deep/er/file.bin")).bytes]).toEqual([...bytes]);
    });

    rule("W2", "the version is the content's, and the same from write and read", async () => {
      const first = await shared.files.write("w2", "one");
      const second = await shared.files.write("w2", "two");
      expect(second.created).toBe(false);
      expect(second.version).not.toBe(first.version);
      expect((await shared.files.read("w2")).version).toBe(second.version);
      expect((await shared.files.write("w2", "one")).version).toBe(first.version);
    });

    rule(
      "W3",
      "F12 a write on top of another hand's write is refused with the version that stands",
      async () => {
        const { version } = await shared.files.write("w3", "mine");
        const theirs = await shared.files.write("w3", "theirs");
        const refused = shared.files.write("w3", "again mine", { ifVersion: version });
        await expect(refused).rejects.toMatchObject({ code: "conflict", version: theirs.version });
        expect(await text("w3")).toBe("theirs");
      },
    );

    rule("W4", "F12 of many writes at once over one version exactly one succeeds", async () => {
      const { version } = await shared.files.write("w4", "start");
      const all = await Promise.all(
        Array.from({ length: 12 }, (_, n) =>
          codeOf(shared.files.write("w4", `writer ${n}`, { ifVersion: version })),
        ),
      );
      expect(all.filter((code) => code === "none")).toHaveLength(1);
      expect(all.filter((code) => code === "conflict")).toHaveLength(11);
    });

    rule("W5", "`absent` refuses what exists and lets what does not", async () => {
      await shared.files.write("w5", "x", { ifVersion: "absent" });
      expect(await codeOf(shared.files.write("w5", "y", { ifVersion: "absent" }))).toBe("conflict");
      expect(await codeOf(shared.files.write("w5-none", "y", { ifVersion: "0".repeat(40) }))).toBe(
        "conflict",
      );
    });

    rule("W6", "reading what is not there, and what is a folder, says which", async () => {
      await shared.files.write("w6/file", "x");
      expect(await codeOf(shared.files.read("w6/none"))).toBe("missing");
      expect(await codeOf(shared.files.read("w6"))).toBe("not-a-file");
      expect(await codeOf(shared.files.write("w6", "x"))).toBe("not-a-file");
      expect(await codeOf(shared.files.write("w6/file/below", "x"))).toBe("not-a-folder");
    });

    rule("W7", "F20 a file over the limit is not loaded", async () => {
      await shared.files.write("w7", "0123456789");
      expect(await codeOf(shared.files.read("w7", { limit: 9 }))).toBe("too-large");
      expect(await codeOf(shared.files.read("w7", { limit: 10 }))).toBe("none");
    });

    rule(
      "W8",
      "F20 a sparse file of 1 GB is listed with its size and refused to be read",
      async () => {
        await shared.run("truncate -s 1G w8.bin");
        expect((await shared.files.list()).files.find((file) => file.path === "w8.bin")?.size).toBe(
          2 ** 30,
        );
        expect(await codeOf(shared.files.read("w8.bin"))).toBe("too-large");
        await shared.files.remove("w8.bin");
      },
    );

    rule("W9", "F23 byte order mark, CRLF and a missing last newline are kept", async () => {
      const content = "\uFEFFa\r\nb";
      await shared.files.write("w9", content);
      expect(Buffer.from((await shared.files.read("w9")).bytes)).toEqual(Buffer.from(content));
    });

    rule("W10", "F24 odd names are made and read, or refused with a reason", async () => {
      const names = [
        "ü-\u00e9",
        "u\u0308",
        "😀.txt",
        "a'b\"c",
        "-rf",
        "trailing.",
        "CON",
        "two\nlines",
        "$(id)",
        "%41",
      ];
      for (const name of names) {
        await shared.files.write(`w10/${name}`, name);
        expect(await text(`w10/${name}`)).toBe(name);
      }
      const listed = await paths({ under: "w10" });
      for (const name of names) expect(listed).toContain(`w10/${name}`);
      expect(await codeOf(shared.files.write(`w10/${"x".repeat(255)}`, "x"))).toBe("none");
      expect(await codeOf(shared.files.write(`w10/${"x".repeat(256)}`, "x"))).toBe("path");
    });

    for (const path of [
      "../../etc/x",
      "/etc/passwd",
      "C:\\x",
      "..\\x",
      "%2e%2e/x",
      "a\0b",
      "a/../../x",
      "a/%2E%2E/b",
    ])
      rule("W11", `A18 ${JSON.stringify(path)} is refused in every operation`, async () => {
        const { files } = shared;
        const all = [
          files.read(path),
          files.write(path, "x"),
          files.remove(path),
          files.rename(path, "w11"),
          files.rename("w2", path),
          files.list({ under: path }),
          files.search({ pattern: "x", under: path }),
        ];
        expect(new Set(await Promise.all(all.map(codeOf)))).toEqual(new Set(["path"]));
      });

    rule("W12", "the project's own folder is neither written nor removed nor moved", async () => {
      for (const path of ["", ".", "./", "a/.."]) {
        expect(await codeOf(shared.files.write(path, "x"))).not.toBe("none");
        expect(await codeOf(shared.files.remove(path))).not.toBe("none");
        expect(await codeOf(shared.files.rename(path, "w12"))).not.toBe("none");
      }
    });

    rule("W13", "A20 nothing is done through a link that leads outside", async () => {
      await shared.run(
        "mkdir w13; ln -s /tmp w13/folder; ln -s /etc/passwd w13/file; echo kept > /tmp/w13-kept",
      );
      const { files } = shared;
      const attempts = {
        readFile: files.read("w13/file"),
        writeFile: files.write("w13/file", "x"),
        readBelow: files.read("w13/folder/w13-kept"),
        writeBelow: files.write("w13/folder/new", "x"),
        makeBelow: files.write("w13/folder/a/b/new", "x"),
        removeBelow: files.remove("w13/folder/w13-kept"),
        renameFrom: files.rename("w13/folder/w13-kept", "w13/stolen"),
        renameTo: files.rename("w2", "w13/folder/w2"),
      };
      const codes = await Promise.all(Object.values(attempts).map(codeOf));
      expect(Object.keys(attempts).filter((_, index) => codes[index] !== "path")).toEqual([]);
      expect(
        exited(await shared.run("cat /tmp/w13-kept; ls /tmp/new /tmp/a /tmp/w2 2>/dev/null"))
          .output,
      ).toBe("kept\n");
    });

    rule("W14", "A20 listing and searching do not go through a link either", async () => {
      await shared.run("mkdir -p w14; ln -s /etc w14/etc; ln -s /etc/passwd w14/passwd");
      expect(await paths({ under: "w14" })).toEqual(["w14/etc", "w14/passwd"]);
      expect((await shared.files.list({ under: "w14" })).files.map((file) => file.kind)).toEqual([
        "link",
        "link",
      ]);
      const listed = await shared.files.list({ under: "w14/etc" }).catch(() => ({ files: [] }));
      expect(listed.files).toEqual([]);
      const found = await shared.files
        .search({ pattern: "root", under: "w14/etc" })
        .catch(() => ({ matches: [] }));
      expect(found.matches).toEqual([]);
    });

    rule(
      "W15",
      "A21 a folder that is swapped for a link all the time never leads outside",
      async () => {
        await shared.run(
          "mkdir -p w15/real /tmp/w15; echo outside > /tmp/w15/f; echo inside > w15/real/f; ln -s /tmp/w15 w15/link",
        );
        const swap = shared.run(
          "cd w15; end=$((SECONDS+2)); while [ $SECONDS -lt $end ]; do mv real dir; mv dir real; mv link dir; mv dir link; done",
        );
        let going = true;
        void swap.then(() => (going = false));
        let tries = 0;
        while (going) {
          const read = await shared.files.read("w15/dir/f").catch(() => undefined);
          if (read) expect(Buffer.from(read.bytes).toString()).toBe("inside\n");
          await shared.files.write("w15/dir/new", "x").catch(() => undefined);
          tries++;
        }
        expect(tries).toBeGreaterThan(10);
        expect(exited(await shared.run("ls /tmp/w15")).output).toBe("f\n");
      },
    );

    rule("W16", "A22 FIFO and device are refused at once, and never waited on", async () => {
      await shared.run(
        "mkdir w16; mkfifo w16/fifo; ln -s /dev/zero w16/zero; python3 -c pass 2>/dev/null; true",
      );
      expect(await codeOf(shared.files.read("w16/fifo"))).toBe("not-a-file");
      expect(await codeOf(shared.files.read("w16/zero"))).toBe("path");
      expect(await codeOf(shared.files.write("w16/fifo", "x"))).not.toBe("none");
    });

    rule("W17", "A22 writing one name of a hard link leaves the other as it was", async () => {
      await shared.run("mkdir w17; echo old > w17/a; ln w17/a w17/b");
      await shared.files.write("w17/a", "new");
      expect(await text("w17/b")).toBe("old\n");
    });

    rule("W18", "rename moves, makes folders, and never replaces", async () => {
      await shared.files.write("w18/a", "a");
      await shared.files.write("w18/b", "b");
      await shared.files.rename("w18/a", "w18/new/folder/a");
      expect(await text("w18/new/folder/a")).toBe("a");
      expect(await codeOf(shared.files.rename("w18/new/folder/a", "w18/b"))).toBe("exists");
      expect(await codeOf(shared.files.rename("w18/none", "w18/c"))).toBe("missing");
    });

    rule(
      "W19",
      "remove takes a file, or a folder with all it holds, and says when there is none",
      async () => {
        await shared.files.write("w19/a/b/c", "x");
        await shared.files.remove("w19/a");
        expect(await codeOf(shared.files.read("w19/a/b/c"))).toBe("missing");
        expect(await codeOf(shared.files.remove("w19/a"))).toBe("missing");
      },
    );

    rule(
      "W20",
      "list is sorted, folders before what they hold, without dependencies, .git and caches",
      async () => {
        for (const path of [
          "b/z",
          "b/a",
          "a",
          ".git/config",
          "node_modules/x/index.js",
          "b/node_modules/y",
          ".vite/z",
        ])
          await shared.files.write(`w20/${path}`, "x");
        expect(await paths({ under: "w20" })).toEqual(["w20/a", "w20/b", "w20/b/a", "w20/b/z"]);
      },
    );

    rule("W21", "list stops at its limit and says that there is more", async () => {
      for (const name of ["a", "b", "c"]) await shared.files.write(`w21/${name}`, "x");
      const { files, more } = await shared.files.list({ under: "w21", limit: 2 });
      expect([files.length, more]).toEqual([2, true]);
      expect((await shared.files.list({ under: "w21", limit: 3 })).more).toBe(false);
    });

    rule("W22", "search finds lines by text and by expression, with its bounds", async () => {
      await shared.files.write("w22/a.ts", "const a = (1);\nconst B = 2;\n");
      await shared.files.write("w22/node_modules/x.ts", "const a = (1);\n");
      const search = (query: object) => shared.files.search({ under: "w22", ...query } as never);
      expect((await search({ pattern: "(1)" })).matches).toEqual([
        { path: "w22/a.ts", line: 1, text: "const a = (1);" },
      ]);
      expect((await search({ pattern: "^const \\w", regex: true })).matches).toHaveLength(2);
      expect((await search({ pattern: "b =", caseSensitive: true })).matches).toHaveLength(0);
      expect((await search({ pattern: "const", glob: "*.js" })).matches).toHaveLength(0);
      expect(await search({ pattern: "const", limit: 1 })).toMatchObject({ more: true });
    });

    rule(
      "W23",
      "search takes a pattern that begins with a dash, and refuses a broken expression",
      async () => {
        await shared.files.write("w23", "--files\n");
        expect(
          (await shared.files.search({ pattern: "--files", under: "w23" })).matches,
        ).toHaveLength(1);
        expect(await codeOf(shared.files.search({ pattern: "(", regex: true }))).toBe("failed");
      },
    );

    rule(
      "W26",
      "search looks at what is listed: .gitignore hides nothing, a glob opens nothing",
      async () => {
        await shared.files.write("w26/.gitignore", "*\n");
        await shared.files.write("w26/a.ts", "needle-w26\n");
        await shared.files.write("w26/dist/b.ts", "needle-w26\n");
        await shared.files.write("w26/node_modules/c.ts", "needle-w26\n");
        await shared.files.write("dist/w26.ts", "needle-w26\n");
        for (const glob of [undefined, "*.ts", "**/*.ts"]) {
          const query = { pattern: "needle-w26", ...(glob && { glob }) };
          const found = (await shared.files.search(query)).matches.map((match) => match.path);
          expect(found).toEqual(["w26/a.ts", "w26/dist/b.ts"]);
        }
      },
    );

    rule("W27", "what is written right after the opening is told as well", async () => {
      const own = await openNew();
      const seen: string[] = [];
      own.listen((notice) => {
        if (notice.type === "files") seen.push(...notice.changes.map((change) => change.path));
      });
      await own.files.write("early/file", "x");
      await eventually(() => seen.includes("early/file"));
      await own.stop();
    });

    rule(
      "W24",
      "F7 a write leaves no temporary file behind, and keeps the executable bit",
      async () => {
        await shared.run("mkdir w24; echo x > w24/run.sh; chmod 755 w24/run.sh");
        await shared.files.write("w24/run.sh", "echo y");
        expect(exited(await shared.run("ls -A w24; ./w24/run.sh")).output).toBe("run.sh\ny\n");
      },
    );

    rule(
      "W25",
      "a change by any hand is told, with the version that a read would give",
      async () => {
        const seen: Extract<WorkspaceNotice, { type: "files" }>["changes"] = [];
        const end = shared.listen((notice) => {
          if (notice.type === "files") seen.push(...notice.changes);
        });
        await eventually(async () => {
          await shared.run("echo changed > w25");
          return seen.some((change) => change.path === "w25");
        });
        const { version } = await shared.files.read("w25");
        expect(
          seen.find((change) => change.path === "w25" && change.version === version),
        ).toBeDefined();
        await shared.files.remove("w25");
        await eventually(() =>
          seen.some((change) => change.path === "w25" && change.kind === "removed"),
        );
        end();
      },
    );
  });

  describe("commands", () => {
    rule("W30", "exit code, output in order, and time", async () => {
      const exit = exited(await shared.run("echo one; echo two >&2; echo three; exit 7"));
      expect([exit.code, exit.output]).toEqual([7, "one\ntwo\nthree\n"]);
    });

    rule("W31", "output comes while the command runs", async () => {
      let seen = "";
      const running = shared.run("echo first; read -t 10 < <(sleep 30); echo last", {
        onOutput: (piece) => (seen += piece),
        timeoutMs: 1_500,
      });
      await eventually(() => seen.includes("first"));
      expect((await running).kind).toBe("timeout");
    });

    rule("W32", "F22 a character that is cut between two pieces arrives whole", async () => {
      let seen = "";
      const exit = exited(
        await shared.run(
          `printf '\\xe2\\x82'; sleep 0.1; printf '\\xac\\xff'; printf '\\xf0\\x9f\\x98\\x80'`,
          {
            onOutput: (piece) => (seen += piece),
          },
        ),
      );
      expect(seen).toBe("€\uFFFD😀");
      expect(exit.output).toBe(seen);
    });

    rule("W33", "F18 100 MB of output is bounded, head and tail kept", async () => {
      const exit = exited(
        await shared.run("echo head; head -c 100000000 /dev/zero | tr '\\0' x; echo; echo tail"),
      );
      expect(exit.output.length).toBeLessThan(70_000);
      expect(exit.output.startsWith("head\n")).toBe(true);
      expect(exit.output.endsWith("tail\n")).toBe(true);
    });

    rule(
      "W34",
      "F17 a command without output for too long is ended, and the next one works",
      async () => {
        expect((await shared.run("sleep 1000", { quietMs: 200 })).kind).toBe("quiet");
        expect(exited(await shared.run("echo well")).output).toBe("well\n");
      },
    );

    rule("W35", "a signal ends it at once, also one given before", async () => {
      const abort = new AbortController();
      const running = shared.run("echo here; sleep 1000", {
        signal: abort.signal,
        onOutput: () => abort.abort(),
      });
      expect((await running).kind).toBe("aborted");
      expect((await shared.run("sleep 1000", { signal: AbortSignal.abort() })).kind).toBe(
        "aborted",
      );
    });

    rule(
      "W36",
      "A38 a child that forks twice, leaves the session and ignores SIGTERM is gone after the end",
      async () => {
        const hide = `trap "" TERM; setsid bash -c 'trap "" TERM; (setsid sleep 7361 & ) ; sleep 7361' & sleep 7361`;
        expect((await shared.run(hide, { timeoutMs: 500 })).kind).toBe("timeout");
        expect(exited(await shared.run("pgrep -fc '^sleep 7361'; true")).output.trim()).toBe("0");
      },
    );

    rule("W37", "A38 the same for one that throws its environment away", async () => {
      const hide = `env -i setsid bash -c '(env -i setsid sleep 7362 &) ; exit' ; sleep 7362`;
      expect((await shared.run(hide, { timeoutMs: 500 })).kind).toBe("timeout");
      expect(exited(await shared.run("pgrep -fc '^sleep 7362'; true")).output.trim()).toBe("0");
    });

    rule("W38", "ending one command leaves another one alone", async () => {
      const other = shared.run("sleep 1; echo unharmed");
      expect((await shared.run("sleep 1000", { timeoutMs: 200 })).kind).toBe("timeout");
      expect(exited(await other).output).toBe("unharmed\n");
    });

    rule("W39", "environment of one command is not the next one's", async () => {
      expect(exited(await shared.run("echo $W39", { env: { W39: "it's $HOME" } })).output).toBe(
        "it's $HOME\n",
      );
      expect(exited(await shared.run("echo [$W39]")).output).toBe("[]\n");
    });

    rule("W40", "an empty command and one with a NUL are refused", async () => {
      expect(await codeOf(shared.run(" "))).toBe("failed");
      expect(await codeOf(shared.run("echo \0"))).toBe("failed");
    });

    rule("W41", "node and npm are Treadle's own, first on the path", async () => {
      const { output } = exited(
        await shared.run("node -p process.version; npm --version; npx --version"),
      );
      expect(output.split("\n")[0]).toBe(process.version);
      expect(output.trim().split("\n")).toHaveLength(3);
    });

    rule("W42", "prove leaves nothing of what it wrote, and sees the files", async () => {
      await shared.files.write("w42/in.txt", "seen");
      const before = await shared.revision();
      const exit = exited(
        await shared.prove(
          "cat w42/in.txt; echo x > w42/out.txt; echo y >> w42/in.txt; rm -rf w1; exit 3",
        ),
      );
      expect([exit.code, exit.output]).toEqual([3, "seen"]);
      expect(await codeOf(shared.files.read("w42/out.txt"))).toBe("missing");
      expect(await shared.revision()).toBe(before);
    });

    rule("W43", "prove is bounded in time and ends with everything it started", async () => {
      const exit = await shared.prove("setsid sleep 7363 & sleep 7363", { timeoutMs: 500 });
      expect(exit.kind).toBe("timeout");
    });
  });

  describe("servers", () => {
    rule("W50", "a server is up when it has answered, with its port from its sockets", async () => {
      const state = await shared.start(SERVER(4100));
      expect(state).toMatchObject({ state: "up", ports: [4100], restarts: 0 });
      expect(await get(shared, 4100)).toContain("up");
      expect(shared.server).toEqual(state);
    });

    rule("W51", "starting another one replaces it, on the same port", async () => {
      const state = await shared.start(SERVER(4100, "second"));
      expect(state.state).toBe("up");
      expect(await get(shared, 4100)).toContain("second");
    });

    rule("W52", "stopping it ends it and frees the port", async () => {
      await shared.stopServer();
      expect(shared.server?.state).toBe("stopped");
      expect(await codeOf(shared.connect(4100))).toBe("port");
    });

    rule(
      "W53",
      "F15 one that ends before it answers has crashed, with code and last lines",
      async () => {
        const state = await shared.start("echo no such config; exit 9");
        expect(state).toMatchObject({ state: "crashed", exitCode: 9 });
        expect(state.tail).toContain("no such config");
      },
    );

    rule(
      "W54",
      "F15 one that crashes after it was up is started again, at most 3 times",
      async () => {
        const own = await openNew();
        const states: string[] = [];
        own.listen((notice) => {
          if (notice.type === "server")
            states.push(`${notice.server.state} ${notice.server.restarts}`);
        });
        const crashing = `node -e 'require("http").createServer((q,s)=>s.end("x",()=>setTimeout(()=>process.exit(4),50))).listen(4110)'`;
        await own.start(crashing);
        await eventually(() => states.filter((state) => state === "crashed 3").length === 1);
        expect(own.server).toMatchObject({ state: "crashed", exitCode: 4, restarts: 3 });
        await own.stop();
      },
    );

    rule("W55", "one that listens on IPv6 alone is reached too", async () => {
      const state = await shared.start(
        `node -e 'require("http").createServer((q,s)=>s.end("six")).listen(4101,"::1")'`,
      );
      expect(state.state).toBe("up");
      expect(await get(shared, 4101)).toContain("six");
      await shared.stopServer();
    });

    rule(
      "W56",
      "a command that goes on and listens is adopted when that was asked for",
      async () => {
        const exit = await shared.run(SERVER(4102), { adopt: true });
        expect(exit).toMatchObject({ kind: "adopted", server: { state: "up", ports: [4102] } });
        expect(await get(shared, 4102)).toContain("up");
        await shared.stopServer();
        expect(await codeOf(shared.connect(4102))).toBe("port");
      },
    );

    rule("W57", "more than one port: the one that answers HTTP is the first", async () => {
      const both = `node -e 'require("net").createServer(s=>s.end()).listen(4103);require("http").createServer((q,s)=>s.end("web")).listen(4104)'`;
      const state = await shared.start(both);
      expect(state.state).toBe("up");
      await eventually(() => shared.server?.ports.length === 2);
      expect(await get(shared, 4104)).toContain("web");
      await shared.stopServer();
    });

    rule("W58", "A16 no connection to a port that nobody of this sandbox listens on", async () => {
      for (const port of [22, 80, 1, 65_535])
        expect(await codeOf(shared.connect(port))).toBe("port");
    });

    rule("W59", "a connection carries bytes both ways, unchanged, 8 MB", async () => {
      await shared.start(
        `node -e 'require("net").createServer(s=>s.pipe(s)).listen(4105);require("http").createServer((q,s)=>s.end()).listen(4106)'`,
      );
      const stream = await shared.connect(4105);
      const sent = Buffer.alloc(8 * 1024 * 1024, "0123456789abcdef\r\n");
      stream.end(sent);
      const pieces: Buffer[] = [];
      for await (const piece of stream) pieces.push(piece as Buffer);
      expect(Buffer.concat(pieces).equals(sent)).toBe(true);
      await shared.stopServer();
    });

    rule("W60", "secrets reach the server process and no other", async () => {
      const name = `secret-${process.pid}`;
      let printed = "";
      const own = await driver.open({
        project: name,
        directory: join(folder, name, "files"),
        stateDirectory: join(folder, name, "state"),
        settings: { hosts: [], secrets: [{ name: "APP_KEY", value: "k-12345", host: "a.com" }] },
      });
      await own.start(
        `node -e 'require("http").createServer((q,s)=>s.end(process.env.APP_KEY+" "+process.env.APP_KEY_HOST)).listen(4107)'`,
      );
      expect(await get(own, 4107)).toContain("k-12345 a.com");
      expect(exited(await own.run("echo [$APP_KEY]")).output).toBe("[]\n");
      // Whoever has the same uid can read the server's environment; what is printed of it is its name.
      expect(
        exited(await own.run("cat /proc/*/environ | tr '\\0' '\\n' | grep APP_KEY=")).output,
      ).toContain("APP_KEY=[secret APP_KEY]\n");
      own.configure({
        hosts: [],
        secrets: [{ name: "APP_KEY", value: "another", host: "a.com" }],
      });
      await own.start(
        `node -e 'console.log("key", process.env.APP_KEY);require("http").createServer((q,s)=>s.end(process.env.APP_KEY)).listen(4107)'`,
        { onOutput: (text) => (printed += text) },
      );
      expect(await get(own, 4107)).toContain("another");
      expect(printed).toContain("key [secret APP_KEY]");
      await own.stop();
    });
  });

  describe("terminals", () => {
    rule("W70", "a terminal is a tty of the size asked for, and can be resized", async () => {
      const terminal = await shared.terminal({ columns: 91, rows: 33 });
      let seen = "";
      terminal.onData((data) => (seen += data));
      terminal.write("stty size; tty\r");
      await eventually(() => seen.includes("33 91") && seen.includes("/dev/pts/"));
      terminal.resize({ columns: 50, rows: 20 });
      terminal.write("stty size\r");
      await eventually(() => seen.includes("20 50"));
      terminal.kill();
    });

    rule("W71", "Ctrl-C ends the program and not the shell; leaving is told", async () => {
      const terminal = await shared.terminal({ columns: 80, rows: 24 });
      let seen = "";
      const exits: number[] = [];
      terminal.onData((data) => (seen += data));
      terminal.onExit((code) => exits.push(code));
      terminal.write("echo begin; sleep 1000\r");
      await eventually(() => /^begin/m.test(seen));
      terminal.write("\x03");
      // What is typed before the shell has its terminal back is thrown away with the interrupt.
      await eventually(() => /\^C[^]*[$#] $/.test(seen));
      terminal.write("echo al''ive; exit 5\r");
      await eventually(() => exits.length === 1);
      expect(seen).toContain("alive");
      expect(exits).toEqual([5]);
    });

    rule(
      "W73",
      "A38 closing a terminal ends what was started in it, and nothing else",
      async () => {
        const other = shared.run("sleep 2; echo unharmed");
        const terminal = await shared.terminal({ columns: 80, rows: 24 });
        let exits = 0;
        terminal.onExit(() => exits++);
        terminal.write("setsid sleep 7366 & sleep 7366\r");
        const count = async () => exited(await shared.run("pgrep -xfc 'sleep 7366'; true")).output;
        await eventually(async () => (await count()) === "2\n");
        terminal.kill();
        await eventually(() => exits === 1);
        await eventually(async () => (await count()) === "0\n");
        expect(exited(await other).output).toBe("unharmed\n");
      },
    );

    rule("W72", "who comes later is shown what was printed before", async () => {
      const terminal = await shared.terminal({ columns: 80, rows: 24 });
      let first = "";
      terminal.onData((data) => (first += data));
      terminal.write("echo ear''lier\r");
      await eventually(() => first.includes("earlier"));
      let second = "";
      terminal.onData((data) => (second += data));
      expect(second).toContain("earlier");
      terminal.kill();
    });
  });

  describe("revisions and checkpoints", () => {
    let own: Workspace;
    beforeAll(async () => {
      own = await openNew();
    });
    const put = (path: string, content: string) => own.files.write(path, content);

    rule("W80", "the revision is of the files alone: same files, same revision", async () => {
      await put("a.txt", "one");
      const first = await own.revision();
      expect(first).toMatch(/^[0-9a-f]{40}$/);
      await put("a.txt", "two");
      expect(await own.revision()).not.toBe(first);
      await put("a.txt", "one");
      expect(await own.revision()).toBe(first);
    });

    rule("W81", "dependencies, caches, build output and .git take no part in it", async () => {
      const before = await own.revision();
      for (const path of ["node_modules/a/index.js", "dist/x.js", ".vite/y"]) await put(path, "x");
      await own.run("mkdir .git && echo x > .git/HEAD");
      expect(await own.revision()).toBe(before);
    });

    rule("W82", "a name, the executable bit and a .env take part in it", async () => {
      const before = await own.revision();
      await put(".env", "KEY=1");
      const withSecret = await own.revision();
      expect(withSecret).not.toBe(before);
      await put(".env", "KEY=2");
      expect(await own.revision()).not.toBe(withSecret);
      await own.files.remove(".env");
      await own.run("chmod +x a.txt");
      expect(await own.revision()).not.toBe(before);
      await own.run("chmod -x a.txt");
      expect(await own.revision()).toBe(before);
    });

    rule("W83", "a change in place of the same size within one clock tick is seen", async () => {
      const seen = new Set<string>();
      for (let n = 0; n < 8; n++) {
        await own.run(`printf 'v${n}' > in-place.txt`);
        seen.add(await own.revision());
      }
      expect(seen.size).toBe(8);
      await own.files.remove("in-place.txt");
    });

    rule(
      "W84",
      "a checkpoint is kept, listed and carries the revision; unchanged files make no second one",
      async () => {
        const first = await own.checkpoint("first");
        expect(first).toMatchObject({ label: "first", revision: await own.revision() });
        expect(await own.checkpoint("again")).toEqual(first);
        expect(await own.checkpoints()).toEqual([first]);
      },
    );

    rule(
      "W85",
      "restore puts files back to the byte, takes later ones away, leaves dependencies",
      async () => {
        const kept = await own.checkpoint("kept");
        await put("a.txt", "changed");
        await put("new/file.txt", "later");
        await put("node_modules/a/index.js", "stays");
        await own.checkpoint("later");
        const back = await own.restore(kept.checkpoint);
        expect(back.revision).toBe(kept.revision);
        expect(await own.revision()).toBe(kept.revision);
        expect(await text("a.txt", own)).toBe("one");
        expect(await codeOf(own.files.read("new/file.txt"))).toBe("missing");
        expect(await text("node_modules/a/index.js", own)).toBe("stays");
      },
    );

    rule("W86", "restore goes by revision too, and forward again", async () => {
      const [, later] = await own.checkpoints();
      await own.restore(later!.revision);
      expect(await text("new/file.txt", own)).toBe("later");
      expect(await codeOf(own.restore("nonsense"))).toBe("missing");
      expect(await codeOf(own.restore("0".repeat(40)))).toBe("missing");
    });

    rule("W87", "diff tells added, changed and removed, and what is binary", async () => {
      await put("binary.bin", "a\0b");
      await put("gone.txt", "bye\n");
      await put("same.txt", "same\n");
      const a = await own.checkpoint("a");
      await put("binary.bin", "a\0c");
      await put("a.txt", "one\nmore\n");
      await put("added.txt", "hello\n");
      await own.files.remove("gone.txt");
      const now = await own.diff(a.checkpoint);
      expect(now.map(({ path, kind, binary }) => [path, kind, binary])).toEqual([
        ["a.txt", "changed", false],
        ["added.txt", "added", false],
        ["binary.bin", "changed", true],
        ["gone.txt", "removed", false],
      ]);
      expect(now[1]!.diff).toContain("+hello");
      const b = await own.checkpoint("b");
      expect(await own.diff(a.checkpoint, b.checkpoint)).toEqual(now);
    });

    rule(
      "W88",
      "the project's .gitignore, attributes, filters and nested repositories change nothing",
      async () => {
        await put(".gitignore", "*\n");
        await put(".gitattributes", "* text eol=lf filter=evil\n");
        await put("crlf.txt", "a\r\nb\r\n");
        await own.run(
          "git init -q nested; cd nested; git -c user.name=a -c user.email=a@b commit -q --allow-empty -m x; echo inner > file",
        );
        await own.run(
          "git config --file .git/config filter.evil.clean 'touch /tmp/ran; cat' 2>/dev/null; true",
        );
        const kept = await own.checkpoint("tricks");
        await own.files.remove("nested/file");
        await put("crlf.txt", "changed");
        await put("node_modules/huge.js", "x");
        await own.restore(kept.checkpoint);
        expect(await text("crlf.txt", own)).toBe("a\r\nb\r\n");
        expect(await text("nested/file", own)).toBe("inner\n");
        expect(await own.revision()).toBe(kept.revision);
      },
    );

    rule("W89", "odd names and links survive a checkpoint and a restore", async () => {
      const names = ["line\nbreak", 'quo"te', "back\tslash", "ümlaut", "😀", "-dash", "sp ace"];
      for (const name of names) await put(`odd/${name}`, name);
      await own.run("ln -s ../a.txt odd/link; chmod +x odd/-dash");
      const kept = await own.checkpoint("odd");
      await own.files.remove("odd");
      await own.checkpoint("without");
      await own.restore(kept.checkpoint);
      for (const name of names) expect(await text(`odd/${name}`, own)).toBe(name);
      expect(await own.revision()).toBe(kept.revision);
    });

    rule("W90", "a .env is in no checkpoint, and restore leaves it alone", async () => {
      await put(".env", "KEY=secret-w90");
      const kept = await own.checkpoint("with secret");
      await put(".env", "KEY=newer");
      await put("a.txt", "else");
      await own.restore(kept.checkpoint);
      expect(await text(".env", own)).toBe("KEY=newer");
      expect(JSON.stringify(await own.diff(kept.checkpoint))).not.toContain("KEY");
    });
  });

  describe("its life", () => {
    rule(
      "W95",
      "after stop everything is refused with `stopped`, and stopping again is nothing",
      async () => {
        const own = await openNew();
        await own.files.write("a", "x");
        await own.stop();
        await own.stop();
        const attempts = [
          own.files.read("a"),
          own.files.write("a", "y"),
          own.files.list(),
          own.run("true"),
          own.prove("true"),
          own.start("true"),
          own.terminal({ columns: 80, rows: 24 }),
          own.connect(80),
          own.revision(),
          own.checkpoint("x"),
          own.checkpoints(),
          own.restore("x"),
          own.diff("x"),
          own.stopServer(),
        ];
        expect(new Set(await Promise.all(attempts.map(codeOf)))).toEqual(new Set(["stopped"]));
      },
    );

    rule("W96", "files and checkpoints are there when the project is opened again", async () => {
      const name = `again-${process.pid}`;
      const options = {
        project: name,
        directory: join(folder, name, "files"),
        stateDirectory: join(folder, name, "state"),
      };
      const first = await driver.open(options);
      await first.files.write("a", "kept");
      const kept = await first.checkpoint("one");
      await first.stop();
      const second = await driver.open(options);
      expect(await second.revision()).toBe(kept.revision);
      expect(await second.checkpoints()).toEqual([kept]);
      await second.files.write("a", "else");
      await second.restore(kept.checkpoint);
      expect(await text("a", second)).toBe("kept");
      await second.stop();
      expect(readFileSync(join(folder, name, "files", "a"), "utf8")).toBe("kept");
    });

    rule("W97", "stop ends every process, those of servers, commands and terminals", async () => {
      // A number of its own, so that another run of this is not taken for it.
      const seconds = 1_000_000 + process.pid;
      const own = await openNew();
      await own.start(SERVER(4120));
      const running = own.run(`echo there; sleep ${seconds}; true`);
      await own.terminal({ columns: 80, rows: 24 });
      await own.stop();
      expect((await running.catch(() => ({ kind: "gone" }))).kind).not.toBe("adopted");
      await eventually(() => !runsOnThisMachine(`sleep\0${seconds}\0`));
    });

    rule("W98", "the sandbox's own death is told, and the next call opens it anew", async () => {
      const own = await openNew();
      await own.files.write("a", "kept");
      const lost: string[] = [];
      own.listen((notice) => {
        if (notice.type === "lost") lost.push(notice.reason);
      });
      await own.run("kill -9 $PPID; sleep 5").catch(() => undefined);
      await eventually(() => lost.length > 0);
      expect(await text("a", own)).toBe("kept");
      await own.stop();
    });
  });
}
