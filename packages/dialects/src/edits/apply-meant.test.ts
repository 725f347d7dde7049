import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { applyMeantEdits } from "./apply-meant.ts";

const FILE = "a();\nwait();\nb();\nwait();\nc();\n";

describe("edits whose old text matches in several places", () => {
  it("are applied in the file's order if there are as many as places", () => {
    const same = { old: "wait();\n", new: "stop();\n" };
    expect(applyMeantEdits(FILE, [same, { ...same }])).toMatchObject({
      ok: true,
      content: FILE.replaceAll("wait", "stop"),
    });
    const second = { old: "wait();\n", new: "go();\n" };
    expect(applyMeantEdits(FILE, [same, second])).toMatchObject({
      content: "a();\nstop();\nb();\ngo();\nc();\n",
    });
  });

  it("are rejected if their number differs from that of the places", () => {
    const same = { old: "wait();\n", new: "stop();\n" };
    expect(applyMeantEdits(FILE, [same])).toMatchObject({
      ok: false,
      failures: [{ reason: "multiple" }],
    });
    expect(applyMeantEdits(FILE, [same, { ...same }, { ...same }])).toMatchObject({ ok: false });
  });

  it.each([
    [4, "a();\nwait();\nb();\nstop();\nc();\n"],
    [2, "a();\nstop();\nb();\nwait();\nc();\n"],
    [5, "a();\nwait();\nb();\nstop();\nc();\n"],
    [3, undefined],
  ])("line %j decides if one place is clearly nearest to it", (line, content) => {
    const result = applyMeantEdits(FILE, [{ old: "wait();\n", new: "stop();\n", line }]);
    if (content === undefined) expect(result).toMatchObject({ ok: false });
    else expect(result).toMatchObject({ ok: true, content });
  });

  it("a line has no effect on an edit that matches one place, or all", () => {
    expect(applyMeantEdits(FILE, [{ old: "b();", new: "d();", line: 1 }])).toMatchObject({
      ok: true,
    });
    expect(applyMeantEdits(FILE, [{ old: "wait", new: "stop", line: 2, all: true }])).toMatchObject(
      {
        content: FILE.replaceAll("wait", "stop"),
      },
    );
  });

  it("n equal blocks change n equal lines, whatever lies between them", () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(fc.constantFrom("x", "y", ""), { maxLength: 3 }), { minLength: 2, maxLength: 8 }),
        (between) => {
          const file = between.map((lines) => [...lines, "same();"].join("\n")).join("\n");
          const edits = between.map((_, at) => ({ old: "same();", new: `other(${at});` }));
          let at = 0;
          const expected = file.replaceAll("same();", () => `other(${at++});`);
          expect(applyMeantEdits(file, edits)).toMatchObject({ ok: true, content: expected });
        },
      ),
    );
  }); // prettier-ignore
});
