import { toProjectPath } from "@treadle/protocol/project-path";
import { describe, expect } from "vitest";
import type { Contract } from "./contract.test-support.ts";
import { codeOf, eventually } from "./helpers.test-support.ts";

export function describeCommands(contract: Contract): void {
  const { exited, openNew, rule } = contract;
  describe("commands", () => {
    rule("W30", "returns exit code, output in order, and time", async () => {
      const exit = exited(await contract.shared.run("echo one; echo two >&2; echo three; exit 7"));
      expect([exit.code, exit.output]).toEqual([7, "one\ntwo\nthree\n"]);
    });

    rule(
      "W157",
      "F17 a silent command that computes, reads or downloads does not count as hung",
      async () => {
        const busy = "timeout 3 sha1sum /dev/zero; echo done";
        expect((await contract.shared.run(busy, { quietMs: 1_000 })).output).toBe("done\n");
        expect((await contract.shared.run("sleep 1000", { quietMs: 500 })).kind).toBe("quiet");
      },
    );

    rule("W31", "passes on output while the command runs", async () => {
      let seen = "";
      const running = contract.shared.run("echo first; read -t 10 < <(sleep 30); echo last", {
        onOutput: (piece) => (seen += piece),
        timeoutMs: 1_500,
      });
      await eventually(() => seen.includes("first"));
      expect((await running).kind).toBe("timeout");
    });

    rule("W32", "F22 a character split between two chunks arrives whole", async () => {
      let seen = "";
      const exit = exited(
        await contract.shared.run(
          `printf '\\xe2\\x82'; sleep 0.1; printf '\\xac\\xff'; printf '\\xf0\\x9f\\x98\\x80'`,
          {
            onOutput: (piece) => (seen += piece),
          },
        ),
      );
      expect(seen).toBe("€\uFFFD😀");
      expect(exit.output).toBe(seen);
    });

    rule("W33", "F18 100 MB in one line is limited to head and tail", async () => {
      const exit = exited(
        await contract.shared.run(
          "echo head; head -c 100000000 /dev/zero | tr '\\0' x; echo; echo tail",
        ),
      );
      expect(exit.output.length).toBeLessThan(70_000);
      expect(exit.output.startsWith("head\n")).toBe(true);
      expect(exit.output.endsWith("tail\n")).toBe(true);
    });

    rule(
      "W44",
      "F18 100 MB of lines is limited, and file requests are answered meanwhile",
      async () => {
        let seen = 0;
        let answered = 0;
        const running = contract.shared.run(
          "echo head; yes 'a line of the log' | head -c 100000000; echo; echo tail",
          { onOutput: (piece) => void (seen += piece.length) },
        );
        let going = true;
        const ended = running.finally(() => (going = false));
        await eventually(() => seen > 0);
        do {
          await contract.shared.files.write(toProjectPath("w44"), String(answered));
          answered++;
        } while (going);
        const exit = exited(await ended);
        expect(answered).toBeGreaterThan(1);
        expect(exit.output.length).toBeLessThan(70_000);
        expect(exit.output.startsWith("head\na line")).toBe(true);
        expect(exit.output.endsWith("tail\n")).toBe(true);
      },
    );

    rule(
      "W45",
      "F17 an npm install whose registry never answers is killed with all it started",
      async () => {
        const own = await openNew();
        await own.files.write(
          toProjectPath("package.json"),
          '{"name":"hangs","dependencies":{"left-pad":"1.3.0"}}',
        );
        await own.start(
          `node -e 'require("http").createServer((q,s)=>q.url==="/"?s.end("up"):0).listen(4145)'`,
        );
        const exit = await own.run("npm install --registry=http://127.0.0.1:4145/ --no-audit", {
          quietMs: 3_000,
        });
        expect(exit.kind, exit.output).toBe("quiet");
        const left = await own.run("pgrep -fc '[n]pm-cli|[n]pm install'; true");
        expect(exited(left).output).toBe("0\n");
        expect(exited(await own.run("npm --version")).code).toBe(0);
        await own.stop();
      },
    );

    rule(
      "W34",
      "F17 a command without output for too long is killed, and the next one works",
      async () => {
        expect((await contract.shared.run("sleep 1000", { quietMs: 200 })).kind).toBe("quiet");
        expect(exited(await contract.shared.run("echo well")).output).toBe("well\n");
      },
    );

    rule("W35", "an abort signal ends it at once, even one aborted before", async () => {
      const abort = new AbortController();
      const running = contract.shared.run("echo here; sleep 1000", {
        signal: abort.signal,
        onOutput: () => abort.abort(),
      });
      expect((await running).kind).toBe("aborted");
      expect((await contract.shared.run("sleep 1000", { signal: AbortSignal.abort() })).kind).toBe(
        "aborted",
      );
    });

    rule(
      "W36",
      "A38 a child that forks twice, leaves the session and ignores SIGTERM is gone after the end",
      async () => {
        const hide = `trap "" TERM; setsid bash -c 'trap "" TERM; (setsid sleep 7361 & ) ; sleep 7361' & sleep 7361`;
        expect((await contract.shared.run(hide, { timeoutMs: 500 })).kind).toBe("timeout");
        expect(
          exited(await contract.shared.run("pgrep -fc '^sleep 7361'; true")).output.trim(),
        ).toBe("0");
      },
    );

    rule("W37", "A38 a child that also clears its environment is gone after the end", async () => {
      const hide = `env -i setsid bash -c '(env -i setsid sleep 7362 &) ; exit' ; sleep 7362`;
      expect((await contract.shared.run(hide, { timeoutMs: 500 })).kind).toBe("timeout");
      expect(exited(await contract.shared.run("pgrep -fc '^sleep 7362'; true")).output.trim()).toBe(
        "0",
      );
    });

    rule("W38", "ending one command leaves another running", async () => {
      const other = contract.shared.run("sleep 1; echo unharmed");
      expect((await contract.shared.run("sleep 1000", { timeoutMs: 200 })).kind).toBe("timeout");
      expect(exited(await other).output).toBe("unharmed\n");
    });

    rule("W39", "a command's environment does not carry over to the next", async () => {
      expect(
        exited(await contract.shared.run("echo $W39", { env: { W39: "it's $HOME" } })).output,
      ).toBe("it's $HOME\n");
      expect(exited(await contract.shared.run("echo [$W39]")).output).toBe("[]\n");
    });

    rule("W40", "refuses an empty command and one with a NUL", async () => {
      expect(await codeOf(contract.shared.run(" "))).toBe("failed");
      expect(await codeOf(contract.shared.run("echo \0"))).toBe("failed");
    });

    rule("W41", "node and npm are Treadle's own, first on the path", async () => {
      const { output } = exited(
        await contract.shared.run("node -p process.version; npm --version; npx --version"),
      );
      expect(output.split("\n")[0]).toBe(process.version);
      expect(output.trim().split("\n")).toHaveLength(3);
    });

    rule("W42", "prove sees the files, and leaves nothing of what it wrote", async () => {
      await contract.shared.files.write(toProjectPath("w42/in.txt"), "seen");
      const before = await contract.shared.revision();
      const exit = exited(
        await contract.shared.prove(
          "cat w42/in.txt; echo x > w42/out.txt; echo y >> w42/in.txt; rm -rf w1; exit 3",
        ),
      );
      expect([exit.code, exit.output]).toEqual([3, "seen"]);
      expect(await codeOf(contract.shared.files.read(toProjectPath("w42/out.txt")))).toBe(
        "missing",
      );
      expect(await contract.shared.revision()).toBe(before);
    });

    rule("W43", "prove has a time limit and ends with everything it started", async () => {
      const exit = await contract.shared.prove("setsid sleep 7363 & sleep 7363", {
        timeoutMs: 500,
      });
      expect(exit.kind).toBe("timeout");
    });
  });
}
