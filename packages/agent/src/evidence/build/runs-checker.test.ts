import { expect, it } from "vitest";
import { runsChecker } from "./runs-checker.ts";

const SCRIPTS = {
  types: "tsc --noEmit",
  lint: "eslint .",
  round: "npm run round",
  check: "npm run types",
};

it.each([
  "tsc",
  "tsc --noEmit",
  "tsc -b && eslint .",
  "eslint . && tsc",
  "rm -rf x; tsc -p tsconfig.app.json",
  "npx --no-install tsc --noEmit",
  "NODE_OPTIONS=--max-old-space-size=4096 vue-tsc",
  "cross-env CI=1 tsc",
  "node ./node_modules/typescript/bin/tsc",
  "node_modules/.bin/svelte-check --tsconfig ./tsconfig.json",
  "npm run types",
  "npm run check",
  "pnpm types && pnpm lint",
  "pnpm exec tsc",
  "yarn tsc",
  "run-s lint types",
  "tsc 2>&1",
])("%s is a type check", (script) => expect(runsChecker(script, SCRIPTS)).toBe(true));

it.each([
  "true # tsc",
  "echo tsc",
  "echo 'tsc'",
  "true; : tsc --noEmit",
  "tsc || true",
  "tsc; true",
  "tsc | cat",
  "tsc & true",
  "true || tsc",
  "exit 0; tsc",
  "if false; then tsc; fi",
  "tsc --version",
  "tsc -v && true",
  "npm run lint",
  "npm run round",
  "npm run nothing",
  "ls node_modules/.bin/tsc",
  "",
])("A105 %s is none", (script) => expect(runsChecker(script, SCRIPTS)).toBe(false));
