import { describe, expect } from "vitest";
import type { Contract } from "./contract.test-support.ts";
import { eventually } from "./helpers.test-support.ts";

export function describePipes(contract: Contract): void {
  const { exited, openNew, rule } = contract;
  describe("piped programs", () => {
    rule(
      "W140",
      "separates stdin, stdout and stderr, passes bytes whole, and reports the end",
      async () => {
        const pipe = await contract.shared.pipe(
          `echo "$GREETING" >&2; while read -r line; do [ "$line" = end ] && exit 3; echo "got $line"; done`,
          { env: { GREETING: "hello" } },
        );
        const out: Uint8Array[] = [];
        let errors = "";
        pipe.onData((bytes) => out.push(bytes));
        pipe.onErrors((text) => (errors += text));
        const text = () => Buffer.concat(out).toString();
        pipe.write("één ");
        pipe.write("€\n");
        await eventually(() => text() === "got één €\n");
        await eventually(() => errors === "hello\n");
        pipe.write("end\n");
        expect(await pipe.ended).toMatchObject({ code: 3 });
        expect(text()).toBe("got één €\n");
      },
    );

    rule("W141", "A38 killing it ends what it started, and nothing else", async () => {
      const other = contract.shared.run("sleep 1; echo unharmed");
      const pipe = await contract.shared.pipe("trap '' TERM; setsid sleep 7141 & sleep 7141");
      const count = async () =>
        exited(await contract.shared.run("pgrep -xfc 'sleep 7141'; true")).output;
      await eventually(async () => (await count()) === "2\n");
      await pipe.kill();
      await pipe.ended;
      expect(await count()).toBe("0\n");
      expect(exited(await other).output).toBe("unharmed\n");
    });

    rule(
      "W168",
      "a program that does not read its input is ended, and no other (A90)",
      async () => {
        const pipe = await contract.shared.pipe("exec sleep 7142");
        const piece = Buffer.alloc(1024 * 1024, "x");
        for (let written = 0; written < 50; written++) pipe.write(piece);
        expect((await pipe.ended).code).not.toBe(0);
        expect((await contract.shared.run("echo well")).output).toBe("well\n");
      },
    );

    rule(
      "W142",
      "F18 unread output is limited: a program that exceeds the limit is ended",
      async () => {
        const pipe = await contract.shared.pipe("yes");
        expect((await pipe.ended).code).not.toBe(0);
      },
    );

    rule("W143", "it ends with its sandbox; a stopped workspace starts none", async () => {
      const workspace = await openNew();
      const pipe = await workspace.pipe("cat");
      await workspace.stop();
      expect((await pipe.ended).code).not.toBe(0);
      pipe.write("too late");
      await expect(workspace.pipe("cat")).rejects.toMatchObject({ code: "stopped" });
    });
  });
}
