import { readFileSync } from "node:fs";
import { join } from "node:path";
import { readTemplate } from "../../packages/workspace/src/templates/templates.ts";
import type { Stage } from "./stage.ts";
import { root } from "./treadle.ts";

/**
 * Opens a project whose page is made with React, as the script `preview` writes it, with its dev server up. No model has
 * made it and no verdict was sought: for tests of what is around a running app, which need neither.
 */
export async function openReactPage({ treadle, page, person }: Stage): Promise<void> {
  const made = await treadle.api("/api/projects", { method: "POST", body: "{}" });
  const { id } = (await made.json()) as { id: string };
  const app = readFileSync(join(root, "e2e/scripts/files/App.tsx"), "utf8");
  for (const { path, content } of readTemplate("react"))
    await treadle.api(`/api/projects/${id}/files/${path}`, {
      method: "PUT",
      headers: { "if-none-match": "*" },
      body: JSON.stringify({ text: path === "src/App.tsx" ? app : content }),
    });
  await treadle.api(`/api/projects/${id}/server`, {
    method: "POST",
    body: JSON.stringify({ action: "start" }),
  });
  await person.signIn();
  await page.goto(`${treadle.origin}/p/${id}`);
  await person.preview().getByRole("heading", { name: "Words" }).waitFor();
}
