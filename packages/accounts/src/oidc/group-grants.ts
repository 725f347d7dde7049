import {
  PROJECT_ROLES,
  SERVER_ROLES,
  type ProjectRole,
  type ServerRole,
} from "@treadle/protocol/accounts";
import type { GroupRule } from "@treadle/protocol";

/** The role and teams that a person's groups grant. */
export interface Grants {
  /** The highest of the mapped roles; undefined if no group is mapped to one. */
  role: ServerRole | undefined;
  /** The highest role in each team. */
  teams: { id: string; role: ProjectRole }[];
  /** The groups for which there is a rule. */
  matched: string[];
}

/**
 * The role and teams that rules grant to a member of these groups. Only rules grant something, whatever a group is
 * called, and names are compared exactly.
 */
export function grantsOf(groups: readonly string[], rules: readonly GroupRule[]): Grants {
  const matching = rules.filter(({ group }) => groups.includes(group));
  const teams = new Map<string, ProjectRole>();
  for (const { team } of matching) {
    if (!team) continue;
    const other = teams.get(team.id);
    const isHigher = other === undefined || PROJECT_ROLES.indexOf(team.role) < PROJECT_ROLES.indexOf(other); // prettier-ignore
    if (isHigher) teams.set(team.id, team.role);
  }
  return {
    role: SERVER_ROLES.find((role) => matching.some((rule) => rule.role === role)),
    teams: [...teams].map(([id, role]) => ({ id, role })),
    matched: [...new Set(matching.map(({ group }) => group))],
  };
}
