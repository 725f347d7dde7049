import { holdsSecrets } from "@treadle/protocol/project-path";
import type { Context } from "hono";
import { permit } from "../../access/requires.ts";

/**
 * Refuses a file that holds secrets to people who may not read it, such as guests by a link.
 * @throws ApiFailure 403
 */
export async function permitFile(c: Context, project: string, path: string): Promise<void> {
  if (holdsSecrets(path)) await permit(c, "project.secrets", { project });
}

/** The entries that the requester may see: without files that hold secrets, unless they may read those. */
export async function readableBy<Entry extends { path: string }>(
  c: Context,
  entries: Entry[],
): Promise<Entry[]> {
  if (!entries.some(({ path }) => holdsSecrets(path))) return entries;
  const project = c.req.param("id") ?? "";
  const { decide } = c.get("authority");
  const decision = await decide(c.get("principal"), "project.secrets", { project });
  return decision === "allowed" ? entries : entries.filter(({ path }) => !holdsSecrets(path));
}
