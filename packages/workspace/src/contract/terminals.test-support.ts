import { describe, expect } from "vitest";
import type { Contract } from "./contract.test-support.ts";
import { eventually } from "./helpers.test-support.ts";

export function describeTerminals(contract: Contract): void {
  const { exited, rule } = contract;
  describe("terminals", () => {
    rule("W70", "a terminal is a tty of the requested size, and can be resized", async () => {
      const terminal = await contract.shared.terminal({ columns: 91, rows: 33 });
      let seen = "";
      terminal.onData((data) => (seen += data));
      terminal.write("stty size; tty\r");
      await eventually(() => seen.includes("33 91") && seen.includes("/dev/pts/"));
      terminal.resize({ columns: 50, rows: 20 });
      terminal.write("stty size\r");
      await eventually(() => seen.includes("20 50"));
      terminal.kill();
    });

    rule("W71", "Ctrl-C ends the program and not the shell; the exit is reported", async () => {
      const terminal = await contract.shared.terminal({ columns: 80, rows: 24 });
      let seen = "";
      const exits: number[] = [];
      terminal.onData((data) => (seen += data));
      terminal.onExit((code) => exits.push(code));
      terminal.write("echo begin; sleep 1000\r");
      await eventually(() => /^begin/m.test(seen));
      terminal.write("\x03");
      // Input before the shell has its terminal back would be discarded with the interrupt.
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
        const other = contract.shared.run("sleep 2; echo unharmed");
        const terminal = await contract.shared.terminal({ columns: 80, rows: 24 });
        let exits = 0;
        terminal.onExit(() => exits++);
        terminal.write("setsid sleep 7366 & sleep 7366\r");
        const count = async () =>
          exited(await contract.shared.run("pgrep -xfc 'sleep 7366'; true")).output;
        await eventually(async () => (await count()) === "2\n");
        terminal.kill();
        await eventually(() => exits === 1);
        await eventually(async () => (await count()) === "0\n");
        expect(exited(await other).output).toBe("unharmed\n");
      },
    );

    rule("W72", "a later viewer receives the earlier output", async () => {
      const terminal = await contract.shared.terminal({ columns: 80, rows: 24 });
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
}
