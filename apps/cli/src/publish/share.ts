import { connectLocal } from "@treadle/client/local";
import type { Share, ShareKind, Shares } from "@treadle/protocol";
import { askPassword } from "../terminal/ask-password.ts";
import { findProject } from "../folders/find-project.ts";
import { jsonLine } from "../terminal/json-line.ts";
import { plain } from "../terminal/plain.ts";

interface ShareCommand {
  project: string;
  shows: ShareKind;
  release?: number | undefined;
  /** Days until it expires; absent: never. */
  days?: number | undefined;
  password: boolean;
  costs: boolean;
  source: boolean;
  list: boolean;
  /** A link, or its id. */
  revoke?: string | undefined;
  json: boolean;
  data?: string | undefined;
}

const path = "/api/projects/{id}/shares" as const;

/** `treadle share PROJECT`: prints a link to a part of the project on stdout, and who can open it on stderr. */
export async function share(command: ShareCommand): Promise<number> {
  const treadle = connectLocal(command.data);
  const { id } = findProject(await treadle.projects(), command.project);
  const params = { path: { id } };
  const all = async () => (await treadle.api.GET(path, { params })).data as Shares;
  if (command.list) {
    const { shares } = await all();
    for (const one of shares) process.stdout.write(command.json ? jsonLine(one) : listed(one));
    return 0;
  }
  if (command.revoke !== undefined) {
    const asked = command.revoke;
    const found = (await all()).shares.find((one) => one.id === asked || one.link === asked);
    if (!found)
      throw new Error("The project has no such link; “treadle share --list” lists its links.");
    const at = { path: { id, share: found.id } };
    await treadle.api.DELETE("/api/projects/{id}/shares/{share}", { params: at });
    process.stderr.write("The link no longer works.\n");
    return 0;
  }
  const { shows, release, days, costs, source } = command;
  const password = command.password ? await askPassword("Password: ") : undefined;
  const { data } = await treadle.api.POST(path, {
    params,
    body: { kind: shows, release, days, password, costs, source },
  });
  const made = data as Share;
  process.stdout.write(command.json ? jsonLine(made) : `${made.link}\n`);
  if (command.json) return 0;
  const { domain } = await all();
  process.stderr.write(
    domain === undefined
      ? "It opens only in browsers on this machine. For people elsewhere, point a domain here (TREADLE_APPS_DOMAIN).\n"
      : `It opens for everybody who has it, once a web server in front of Treadle answers for ${domain}.\n`,
  );
  return 0;
}

const listed = ({ id, kind, release, until, uses, locked, link }: Share) =>
  plain(
    `${id}  ${release === undefined ? kind : `${kind} ${release}`}, ${until === undefined ? "does not end" : `until ${new Date(until).toISOString().slice(0, 16).replace("T", " ")}`}, opened ${uses} ${uses === 1 ? "time" : "times"}${locked ? ", with a password" : ""}\n  ${link}\n`,
  );
