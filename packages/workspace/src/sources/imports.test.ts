import { expect, it } from "vitest";
import { findBroughtIn, placesIn } from "./imports.ts";

const SPELLINGS = [
  `import { a } from "./coverage/plan.js";`,
  `import "./coverage/plan";`,
  `export * from './coverage/plan.ts'`,
  `const { a } = await import(\`./coverage/plan.js\`)`,
  `const a = require("./coverage/plan")`,
  `import x from "@/coverage/plan"`,
  `import x from "~/src/coverage/plan"`,
  `import x from "src/coverage/plan"`,
  `<script type="module" src="/src/coverage/plan.js"></script>`,
  `new Worker(new URL("./coverage/plan.js", import.meta.url))`,
  `import.meta.glob("./coverage/*.js")`,
  `import.meta.glob(["./coverage/**/*.js"])`,
  `require.context("./coverage/plan", true)`,
  `@import url(./coverage/plan.css);`,
  `background: url(../src/coverage/plan.png)`,
  `<img src={"/coverage/plan.png?raw"}>`,
];

const brought = (text: string, leftOut = ["src/coverage", "dist"]) =>
  findBroughtIn(new Map([["src/main.ts", placesIn(text)]]), new Set(leftOut));

it.each(SPELLINGS)("finds the import %s", (text) => {
  const found = brought(text);
  expect(["js", "ts", "css", "png"].some((end) => found.has(`src/coverage/plan.${end}`))).toBe(
    true,
  );
  expect(found.hasBelow("src/coverage")).toBe(true);
  expect(found.has("src/coverage-of-others/lcov.info")).toBe(false);
  expect(found.hasBelow("dist")).toBe(false);
});

it.each([
  `readFileSync("./coverage/plan.js")`,
  `import x from "coverage"`,
  `import x from "https://example.org/src/coverage/plan.js"`,
  `import x from "../../coverage/plan.js"`,
  `import x from "./other/plan.js"`,
])("finds nothing in %s", (text) => expect(brought(text).hasBelow("src/coverage")).toBe(false));

it("finds a folder's index, and a single file that is left out", () => {
  expect(brought(`import "./coverage/plan"`).has("src/coverage/plan/index.ts")).toBe(true);
  expect(
    brought(`import "./client"`, ["src/client.gen.ts", "src/client.ts"]).has("src/client.ts"),
  ).toBe(true);
  expect(brought(`import "@/client.gen"`, ["src/client.gen.ts"]).has("src/client.gen.ts")).toBe(
    true,
  );
});

it("parses a text crafted to be slow quickly", () => {
  const began = performance.now();
  for (const text of [
    "import ".repeat(100_000),
    `import${" ".repeat(700_000)}"`,
    `src="${"a".repeat(700_000)}`,
  ])
    placesIn(text);
  expect(performance.now() - began).toBeLessThan(1_000);
});
