import { sentence } from "@treadle/protocol/sentences";
import { escapeIdentifier, escapeLiteral, type Pool } from "pg";

/** How the comment of a role begins that says whose it is. An app cannot change that of its own role. */
const OF = "of the Treadle data folder ";

/** What is asked for belongs to another data folder; the sentence may be told to anybody. */
export class OthersDatabase extends Error {
  readonly sentence = sentence("others-database");
  constructor() {
    super(sentence("others-database").text);
  }
}

/** What makes a role one of this folder, after which it has to be there. */
export const claiming = (role: string, owner: string): string =>
  `COMMENT ON ROLE ${escapeIdentifier(role)} IS ${escapeLiteral(OF + owner)}`;

/** Those of these roles that another data folder has. */
export async function rolesOfOthers(
  admin: Pool,
  roles: readonly string[],
  owner: string,
): Promise<string[]> {
  const { rows } = await admin.query<{ rolname: string }>(
    "SELECT rolname FROM pg_roles WHERE rolname = ANY($1) AND starts_with(shobj_description(oid, 'pg_authid'), $2) AND shobj_description(oid, 'pg_authid') <> $2 || $3",
    [roles, OF, owner],
  );
  return rows.map(({ rolname }) => rolname);
}

/** Makes those of these roles this folder's that are nobody's: earlier versions said of none whose it is. */
export async function claimLeft(
  admin: Pool,
  roles: readonly string[],
  owner: string,
): Promise<void> {
  const { rows } = await admin.query<{ rolname: string }>(
    "SELECT rolname FROM pg_roles WHERE rolname = ANY($1) AND starts_with(shobj_description(oid, 'pg_authid'), $2) IS NOT TRUE",
    [roles, OF],
  );
  for (const { rolname } of rows) await admin.query(claiming(rolname, owner));
}

/** @throws OthersDatabase where one of these roles is another data folder's; of one that is nobody's, nothing is said */
export async function checkOwner(
  admin: Pool,
  roles: readonly string[],
  owner: string,
): Promise<void> {
  if ((await rolesOfOthers(admin, roles, owner)).length > 0) throw new OthersDatabase();
}
