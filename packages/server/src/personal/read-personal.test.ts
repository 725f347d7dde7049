import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { readPersonal } from "./read-personal.ts";

const folder = mkdtempSync(join(tmpdir(), "treadle-personal-"));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it("personal files may be missing, and apply as soon as they exist", async () => {
  expect(await readPersonal(join(folder, "absent"))).toEqual({ rules: [], skills: [] });
  mkdirSync(join(folder, "rules"), { recursive: true });
  mkdirSync(join(folder, "skills/mail"), { recursive: true });
  mkdirSync(join(folder, "skills/empty"));
  writeFileSync(join(folder, "rules.md"), "Use tabs.\n");
  writeFileSync(join(folder, "rules/words.md"), "Say du.");
  writeFileSync(join(folder, "rules/other.txt"), "no rule");
  writeFileSync(join(folder, "skills/mail/SKILL.md"), "---\ndescription: mails\n---\nPlain text.");
  expect(await readPersonal(folder)).toEqual({
    rules: [
      { path: "rules.md", text: "Use tabs." },
      { path: "rules/words.md", text: "Say du." },
    ],
    skills: [{ name: "mail", description: "mails", body: "Plain text." }],
  });
});
