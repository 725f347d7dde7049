import { expect, it } from "vitest";
import { plainWords } from "./plain-command.ts";

it("splits a command that a shell would only split", () => {
  expect(plainWords("npm install")).toEqual(["npm", "install"]);
  expect(plainWords(" npm  run dev -- --port=3000 --host 0.0.0.0 ")).toBeUndefined();
  expect(plainWords(" npm  run dev -- --port 3000 --host 0.0.0.0 ")?.slice(4)).toEqual([
    "--port",
    "3000",
    "--host",
    "0.0.0.0",
  ]);
  expect(plainWords("npm i --no-audit @scope/name@^1 ")).toBeUndefined();
  expect(plainWords("npm i @scope/name@1.2.3")).toEqual(["npm", "i", "@scope/name@1.2.3"]);
});

it("leaves a command to the shell if a shell might interpret it", () => {
  for (const command of [
    "npm install; rm x",
    "npm install && npm start",
    "npm install &",
    "npm install\nrm x",
    "npm install\trm",
    "npm run $X",
    "npm run `x`",
    "npm run x > y",
    "npm run 'x'",
    'npm run "x"',
    "npm run x\\ y",
    "npm run *",
    "npm run [a]",
    "npm run ~",
    "npm run {a,b}",
    "npm run !x",
    "npm run #x",
    "A=b npm run x",
    "npm run x\0",
    "",
    " ",
  ])
    expect(plainWords(command), JSON.stringify(command)).toBeUndefined();
});
