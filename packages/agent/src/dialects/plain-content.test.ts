import { describe, expect, it } from "vitest";
import { answer, scriptedModel } from "../testing/scripted-model.test-support.ts";
import { htmlWorkspace, tryRun } from "../testing/try-run.test-support.ts";
import { plainContent } from "./plain-content.ts";

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
  ])("is taken without %s", (_what, path, content, plain) => {
    expect(plainContent(path, content)).toBe(plain);
  });

  it.each([
    ["README.md", "```sh\nnpm start\n```\n"],
    ["index.html", "<pre>```js\nx\n```</pre>\n<code>&lt;b&gt;</code>\n"],
    ["src/escape.ts", 'export const LESS = "&lt;";\n'],
    ["src/tag.ts", "export const fence = `\n```\n`;\n"],
    ["src/code.ts", "``` in a sentence"],
  ])("stays as it is where it was meant so: %s", (path, content) => {
    expect(plainContent(path, content)).toBe(content);
  });

  it.each([
    [
      "artifact",
      `<boltArtifact id="a" title="A"><boltAction type="file" filePath="index.html">\n\`\`\`html\n${PAGE}\`\`\`\n</boltAction></boltArtifact>`,
    ],
    [
      "tags",
      `<write_file>\n<path>index.html</path>\n<content>\n\`\`\`html\n${PAGE}\`\`\`\n</content>\n</write_file>`,
    ],
  ] as const)("is written so in the dialect %s", async (dialect, text) => {
    const { workspace } = await tryRun(scriptedModel(answer(text)), {
      dialect,
      workspace: htmlWorkspace(),
    });
    expect(workspace.text("index.html")).toBe(PAGE);
  });
});
