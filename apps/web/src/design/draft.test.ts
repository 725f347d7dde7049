import type { ProjectDesign } from "@treadle/protocol";
import { expect, it } from "vitest";
import { asChannels, colourIn, draftSheet, withDraft } from "./draft.ts";

const design: ProjectDesign = {
  modes: [
    { id: "base", kind: "base" },
    { id: "dark", kind: "system" },
    { id: ".night", kind: "selector" },
  ],
  tokens: [
    { name: "--paper", group: "colour", values: { base: "#fff", dark: "#000", ".night": "navy" } },
    { name: "--ink", group: "colour", values: { base: "222 47% 11%" }, channels: "hsl" },
    { name: "--text", group: "colour", values: { base: "var(--ink)" } },
    { name: "--loop", group: "colour", values: { base: "var(--loop)" } },
  ],
  files: [],
};

it("shows a changed token with its values in all modes, so that the others keep precedence", () => {
  expect(draftSheet(design, [{ name: "--paper", mode: "base", value: "ivory" }])).toBe(
    ":root { --paper: ivory !important; }\n@media (prefers-color-scheme: dark) { :root { --paper: #000 !important; } }\n.night { --paper: navy !important; }",
  );
  expect(draftSheet(design, [])).toBe("");
});

it("adds a token, and a mode that the project does not have yet", () => {
  const changed = withDraft({ ...design, modes: design.modes.slice(0, 1) }, [
    { name: "--new", mode: "dark", value: "1px" },
  ]);
  expect(changed.tokens.at(-1)).toEqual({ name: "--new", group: "other", values: { dark: "1px" } });
  expect(changed.modes.map(({ id }) => id)).toEqual(["base", "dark"]);
});

it("follows references to a colour, and stops at a cycle", () => {
  const colourOf = (name: string, mode = "base") =>
    colourIn(
      design,
      design.tokens.find((one) => one.name === name),
      mode,
    );
  expect(colourOf("--text", "dark")).toBe("hsl(222 47% 11%)");
  expect(colourOf("--paper", ".night")).toBe("navy");
  expect(colourOf("--loop")).toBeUndefined();
});

it("writes a colour with the numbers of hsl()", () => {
  expect(["#ffffff", "#ff0000", "#0f172a", "#808080"].map(asChannels)).toEqual([
    "0 0% 100%",
    "0 100% 50%",
    "222.2 47.4% 11.2%",
    "0 0% 50.2%",
  ]);
});
