import { describe, expect, test } from "vitest";
import { parseScript } from "../script/parse-script.ts";
import type { Asked, Entry } from "./asked.ts";
import { chooseParts, turnOf } from "./choose-parts.ts";

function asked(entries: [Entry["by"], string][], tools = ["t"]): Asked {
  return {
    model: "m",
    stream: true,
    tools,
    includeUsage: true,
    pictures: 0,
    entries: entries.map(([by, text]) => ({ by, text })),
  };
}

function answerTo(script: string, request: Asked, attempt = 1): string {
  const parsed = parseScript(script, { name: "test", readFile: () => "" });
  const { parts } = chooseParts(parsed, { wire: "anthropic", asked: request, attempt });
  return parts.map((part) => (part.type === "say" ? part.text : part.type)).join("|");
}

describe("the turn", () => {
  test("is one more than the model's turns, however many items each consists of", () => {
    expect(turnOf(asked([["user", "a"]]))).toBe(1);
    expect(
      turnOf(
        asked([
          ["user", "a"],
          ["assistant", "thought"],
          ["assistant", "{}"],
          ["tool", "ok"],
          ["assistant", "done"],
          ["user", "more"],
        ]),
      ),
    ).toBe(3);
  });
});

describe("the chosen step", () => {
  test("is that of the turn, if steps have no conditions", () => {
    const script = "## One\n1\n## Two\n2\n";
    expect(answerTo(script, asked([["user", "a"]]))).toBe("1");
    expect(
      answerTo(
        script,
        asked([
          ["user", "a"],
          ["assistant", "1"],
          ["tool", "ok"],
        ]),
      ),
    ).toBe("2");
  });

  test("is the first that matches the latest message, not earlier ones", () => {
    const script =
      "## Mend\nwhen: result /ended with [1-9]/\nmended\n## Done\nwhen: turn 2+\ndone\n";
    const failed: [Entry["by"], string][] = [
      ["user", "a"],
      ["assistant", "x"],
      ["tool", "npm ended with 1"],
    ];
    expect(answerTo(script, asked(failed))).toBe("mended");
    expect(answerTo(script, asked([...failed, ["assistant", "y"], ["tool", "ok"]]))).toBe("done");
  });

  test("distinguishes messages from results, unless the request has no tools", () => {
    const script = "## R\nwhen: result boom\nresult\n## M\nwhen: message boom\nmessage\n";
    const entries: [Entry["by"], string][] = [["user", "Boom!"]];
    expect(answerTo(script, asked(entries))).toBe("message");
    expect(answerTo(script, asked(entries, []))).toBe("result");
  });

  test("matches the person's text, not what Treadle adds about earlier messages", () => {
    const script = "## A\nwhen: message build\nbuilt\n## B\nwhen: message add\nadded\n";
    const standing = "<standing>\nRuns: “Build a list” was not tried\n</standing>\nAdd eggs";
    expect(answerTo(script, asked([["user", standing]]))).toBe("added");
  });

  test("can depend on whether there is a picture", () => {
    const script =
      "## P\nwhen: pictures\n~~~fault no-pictures\n~~~\n## T\nwhen: not pictures\nfine\n";
    expect(answerTo(script, { ...asked([["user", "a"]]), pictures: 1 })).toBe("fault");
    expect(answerTo(script, asked([["user", "a"]]))).toBe("fine");
  });

  test("can require another attempt of the same request", () => {
    const script = "## First\nwhen: attempt 1\nno\n## Then\nwhen: attempt 2+\nyes\n";
    expect(answerTo(script, asked([["user", "a"]]), 1)).toBe("no");
    expect(answerTo(script, asked([["user", "a"]]), 3)).toBe("yes");
  });

  test("repeats the text of a named group in its condition", () => {
    const script = "## One\nwhen: message /call it (?<name>\\w+)/\n{name} and {other}\n";
    expect(answerTo(script, asked([["user", "please call it Ada"]]))).toBe("Ada and {other}");
  });

  test("is `otherwise` if none matches, or else a text that names the request", () => {
    expect(answerTo("## One\nwhen: turn 9\n1\n## otherwise\nsorry\n", asked([["user", "a"]]))).toBe(
      "sorry",
    );
    expect(answerTo("## One\nwhen: turn 9\n1\n", asked([["user", "build it"]]))).toMatch(
      /script "test".*turn 1, attempt 1, anthropic.*build it/s,
    );
  });
});
