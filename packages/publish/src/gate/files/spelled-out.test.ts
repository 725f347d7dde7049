import { describe, expect, it } from "vitest";
import { parse as checkFiles } from "./check-files.parser.ts";
import { randomText, release, SECRETS } from "../planted.test-support.ts";

const titles = async (parts: Parameters<typeof release>[0]) =>
  (await checkFiles(release(parts))).findings.map(({ title, where }) => `${title} ${where}`);

const KEY = SECRETS["A GitHub token"]!;
const [HEAD, MIDDLE, TAIL] = [KEY.slice(0, 4), KEY.slice(4, 20), KEY.slice(20)];
const base64 = (text: string) => Buffer.from(text).toString("base64");

/** Ways in which programs write a key other than as one literal. */
const WRITTEN: Record<string, string> = {
  "put together of strings": `const key = "${HEAD}" + '${MIDDLE}' +\n  \`${TAIL}\`;`,
  "put together in PHP": `$key = '${HEAD}' . '${MIDDLE}' . '${TAIL}';`,
  "put together in Python by standing in a row": `KEY = ("${HEAD}"\n       "${MIDDLE}${TAIL}")`,
  "put together by concat": `const key = "${HEAD}".concat("${MIDDLE}${TAIL}");`,
  "put together of a list": `const key = ["${HEAD}", "${MIDDLE}", "${TAIL}"].join("");`,
  "put together of a list in Python": `KEY = "".join(["${HEAD}", "${MIDDLE}", "${TAIL}"])`,
  "put together of what has a name": `const HEAD = "${HEAD}"; const key = HEAD + "${MIDDLE}${TAIL}";`,
  "put together in a template": `const start = "${HEAD}${MIDDLE}"; const key = \`\${start}${TAIL}\`;`,
  "put together of what has a name for good": `const HEAD = "${HEAD}" as const; const key = HEAD + "${MIDDLE}${TAIL}";`,
  "put together in a template of what is written in it": `const key = \`\${"${HEAD}"}${MIDDLE}\${ '${TAIL}' }\`;`,
  "put together in a template of what is put together in it": `const key = \`${HEAD}\${"${MIDDLE}" + "${TAIL}"}\`;`,
  "put together of what an object holds": `const parts = { a: "${HEAD}", "b": '${MIDDLE}${TAIL}' }; const key = parts.a + parts["b"];`,
  "put together of what a list holds": `const p = ["${HEAD}", "${MIDDLE}${TAIL}"]; const key = \`\${p[0]}\${p[1]}\`;`,
  "put together of a list that has a name": `const bits = ["${HEAD}", "${MIDDLE}", "${TAIL}"]; const key = bits.join("");`,
  "put together of a list of names": `const HEAD = "${HEAD}", TAIL = "${TAIL}"; const key = [HEAD, "${MIDDLE}", TAIL].join("");`,
  "put together by concat of names": `const HEAD = "${HEAD}"; const REST = "${MIDDLE}${TAIL}"; const key = HEAD.concat(REST);`,
  "put together in Python's template": `HEAD = "${HEAD}"; REST = "${MIDDLE}${TAIL}"; KEY = f"{HEAD}{REST}"`,
  "put together of names of one letter": `const a = "${HEAD}"; const b = "${MIDDLE}${TAIL}"; export const key = a + b;`,
  "put together of names of one letter in Python": `a = "${HEAD}"; b = "${MIDDLE}${TAIL}"; key = a + b`,
  "put together by Python's %": `HEAD = "${HEAD}"; REST = "${MIDDLE}${TAIL}"; KEY = "%s%s" % (HEAD, REST)`,
  backwards: `const key = "${[...KEY].reverse().join("")}".split("").reverse().join("");`,
  "backwards in Python": `KEY = "${[...KEY].reverse().join("")}"[::-1]`,
  "in numbers": `const key = String.fromCharCode(${[...KEY].map((one) => one.charCodeAt(0)).join(", ")});`,
  "in base64": `const key = atob("${base64(KEY)}");`,
  "in base64 that is put together": `const key = atob("${base64(KEY).slice(0, 20)}" + "${base64(KEY).slice(20)}");`,
  "in a map within the file": `//# source${"Map"}pingURL=data:application/json;base64,${base64(
    JSON.stringify({ sourcesContent: [`const key = "${KEY}";`] }),
  )}`,
  "in hex": `Buffer.from("${Buffer.from(KEY).toString("hex")}", "hex")`,
  "in escapes": `"${[...KEY].map((one) => `\\x${one.charCodeAt(0).toString(16)}`).join("")}"`,
  "in an address": `"${encodeURIComponent(`https://api.shop.com/?key=${KEY}`)}"`,
};

describe("a key that a program assembles or encodes", () => {
  it.each(Object.entries(WRITTEN))("%s is found once, with its line", async (_, written) => {
    const text = `let one = 1;\n${written}\nlet two = 2;\n`;
    expect(await titles({ sources: [{ path: "a.js", text }] })).toEqual([
      expect.stringMatching(
        /^A GitHub token is written in a file, in pieces or in other letters\. a\.js:2$/,
      ),
    ]);
  });

  it.each([
    ["./parts", "import { HEAD, REST } from './parts';", "HEAD + REST"],
    ["./parts.js", 'import keys, { HEAD as START, REST } from "./parts.js";', "`${START}${REST}`"],
    ["@/lib/parts", 'import { HEAD, REST } from "@/lib/parts";', "HEAD + REST"],
    ["../lib/parts", 'const { HEAD, REST: END } = require("../lib/parts");', "HEAD + END"],
  ])(
    "is found in pieces that come from another file, %s, where it is put together",
    async (at, taken, used) => {
      const parts = {
        path: at.includes("lib") ? "lib/parts.js" : "server/parts.ts",
        text: `export const HEAD = "${HEAD}";\nexport const REST = "${MIDDLE}${TAIL}";\n`,
      };
      const text = `${taken}\nconst key = ${used};\n`;
      expect(await titles({ sources: [parts, { path: "server/a.js", text }] })).toEqual([
        "A GitHub token is written in a file, in pieces or in other letters. server/a.js:2",
      ]);
    },
  );

  it.each([
    ["all of them", 'import * as parts from "./parts.js";', "parts.HEAD + parts.REST"],
    ["what it is by default", 'import keys from "./parts.js";', "`${keys.start}${keys.rest}`"],
    ["an object of them", 'import { both } from "./parts.js";', "both.start + both.rest"],
    ["all of them, required", 'const parts = require("./parts.js");', "parts.HEAD + parts.REST"],
    ["those that are handed on", 'import { HEAD, REST } from "./all.js";', "HEAD + REST"],
    ["one that is handed on as another", 'import { START, REST } from "./all.js";', "START + REST"],
    ["those of JSON", 'import keys from "./parts.json";', "keys.start + keys.rest"],
  ])("is found in pieces of another file that is taken as a whole: %s", async (_, taken, used) => {
    const both = `{ start: "${HEAD}", rest: "${MIDDLE}${TAIL}" }`;
    const parts = `export const HEAD = "${HEAD}";\nexport const REST = "${MIDDLE}${TAIL}";\nexport const both = ${both};\nexport default both;\n`;
    const all =
      'export * from "./parts.js";\nexport { HEAD as START } from "./parts.js"; export * from "./all.js";\n';
    const sources = [
      { path: "parts.js", text: parts },
      { path: "all.js", text: all },
      { path: "parts.json", text: `{\n  "start": "${HEAD}",\n  "rest": "${MIDDLE}${TAIL}"\n}\n` },
      { path: "a.js", text: `${taken}\nconst key = ${used};\n` },
    ];
    expect(await titles({ sources })).toEqual([
      "A GitHub token is written in a file, in pieces or in other letters. a.js:2",
    ]);
  });

  it.each([
    ["app/parts.py", "from .parts import (\n    HEAD,\n    REST as end,\n)", "HEAD + end"],
    ["app/parts.py", "from app.parts import HEAD, REST", 'f"{HEAD}{REST}"'],
    ["app/parts.py", "from app import parts as p", "p.HEAD + p.REST"],
    ["app/parts.py", "from . import parts", '"".join([parts.HEAD, parts.REST])'],
    ["parts.py", "import parts", "parts.HEAD + parts.REST"],
    ["parts.py", "from parts import *", "HEAD + REST"],
    ["parts/__init__.py", "import parts as p", '"%s%s" % (p.HEAD, p.REST)'],
  ])("is found in pieces that Python has from %s by %s", async (at, taken, used) => {
    const parts = { path: at, text: `HEAD = "${HEAD}"\nREST = "${MIDDLE}${TAIL}"\n` };
    const text = `${taken}\nKEY = ${used}\n`;
    expect(await titles({ sources: [parts, { path: "app/a.py", text }] })).toEqual([
      `A GitHub token is written in a file, in pieces or in other letters. app/a.py:${taken.split("\n").length + 1}`,
    ]);
  });

  it("is not assembled from constants that only share a name with another file's", async () => {
    const parts = { path: "parts.ts", text: `export const REST = "${MIDDLE}${TAIL}";\n` };
    const own = `import { OTHER } from "./parts";\nconst key = "${HEAD}" + REST;\n`;
    const gone = `import { REST } from "./elsewhere";\nconst key = "${HEAD}" + REST;\n`;
    const shadowed = `import { REST as THEIRS } from "./parts";\nconst REST = "loading"; const key = "${HEAD}" + REST;\n`;
    const sources = [own, gone, shadowed].map((text, at) => ({ path: `${at}.ts`, text }));
    expect(await titles({ sources: [parts, ...sources] })).toEqual([]);
  });

  it("is found in two parts by its value and by its name, too", async () => {
    const value = randomText(30, 300);
    const split = `"${value.slice(0, 14)}"+"${value.slice(14)}"`;
    const own = [{ name: "MAIL_PASSWORD", value }];
    expect(await titles({ output: [{ path: "a.js", text: `x(${split})` }], own })).toEqual([
      "The value of MAIL_PASSWORD is in what is published, in pieces or in other letters. a.js:1",
    ]);
    expect(
      await titles({ sources: [{ path: "a.js", text: `const jwtSecret = ${split};` }] }),
    ).toEqual([
      "A secret of the app's own is written in a file, in pieces or in other letters. a.js:1",
    ]);
  });
});

it("ignores assembled and base64 texts that are not keys", async () => {
  const text = [
    `const html = "<p>" + "${randomText(20, 301)}" + "</p>";`,
    'const query = "select * from users where password = \'" + "?" + "\'";',
    'const url = "ghp_" + token; const name = ["sk", "live"].join("_"); const HEAD = "sk-proj-";',
    'const style = "sk-" + "circle" + "-" + "loading-spinner-animation-of-the-first-page";',
    `const png = "data:image/png;base64,${Buffer.from(randomText(600, 302)).toString("base64")}";`,
    `const greeting = atob("${base64("Good evening, and welcome to our little shop")}");`,
    `integrity: "sha512-${randomText(86, 303)}=="`,
  ].join("\n");
  expect(await titles({ sources: [{ path: "a.js", text }] })).toEqual([]);
});

it("a finding that depends on its context gets the whole context, also beside assembled text", async () => {
  const settings = Array.from({ length: 6 }, (_, at) => `  setting${at}: "${"words ".repeat(6)}",`);
  const text = `const url = "https://" + "shop.com";\ninitializeApp({\n  apiKey: "AIza${randomText(35, 304)}",\n${settings.join("\n")}\n  authDomain: "a.firebaseapp.com",\n});\n`;
  expect(await titles({ sources: [{ path: "a.js", text }] })).toEqual([]);
});
