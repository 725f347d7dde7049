import { ApiFailure } from "@treadle/common";
import type { GroupRule, IdentityOutcome } from "@treadle/protocol";
import { sentence } from "@treadle/protocol/sentences";
import type { ServerRole } from "@treadle/protocol/accounts";
import type { AuditLog } from "../people/audit.ts";
import type { Members } from "../people/members.ts";
import type { People, Person } from "../people/people.ts";
import { grantsOf, type Grants } from "./group-grants.ts";
import type { Identities, Identity } from "./identities.ts";
import type { OidcSettings } from "./oidc-settings.ts";
import type { ProviderAnswer } from "./provider.ts";

export interface AdmissionParts {
  people: People;
  members: Members;
  identities: Identities;
  audit: AuditLog;
  now: () => number;
}

/** The person who was let in, or why nobody was; an account that was already connected is suspended then. */
export type Admission =
  | { person: Person; identity: Identity; failure?: undefined }
  | { identity: Identity; failure: ApiFailure };

interface Context {
  rules: readonly GroupRule[];
  from: "sign-in" | "refresh";
  settings: OidcSettings;
  /** Id of the person who connects their account to the one at the provider; undefined for a plain sign-in. */
  connecting?: string | undefined;
}

/** A person before the provider's answer is applied. */
interface Before {
  person: Person;
  /** The role that the person has without groups; undefined if only the provider let them in. */
  baseRole: ServerRole | undefined;
  grantedRole: ServerRole | undefined;
  isNew: boolean;
}

/**
 * Applies the provider's answer about a person: finds or creates the account, and gives it the role and teams of
 * the person's groups.
 * @throws ApiFailure 409 `identity-taken`
 */
export async function admit(
  parts: AdmissionParts,
  answer: ProviderAnswer,
  context: Context,
): Promise<Admission> {
  const grants = grantsOf(answer.groups ?? [], context.rules);
  const before = await findAccount(parts, answer, grants, context);
  if (before === "not-admitted" || before === "email-taken") {
    const outcome = { code: before, teams: [], matched: grants.matched, at: parts.now() };
    const identity = await record(parts, answer, context, { outcome });
    return { identity, failure: failureOf(before, answer) };
  }
  return apply(parts, answer, context, { grants, before });
}

/** Finds the account for an answer, or creates it. @throws ApiFailure 409 `identity-taken` */
async function findAccount(
  { people, identities }: AdmissionParts,
  answer: ProviderAnswer,
  grants: Grants,
  { settings, connecting }: Context,
): Promise<Before | "not-admitted" | "email-taken"> {
  const known = await identities.find(answer.issuer, answer.subject);
  const knownPerson = known?.person === undefined ? undefined : await people.get(known.person);
  if (connecting !== undefined && knownPerson?.id !== connecting) {
    const person = await people.get(connecting);
    const others = await identities.list(connecting);
    if (knownPerson || !person || others.length > 0)
      throw new ApiFailure(409, "identity-taken", sentence("identity-taken"));
    return { person, baseRole: person.role, grantedRole: undefined, isNew: false };
  }
  if (known && knownPerson) {
    // Until groups give a role, an administrator may change the person's own.
    const isOwnRole = known.baseRole !== undefined && known.grantedRole === undefined;
    const baseRole = isOwnRole ? knownPerson.role : known.baseRole;
    return { person: knownPerson, baseRole, grantedRole: known.grantedRole, isNew: false };
  }
  const email = answer.isEmailVerified ? answer.email : undefined;
  const same = email === undefined ? undefined : await people.byEmail(email);
  if (same) {
    // The address may have belonged to somebody else before, so it does not open a connected account.
    const isConnected = (await identities.list(same.id)).length > 0;
    if (!settings.linksByEmail || isConnected) return "email-taken";
    return { person: same, baseRole: same.role, grantedRole: undefined, isNew: false };
  }
  const role = grants.role ?? (isOfDomain(answer, settings) ? "member" : undefined);
  if (role === undefined) return "not-admitted";
  const name = answer.name ?? email?.split("@")[0] ?? answer.subject.slice(0, 100);
  const person = await people.add({ name: name.slice(0, 100), email, role });
  return { person, baseRole: undefined, grantedRole: undefined, isNew: true };
}

async function apply(
  parts: AdmissionParts,
  answer: ProviderAnswer,
  context: Context,
  { grants, before }: { grants: Grants; before: Before },
): Promise<Admission> {
  const { people, members } = parts;
  const { person, baseRole, grantedRole, isNew } = before;
  const ownRole = grantedRole === undefined ? person.role : (baseRole ?? "member");
  const hasOwnRole = baseRole !== undefined || isOfDomain(answer, context.settings);
  const role = grants.role ?? (hasOwnRole ? ownRole : undefined);
  let code: IdentityOutcome["code"] = grants.role ? "role-from-groups" : isNew ? "signed-up" : "own-role"; // prettier-ignore
  try {
    if (role === undefined) {
      code = "not-admitted";
      await people.suspend(person.id, "groups");
    } else if (role !== person.role) await people.update(person.id, { role });
  } catch (error) {
    if (!(error instanceof ApiFailure && error.code === "last-owner")) throw error;
    code = "last-owner";
  }
  if (code !== "not-admitted" && person.suspended === "groups") await people.restore(person.id);
  const teams = await members.setTeamsOfGroups(person.id, grants.teams);
  const after = (await people.get(person.id))!;
  const outcome = { code, role: after.role, teams, matched: grants.matched, at: parts.now() };
  // The role that groups gave before is stored, so that it does not pass for the person's own.
  const granted = code === "role-from-groups" ? grants.role : code === "own-role" ? undefined : grantedRole; // prettier-ignore
  const identity = await record(parts, answer, context, {
    outcome,
    person: person.id,
    baseRole,
    grantedRole: granted,
  });
  if (isNew || after.role !== person.role || after.suspended !== person.suspended)
    await parts.audit.append({
      person: person.id,
      name: person.name,
      via: "session",
      action: "sign-in.groups",
      what: context.from,
      values: { code, role: after.role },
    });
  if (code === "not-admitted") return { identity, failure: failureOf(code, answer) };
  return { person: after, identity };
}

const record = (
  { identities, now }: AdmissionParts,
  answer: ProviderAnswer,
  { from, settings }: Context,
  known: Partial<Pick<Identity, "person" | "baseRole" | "grantedRole">> & {
    outcome: IdentityOutcome;
  },
): Promise<Identity> => {
  const { issuer, subject, name, email, isEmailVerified, claims, groups, refreshToken } = answer;
  const { outcome, person, baseRole, grantedRole } = known;
  const { groupsClaim } = settings;
  const report = { at: now(), from, name, email, isEmailVerified, claims, groupsClaim, groups, outcome }; // prettier-ignore
  // Without a person there is no session that a refresh could concern.
  const token = person === undefined ? undefined : refreshToken;
  return identities.save({ issuer, subject, person, baseRole, grantedRole, report }, token);
};

const failureOf = (code: "not-admitted" | "email-taken", { email = "" }: ProviderAnswer) =>
  code === "not-admitted"
    ? new ApiFailure(403, code, sentence(code))
    : new ApiFailure(409, code, sentence(code, { email }));

/** Whether the provider has verified an address of a domain whose people get an account. */
function isOfDomain({ email, isEmailVerified }: ProviderAnswer, { domains }: OidcSettings) {
  const domain = email?.slice(email.lastIndexOf("@") + 1).toLowerCase();
  return isEmailVerified && domain !== undefined && domains.has(domain);
}
