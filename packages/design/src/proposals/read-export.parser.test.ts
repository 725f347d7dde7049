import fc from "fast-check";
import { expect, it } from "vitest";
import { parse } from "./read-export.parser.ts";

const read = (json: unknown) => parse(JSON.stringify(json));

it("reads the Design Tokens format, with group types and resolved aliases", () => {
  const { tokens, problems } = read({
    brand: {
      $type: "color",
      primary: { $value: { colorSpace: "srgb", components: [1, 0, 0], hex: "#ff0000" } },
      wide: { $value: { colorSpace: "display-p3", components: [1, 0, 0.5], alpha: 0.5 } },
      tint: { $value: { colorSpace: "hsl", components: [210, 50, 40] } },
    },
    text: { linkColor: { $value: "{brand.primary}" } },
    gap: { $type: "dimension", $value: { value: 0.5, unit: "rem" } },
    body: { $type: "fontFamily", $value: ["Inter Tight", "sans-serif"] },
    quick: { $type: "duration", $value: { value: 1, unit: "s" } },
  });
  expect(tokens.map(({ name, group, values }) => [name, group, values.base])).toEqual([
    ["--brand-primary", "colour", "#ff0000"],
    ["--brand-wide", "colour", "color(display-p3 1 0 0.5 / 0.5)"],
    ["--brand-tint", "colour", "hsl(210 50% 40%)"],
    ["--text-link-color", "colour", "#ff0000"],
    ["--gap", "other", "0.5rem"],
    ["--body", "type", '"Inter Tight", sans-serif'],
  ]);
  expect(problems).toEqual([{ code: "tokens-of-type", type: "duration", count: 1 }]);
});

it("reads exports of Tokens Studio: its sets, bare pixels, and a second theme as the dark mode", () => {
  const { tokens, problems } = read({
    core: {
      grey: { value: "#222222", type: "color" },
      space: { m: { value: "16", type: "spacing" } },
      round: { value: 8, type: "borderRadius" },
    },
    light: { paper: { value: "#ffffff", type: "color" }, ink: { value: "{grey}", type: "color" } },
    dark: { paper: { value: "{grey}", type: "color" }, ink: { value: "#fff", type: "color" } },
    $themes: [
      { name: "Light", selectedTokenSets: { core: "source", light: "enabled", dark: "disabled" } },
      { name: "Dark", selectedTokenSets: { core: "source", dark: "enabled" } },
      { name: "Print", selectedTokenSets: { core: "source" } },
    ],
    $metadata: { tokenSetOrder: ["core", "light", "dark"] },
  });
  expect(tokens.map(({ name, group, values }) => [name, group, values.base, values.dark])).toEqual([
    ["--grey", "colour", "#222222", undefined],
    ["--space-m", "spacing", "16px", undefined],
    ["--round", "radius", "8px", undefined],
    ["--paper", "colour", "#ffffff", "#222222"],
    ["--ink", "colour", "#222222", "#fff"],
  ]);
  expect(problems).toEqual([{ code: "themes-left-out", parts: ["Print"], more: 0 }]);
});

it("reports problems, and returns the rest", () => {
  expect(parse("{ not json").problems).toEqual([{ code: "tokens-not-json" }]);
  expect(read([1, 2]).problems).toEqual([{ code: "tokens-none" }]);
  const { tokens, problems } = read({
    a: { $type: "color", $value: "{b}" },
    b: { $type: "color", $value: "{a}" },
    c: { $type: "color", $value: "{nowhere.at.all}" },
    d: { $type: "color", $value: "red; } body { color: blue" },
    e: { $type: "dimension", $value: "{f} * 2" },
    "G g": { $type: "color", $value: "#123" },
    "g-g": { $type: "color", $value: "#456" },
  });
  expect(tokens.map(({ name }) => name)).toEqual(["--g-g"]);
  expect(problems).toEqual([
    { code: "tokens-unresolved", parts: ["a", "b", "c", "d", "e"], more: 0 },
    { code: "tokens-same-name", parts: ["g-g"], more: 0 },
  ]);
});

it("returns only values that can be written, whatever the file contains", () => {
  fc.assert(
    fc.property(fc.json(), fc.anything(), (json, value) => {
      parse(json);
      for (const one of read({ x: { $type: "color", $value: value } }).tokens)
        expect(one.values.base).not.toMatch(/[;{}]/);
    }),
    { numRuns: 200 },
  );
});
