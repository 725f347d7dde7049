import { describe, expect, it } from "vitest";
import { meantCommand, meantContent, meantPath } from "./index.ts";

const PAGE = "<!doctype html>\n<p>a &amp; b</p>\n";

describe("a file's content between tags", () => {
  it.each([
    ["a fence around it", "index.html", `\`\`\`html\n${PAGE}\`\`\`\n`, PAGE],
    ["a fence with room around", "a.ts", "\n```\nconst a = 1;\n```  \n\n", "const a = 1;\n"],
    ["a fence that never closes", "a.css", "```css\na {}\n", "a {}\n"],
    ["a longer fence", "a.ts", "````ts\nconst a = `\n```\n`;\n````", "const a = `\n```\n`;\n"],
    ["a fence around nothing", "a.ts", "```ts\n```\n", ""],
    [
      "tags that are escaped",
      "src/App.tsx",
      "export const App = () =&gt; &lt;p&gt;a &amp;amp; b&lt;/p&gt;;\n",
      "export const App = () => <p>a &amp; b</p>;\n",
    ],
    [
      "quotes that are escaped with them",
      "index.html",
      "&lt;p class=&quot;a&quot;&gt;b&lt;/p&gt;\n",
      '<p class="a">b</p>\n',
    ],
    [
      "conditions that are escaped",
      "src/a.ts",
      "if (a &amp;&amp; b) go(() =&gt; 1);\n",
      "if (a && b) go(() => 1);\n",
    ],
    ["quotes that are escaped", "package.json", "{ &quot;a&quot;: 1 }\n", '{ "a": 1 }\n'],
    [
      "brackets that alone are escaped",
      "src/a.tsx",
      'const a = b &lt; 2 && c > 3;\nconst s = "&amp;";\n',
      'const a = b < 2 && c > 3;\nconst s = "&amp;";\n',
    ],
    ["selectors that are escaped", "a.css", "a &gt; b {}\n", "a > b {}\n"],
  ])("is taken without %s", (_what, path, content, plain) => {
    expect(meantContent(path, content)).toBe(plain);
  });

  it.each([
    ["README.md", "```sh\nnpm start\n```\n"],
    ["index.html", "<pre>```js\nx\n```</pre>\n<code>&lt;b&gt;</code>\n"],
    ["src/escape.ts", 'export const LESS = "&lt;";\n'],
    ["src/both.ts", 'export const both = () => "&amp;&amp;";\n'],
    ["src/tag.ts", "export const fence = `\n```\n`;\n"],
    ["src/code.ts", "``` in a sentence"],
    ["words.json", '{ "quote": "&quot;" }\n'],
  ])("is unchanged if it was intended: %s", (path, content) => {
    expect(meantContent(path, content)).toBe(content);
  });
});

describe("a command between tags", () => {
  it.each([
    ["a fence", "```bash\nnpm install\n```", "npm install"],
    ["a fence that never closes", "```\nnpm install\nnpm test\n", "npm install\nnpm test"],
    ["a tag of its own", "\n<command>npm run dev</command>\n", "npm run dev"],
    ["several tags", "<command>npm i</command>\n<command>npm test</command>", "npm i\nnpm test"],
    ["backticks", "`npm install`", "npm install"],
    ["a prompt", "$ npm install\n$ npm test", "npm install\nnpm test"],
    ["escapes", "npm install &amp;&amp; npm test &gt; log", "npm install && npm test > log"],
  ])("is taken without %s", (_what, written, meant) => {
    expect(meantCommand(written)).toBe(meant);
  });

  it.each([
    "echo `date`",
    "`which node` a.js",
    "echo '<command>x</command>'",
    "echo '&lt;' > a",
    "sleep 1 & echo '&amp;'",
    "echo $HOME",
  ])("is unchanged if it was intended: %s", (command) => {
    expect(meantCommand(command)).toBe(command);
  });
});

describe("a path between tags", () => {
  it.each([
    ["src\\components\\A.tsx", "src/components/A.tsx"],
    ["..\\a.ts", "../a.ts"],
    ["`src/a.ts`", "src/a.ts"],
  ])("%s is %s", (written, path) => {
    expect(meantPath(written)).toBe(path);
  });

  it.each(["C:\\a.ts", "\\\\host\\a", "app/\\[id\\]/page.tsx"])("%s is unchanged", (path) => {
    expect(meantPath(path)).toBe(path);
  });
});
