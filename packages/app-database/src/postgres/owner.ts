import { sentence } from "@treadle/protocol/sentences";
import { escapeIdentifier, escapeLiteral, type Pool } from "pg";

/** Prefix of a role's comment that names its owner. An app cannot change it for its own role. */
const OF = "of the Treadle data folder ";

/** The database belongs to another data folder; the message contains nothing private. */
export class OthersDatabase extends Error {
  readonly sentence = sentence("others-database");
  constructor() {
    super(sentence("others-database").text);
  }
}

/** SQL that makes a data folder the owner of an existing role. */
export const claiming = (role: string, owner: string): string =>
  `COMMENT ON ROLE ${escapeIdentifier(role)} IS ${escapeLiteral(OF + owner)}`;

/** Those of these roles that belong to another data folder. */
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

/** Claims those of these roles that have no owner: earlier versions recorded none. */
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

/**
 * @throws OthersDatabase if one of these roles belongs to another data folder; roles without an
 * owner are accepted
 */
export async function checkOwner(
  admin: Pool,
  roles: readonly string[],
  owner: string,
): Promise<void> {
  if ((await rolesOfOthers(admin, roles, owner)).length > 0) throw new OthersDatabase();
}
