import { expect, it } from "vitest";
import { evidenceOf } from "../fold/log.test-support.ts";
import { firstError } from "./first-error.ts";

const errorOf = (part: "install" | "build", detail: string) =>
  firstError(evidenceOf("v", "held", { [part]: { state: "failed", summary: "", detail } }));

const built = (output: string) => `Exit code 1 after 1.1 s.\n--- output ---\n${output}`;

it("is the compiler's first line, with its position", () => {
  const output =
    "> app@0.0.0 build\n> tsc --noEmit && vite build\n\nsrc/App.tsx(2,9): error TS2322: Type 'string' is not assignable to type 'number'.\nsrc/b.ts(1,1): error TS1: b";
  expect(errorOf("build", built(output))).toBe(
    "src/App.tsx(2,9): error TS2322: Type 'string' is not assignable to type 'number'.",
  );
});

it("takes the position from the lines below if a bundler prints it there", () => {
  const output =
    "\u001b[31m✗\u001b[39m Build failed in 12ms\nerror during build:\n[PARSE_ERROR] Unexpected token\n   ╭─[ src/App.tsx:1:63 ]\n   │";
  expect(errorOf("build", built(output))).toBe("[PARSE_ERROR] Unexpected token (src/App.tsx:1:63)");
});

it("skips a package manager's messages about itself", () => {
  const output =
    "npm error code E404\nnpm error 404 Not Found - GET https://registry.example/react-doom - Not found";
  expect(errorOf("install", built(output))).toBe(
    "npm error 404 Not Found - GET https://registry.example/react-doom - Not found",
  );
});

it("is undefined if nothing failed or nothing was printed, and never long", () => {
  expect(firstError(evidenceOf("v", "held"))).toBeUndefined();
  expect(errorOf("build", built("> app build\n\ndone"))).toBeUndefined();
  expect(errorOf("build", `error: ${"x".repeat(5000)}`)).toHaveLength(240);
});
