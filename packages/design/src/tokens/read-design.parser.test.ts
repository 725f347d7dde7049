import { expect, it } from "vitest";
import { parse } from "./read-design.parser.ts";

const read = (text: string, path = "src/index.css") => parse([{ path, text }]);
const groupsOf = (text: string) =>
  Object.fromEntries(read(text).tokens.map(({ name, group }) => [name, group]));

it("finds the tokens of :root, with the values of the system's dark scheme", () => {
  const { tokens, modes } = read(`
    :root { --paper: #fff; --ink: #111 }
    @media (prefers-color-scheme: dark) { :root { --paper: #111; --ink: #eee } }
    @media (min-width: 40rem) { :root { --paper: red } }
    .card { --inner: 1px; color: var(--ink) }`);
  expect(modes).toEqual([
    { id: "base", kind: "base" },
    { id: "dark", kind: "system" },
  ]);
  expect(tokens.map(({ name, values }) => [name, values])).toEqual([
    ["--paper", { base: "#fff", dark: "#111" }],
    ["--ink", { base: "#111", dark: "#eee" }],
  ]);
});

it("takes a class that sets tokens again for a mode, and a component for none", () => {
  const { tokens, modes } = read(`
    @layer base { :root { --paper: #fff; --ink: #111 } .dark { --paper: #000; --ink: #fff } }
    :root[data-theme="sepia"] { color-scheme: light; --paper: beige; --ink: brown }
    .card { --paper: #eee; padding: 1px }`);
  expect(modes.map(({ id }) => id)).toEqual(["base", ".dark", ':root[data-theme="sepia"]']);
  expect(tokens[0]?.values).toEqual({
    base: "#fff",
    ".dark": "#000",
    ':root[data-theme="sepia"]': "beige",
  });
});

it("reads both values of light-dark()", () => {
  expect(read(":root { --paper: light-dark(#fff, rgb(0 0 0 / 50%)) }").tokens[0]).toMatchObject({
    group: "colour",
    values: { base: "#fff", dark: "rgb(0 0 0 / 50%)" },
  });
});

it("says what a token is for by its value, its uses, and the tokens made of it", () => {
  expect(
    groupsOf(`
      :root { --a: oklch(0.5 0.1 20); --b: tomato; --c: "Inter", sans-serif; --d: 8px; --e: 4px; --f: 1rem; --g: 2; --h: calc(var(--e) * 2) }
      body { background: var(--b); border-radius: var(--d); padding: var(--h); font-size: var(--f) }`),
  ).toEqual({
    "--a": "colour",
    "--b": "colour",
    "--c": "type",
    "--d": "radius",
    "--e": "spacing",
    "--f": "type",
    "--g": "other",
    "--h": "spacing",
  });
});

it("reads Tailwind's @theme: its namespaces, and names that only repeat a token", () => {
  const { tokens } = read(`
    @import "tailwindcss";
    :root { --card: 222 47% 11%; --radius: 8px }
    @theme inline { --color-card: hsl(var(--card)); --color-b: var(--card); --radius-lg: calc(var(--radius) - 2px); --text-lg: 2rem; --spacing: 4px }`);
  expect(
    tokens.map(({ name, group, aliasOf, channels }) => [name, group, aliasOf, channels]),
  ).toEqual([
    ["--card", "colour", undefined, "hsl"],
    ["--radius", "radius", undefined, undefined],
    ["--color-card", "colour", undefined, undefined],
    ["--color-b", "colour", "--card", undefined],
    ["--radius-lg", "radius", undefined, undefined],
    ["--text-lg", "type", undefined, undefined],
    ["--spacing", "spacing", undefined, undefined],
  ]);
});

it("pairs a colour of text with the background that it is read on", () => {
  const { tokens } = read(`
    :root { --paper: #fff; --ink: #111; --quiet: #777; --accent: #00f; --on: #fff; --card: #eee; --card-foreground: #222 }
    body { background: var(--paper); color: var(--ink) }
    button { background-color: var(--accent); color: var(--on) }
    small { color: var(--quiet) }`);
  expect(Object.fromEntries(tokens.map(({ name, on }) => [name, on]))).toEqual({
    "--paper": undefined,
    "--ink": "--paper",
    "--quiet": "--paper",
    "--accent": undefined,
    "--on": "--accent",
    "--card": undefined,
    "--card-foreground": "--card",
  });
});

it("reads <style> elements, of a page as well as of a component", () => {
  const page = "<!doctype html><style>\n:root { --a: #123 }\n</style><p>--b: 1</p>";
  expect(read(page, "index.html").tokens.map(({ name }) => name)).toEqual(["--a"]);
  expect(
    read("<p>{x}</p><style>:global(:root) { --a: #123 }</style>", "App.svelte").tokens,
  ).toHaveLength(1);
});

it("names the style sheet of the whole page as the one that would import tokens", () => {
  const files = [
    { path: "src/a/card.css", text: ".card { color: red }" },
    { path: "src/index.css", text: "body { margin: 0 }" },
    { path: "index.html", text: "<p>no styles</p>" },
  ];
  expect(parse(files)).toMatchObject({ tokens: [], files: [], stylesheet: "src/index.css" });
  expect(parse([]).stylesheet).toBeUndefined();
});
