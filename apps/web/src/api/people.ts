import type {
  AuditEntry,
  AuditFilter,
  AuditForwarding,
  AuditTargets,
  Invitation,
  Person,
  ProjectMember,
  ProjectRole,
  ServerRole,
  Team,
} from "@treadle/protocol";
import { getJson, queryText, sendJson } from "./request.ts";

const segment = encodeURIComponent;

export const PEOPLE_KEY = ["people"] as const;
export const TEAMS_KEY = ["teams"] as const;
export const INVITATIONS_KEY = ["invitations"] as const;

export const readPeople = (signal?: AbortSignal) =>
  getJson<{ people: Person[] }>("/api/people", signal);
export const changeRole = (person: string, role: ServerRole) =>
  sendJson("PATCH", `/api/people/${segment(person)}`, { role });
/** Removes a person from the server. @param heir the person who gets their projects */
export const removePerson = (person: string, heir: string) =>
  sendJson("DELETE", `/api/people/${segment(person)}?heir=${segment(heir)}`);
export const endSessionsOf = (person: string) =>
  sendJson("DELETE", `/api/people/${segment(person)}/sessions`);
/** Removes a person's passkeys, authenticator app and recovery codes, and ends their sessions. Their password stays. */
export const resetSignIns = (person: string) =>
  sendJson("DELETE", `/api/people/${segment(person)}/sign-ins`);
/** Suspends a person, which ends their sessions and API tokens, or lets them sign in again. */
export const suspend = (person: string, suspended: boolean) =>
  sendJson("PUT", `/api/people/${segment(person)}/suspension`, { suspended });
/** Creates a link that signs the person in once. */
export const createSignInLink = (person: string) =>
  sendJson<{ link: string }>("POST", `/api/people/${segment(person)}/link`, {});

export const readInvitations = (signal?: AbortSignal) =>
  getJson<{ invitations: Invitation[] }>("/api/invitations", signal);
export const invite = (terms: { role: ServerRole; email?: string | undefined }) =>
  sendJson<{ id: string; link: string }>("POST", "/api/invitations", terms);
export const withdrawInvitation = (id: string) =>
  sendJson("DELETE", `/api/invitations/${segment(id)}`);

export const readTeams = (signal?: AbortSignal) => getJson<{ teams: Team[] }>("/api/teams", signal);
export const createTeam = (name: string) =>
  sendJson<{ id: string }>("POST", "/api/teams", { name });
export const removeTeam = (team: string) => sendJson("DELETE", `/api/teams/${segment(team)}`);
export const setTeamMember = (team: string, person: string, role: ProjectRole) =>
  sendJson("PUT", `/api/teams/${segment(team)}/members/${segment(person)}`, { role });
export const removeTeamMember = (team: string, person: string) =>
  sendJson("DELETE", `/api/teams/${segment(team)}/members/${segment(person)}`);

export const membersKey = (project: string) => ["members", project] as const;
const memberPath = (project: string, { kind, id }: Pick<ProjectMember, "kind" | "id">) =>
  `/api/projects/${segment(project)}/members/${kind}/${segment(id)}`;
export const readMembers = (project: string, signal?: AbortSignal) =>
  getJson<{ members: ProjectMember[] }>(`/api/projects/${segment(project)}/members`, signal);
export const setMember = (project: string, { role, ...who }: ProjectMember) =>
  sendJson("PUT", memberPath(project, who), { role });
export const removeMember = (project: string, who: Pick<ProjectMember, "kind" | "id">) =>
  sendJson("DELETE", memberPath(project, who));

export const readAudit = (
  filter: AuditFilter & { before?: string | undefined; limit: number },
  signal?: AbortSignal,
) => getJson<{ entries: AuditEntry[] }>(`/api/audit?${queryText(filter)}`, signal);
export const FORWARDING_KEY = ["audit-forwarding"] as const;
export const readForwarding = (signal?: AbortSignal) =>
  getJson<AuditForwarding>("/api/audit/forwarding", signal);
/** Sets where audit entries are sent. @param targets.secret absent: unchanged */
export const setForwarding = (targets: AuditTargets & { secret?: string | undefined }) =>
  sendJson("PUT", "/api/audit/forwarding", targets);
/** The address for downloading the audit entries as JSON Lines. */
export const auditExport = (filter: AuditFilter) => `/api/audit/export?${queryText(filter)}`;
