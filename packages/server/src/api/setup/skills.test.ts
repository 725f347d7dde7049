import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { SkillList } from "@treadle/protocol";
import { afterEach, expect, it } from "vitest";
import { startTestServer, type TestServer } from "../../server.test-support.ts";

let server: TestServer;
afterEach(() => server.close());

const skill = (name: string, description: string) =>
  `---\nname: ${name}\ndescription: ${description}\n---\nDo it well.\n`;

const read = async (path: string) => ((await (await server.api(path)).json()) as SkillList).skills;

it("lists Treadle's skills and the person's own, and in a project also the project's", async () => {
  server = await startTestServer();
  const own = await read("/api/skills");
  expect(own.length).toBeGreaterThan(0);
  expect(new Set(own.map(({ from }) => from))).toEqual(new Set(["treadle"]));

  const folder = join(server.directory, "skills/house-style");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "SKILL.md"), skill("house-style", "When text is written."));
  const ownSkill = { name: "house-style", description: "When text is written.", from: "person" };
  expect(await read("/api/skills")).toEqual([ownSkill, ...own]);

  const id = await server.project();
  const headers = { "if-none-match": "*" };
  for (const [name, about] of [
    ["tides", "When tides are shown."],
    // The person's own of that name has precedence.
    ["house-style", "Something else."],
  ] as const)
    await server.api(`/api/projects/${id}/files/.agents/skills/${name}/SKILL.md`, {
      method: "PUT",
      json: { text: skill(name, about) },
      headers,
    });
  expect(await read(`/api/projects/${id}/skills`)).toEqual([
    ownSkill,
    ...own,
    { name: "tides", description: "When tides are shown.", from: "project" },
  ]);
  expect((await server.api("/api/projects/none/skills")).status).toBe(404);
});

it("reports what the machine supports", async () => {
  server = await startTestServer();
  const answer = await server.api("/api/machine");
  expect(await answer.json()).toMatchObject({
    version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
    node: process.versions.node,
    checks: expect.arrayContaining([
      expect.objectContaining({ name: "data folder", ok: true, detail: server.directory }),
      expect.objectContaining({ name: "browser", ok: false, mend: "apt-get install chromium" }),
    ]),
  });
});
