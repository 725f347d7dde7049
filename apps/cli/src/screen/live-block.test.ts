import { EventEmitter } from "node:events";
import { expect, it } from "vitest";
import { cells, clip } from "./cells.ts";
import { createLiveBlock } from "./live-block.ts";

const ESCAPE = "\u001b";

/** A fake terminal that implements the control sequences that a block uses. */
function terminal(columns: number, rows = 24) {
  const events = new EventEmitter();
  let lines = [""];
  let row = 0;
  let writes = 0;
  const put = (text: string) => {
    for (const mark of text)
      if (mark === "\n") {
        row++;
        lines[row] ??= "";
      } else lines[row] += mark;
  };
  const screen = Object.assign(events, {
    columns,
    rows,
    write(text: string) {
      writes++;
      for (const [n, part] of text.split(ESCAPE).entries()) {
        const sequence = n === 0 ? undefined : /^\[(?:\?25[lh]|(\d*)([AJ]))/.exec(part);
        if (sequence?.[2] === "A") row -= Number(sequence[1]);
        if (sequence?.[2] === "J") lines = [...lines.slice(0, row), ""];
        put(part.slice(sequence?.[0].length ?? 0).replaceAll("\r", ""));
      }
    },
  });
  return { screen, shown: () => lines.join("\n"), writes: () => writes, events };
}

it("keeps printed text above, and draws the block again below it", () => {
  const { screen, shown } = terminal(40);
  const block = createLiveBlock(screen);
  block.show(["step 1"]);
  block.print("a line\n");
  block.show(["step 2", "looking"]);
  expect(shown()).toBe("a line\nstep 2\nlooking\n");
  block.print("more\n");
  expect(shown()).toBe("a line\nmore\nstep 2\nlooking\n");
  block.end();
  expect(shown()).toBe("a line\nmore\n");
});

it("shows text without a line end at once, and keeps it once its line is complete", () => {
  const { screen, shown } = terminal(40);
  const block = createLiveBlock(screen);
  block.show(["step 1"]);
  block.print("Hel");
  block.print("lo");
  expect(shown()).toBe("Hello\nstep 1\n");
  block.print(" there\nand");
  expect(shown()).toBe("Hello there\nand\nstep 1\n");
  block.end();
  expect(shown()).toBe("Hello there\nand\n");
});

it("shows the end of a long incomplete line", () => {
  const { screen, shown } = terminal(20);
  const block = createLiveBlock(screen);
  block.print("0123456789abcdefghijklmnopqrstuvwxyz");
  expect(shown()).toBe("hijklmnopqrstuvwxyz\n");
  block.print("\n");
  expect(shown()).toBe("0123456789abcdefghijklmnopqrstuvwxyz\n");
});

it("writes nothing if nothing changed", () => {
  const { screen, writes } = terminal(40);
  const block = createLiveBlock(screen);
  block.show(["step 1"]);
  const before = writes();
  block.show(["step 1"]);
  expect(writes()).toBe(before);
});

it("clears the rows that its lines take after the terminal became narrower", () => {
  const { screen, shown, events } = terminal(60);
  const block = createLiveBlock(screen);
  block.print("kept\n");
  block.show(["x".repeat(50)]);
  // The terminal wraps the line into two rows.
  screen.write("\u001b[1A\r\u001b[J");
  screen.write(`${"x".repeat(30)}\n${"x".repeat(20)}\n`);
  screen.columns = 30;
  events.emit("resize");
  expect(shown()).toBe(`kept\n${"x".repeat(28)}…\n`);
  block.end();
  expect(events.listenerCount("resize")).toBe(0);
});

it("draws nothing while a person types, and keeps what is printed meanwhile", () => {
  const { screen, shown } = terminal(40);
  const block = createLiveBlock(screen);
  block.show(["step 1"]);
  block.pause();
  expect(shown()).toBe("");
  block.show(["step 2"]);
  block.print("a line\n");
  expect(shown()).toBe("a line\n");
  block.resume();
  expect(shown()).toBe("a line\nstep 2\n");
});

it("never takes more rows than the terminal has", () => {
  const { screen, shown } = terminal(40, 5);
  const block = createLiveBlock(screen);
  block.show(["1", "2", "3", "4", "5", "6"]);
  expect(shown()).toBe("4\n5\n6\n");
});

it("counts wide characters as two columns, marks and colours as none, and ends the colour of a shortened line", () => {
  expect(cells("日本")).toBe(4);
  expect(cells("e\u0301")).toBe(1);
  expect(cells("\u001b[32mok\u001b[0m")).toBe(2);
  expect(clip("日本語", 5)).toBe("日本…");
  expect(clip("\u001b[32mabcdef\u001b[0m", 4)).toBe("\u001b[32mabc…\u001b[0m");
  expect(clip("abc", 3)).toBe("abc");
});
