import { describe, expect, it } from "vitest";
import { answer, scriptedModel } from "../testing/scripted-model.test-support.ts";
import { htmlWorkspace, tryRun } from "../testing/try-run.test-support.ts";

const PAGE = "<!doctype html>\n<p>a &amp; b</p>\n";

describe("a file's content between tags", () => {
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
