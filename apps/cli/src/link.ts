import { askServer } from "./doors/ask-server.ts";

/** `treadle link`: prints an address by which the server's owner signs in once, within an hour. */
export async function link(command: { data?: string | undefined }): Promise<number> {
  const me = (await (await askServer(command.data, "/api/me")).json()) as { id: string };
  const path = `/api/people/${me.id}/link`;
  const made = await askServer(command.data, path, { method: "POST" });
  process.stdout.write(`${((await made.json()) as { link: string }).link}\n`);
  return 0;
}
