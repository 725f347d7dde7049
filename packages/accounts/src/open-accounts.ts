import { currentPrincipal } from "./access/current.ts";
import type { Principal } from "./access/authorize.ts";
import type { GroupRule } from "@treadle/protocol";
import type { Store } from "@treadle/store";
import { createAccessLinks, type AccessLinks } from "./people/access-links.ts";
import { createApiTokens, type ApiTokens } from "./people/api-tokens.ts";
import { createAuditLog, type AuditLog } from "./people/audit.ts";
import { createLinks, type Links } from "./people/links.ts";
import { createMembers, type Members } from "./people/members.ts";
import { createPeople, type People, type Person } from "./people/people.ts";
import { createQuotas, type QuotaSettings } from "./people/quotas.ts";
import { createReviews, type Reviews } from "./reviews/reviews.ts";
import { createTeamPackages, type TeamPackages } from "./reviews/team-packages.ts";
import { createSessions, type Sessions } from "./people/sessions.ts";
import { createBudgets, type Budgets } from "./spending/budgets.ts";
import { createSpending, type Spending } from "./spending/spending.ts";
import { createExchanges } from "./people/exchanges.ts";
import { createIdentities, type Identities } from "./oidc/identities.ts";
import { createOidcSignIn, type OidcSignIn } from "./oidc/oidc-sign-in.ts";
import type { OidcSettings } from "./oidc/oidc-settings.ts";
import { createProvider } from "./oidc/provider.ts";
import { createCredentials, type Credentials } from "./sign-in/credentials.ts";
import { createKnownBrowsers, type KnownBrowsers } from "./sign-in/known-browsers.ts";
import { createDeviceFlow, type DeviceFlow } from "./sign-in/device-flow.ts";
import { createPasskeyChallenges } from "./sign-in/passkey-challenges.ts";
import { createPasskeys, type Passkeys } from "./sign-in/passkeys.ts";
import { createRecoveryCodes } from "./sign-in/recovery-codes.ts";
import { createThrottle } from "./sign-in/throttle.ts";

/** The setting with the rules that administrators make for groups. */
const RULES_KEY = "identity.rules";
/** The setting that says whether a password needs a second factor. */
const SECOND_FACTOR_KEY = "sign-in.second-factor";

/** The services for people and their sign-ins. Only servers with accounts load them. */
export interface Accounts {
  people: People;
  sessions: Sessions;
  tokens: ApiTokens;
  links: Links;
  members: Members;
  accessLinks: AccessLinks;
  credentials: Credentials;
  passkeys: Passkeys;
  /** Whether a sign-in with a password needs a second factor. */
  secondFactor: { isRequired(): Promise<boolean>; require(isRequired: boolean): Promise<void> };
  audit: AuditLog;
  browsers: KnownBrowsers;
  spending: Spending;
  budgets: Budgets;
  devices: DeviceFlow;
  quotas: QuotaSettings;
  reviews: Reviews;
  packages: TeamPackages;
  identities: Identities;
  /** Signing in at the identity provider; undefined if none is set. */
  oidc: OidcSignIn | undefined;
  /** The server's oldest owner who is not suspended; created if there is none, as at the first start. */
  owner(): Promise<Person>;
  /** The principal as it is now; undefined if its session, token or account has ended. */
  refresh(principal: Principal): Promise<Principal | undefined>;
  /** Calls the listener whenever somebody may have lost a session, a role or an account. */
  onChange(listener: () => void): () => void;
  /** Call after each such change. */
  changed(): void;
}

/**
 * Opens the accounts of a store.
 * @returns the accounts, and a store that checks the creator's quotas before it creates a project, and makes the
 * creator its owner
 */
export function openAccounts(
  store: Store,
  {
    now,
    oidc: settings,
    diskOf = async () => 0,
    onNotice = () => {},
  }: {
    now: () => number;
    oidc?: OidcSettings | undefined;
    /** What a project takes of the disk, in bytes. */
    diskOf?: (project: string) => Promise<number>;
    /** Reports problems with the identity provider to the operator. */
    onNotice?: (text: string) => void;
  },
): { accounts: Accounts; store: Store } {
  const db = store.accounts;
  const people = createPeople(db, now);
  const sessions = createSessions(db, now);
  const tokens = createApiTokens(db, now);
  const accessLinks = createAccessLinks(db, now);
  const members = createMembers(db, now, accessLinks);
  const spending = createSpending(db, now);
  const quotas = createQuotas(db, store, diskOf);
  const throttle = createThrottle();
  const browsers = createKnownBrowsers(() => store.signer);
  const listeners = new Set<() => void>();
  const audit = createAuditLog(db, now);
  const identities = createIdentities({ db, sealer: store.sealer, now });
  const changed = () => {
    for (const listener of listeners) listener();
  };
  const reviews = createReviews(db, { people, members, now });
  const exchanges = createExchanges({ db, sealer: store.sealer, now });
  const secondFactor: Accounts["secondFactor"] = {
    isRequired: async () => (await store.settings.get<boolean>(SECOND_FACTOR_KEY)) === true,
    require: (isRequired) => store.settings.set(SECOND_FACTOR_KEY, isRequired),
  };
  const oidc =
    settings &&
    createOidcSignIn({
      settings,
      provider: createProvider(settings),
      exchanges,
      people,
      members,
      sessions,
      identities,
      audit,
      readRules: async () => (await store.settings.get<GroupRule[]>(RULES_KEY)) ?? [],
      writeRules: (rules) => store.settings.set(RULES_KEY, rules),
      changed,
      onNotice,
      now,
    });
  const accounts: Accounts = {
    people,
    sessions,
    tokens,
    links: createLinks(db, now),
    members,
    accessLinks,
    credentials: createCredentials({
      db,
      people,
      sealer: store.sealer,
      throttle,
      browsers,
      recovery: createRecoveryCodes(db, now),
      needsSecondFactor: secondFactor.isRequired,
      now,
    }),
    passkeys: createPasskeys({
      db,
      people,
      challenges: createPasskeyChallenges({ signer: () => store.signer, exchanges, now }),
      throttle,
      browsers,
      now,
    }),
    secondFactor,
    audit,
    browsers,
    spending,
    budgets: createBudgets(db, spending, now),
    devices: createDeviceFlow({ exchanges, tokens, now }),
    quotas,
    reviews,
    packages: createTeamPackages(db, { reviews, now }),
    identities,
    oidc,
    async owner() {
      const owner = (await people.list()).find(
        ({ role, suspended }) => role === "owner" && suspended === undefined,
      );
      return owner ?? people.add({ name: "Owner", role: "owner" });
    },
    async refresh(principal) {
      const { via, credential = "" } = principal;
      if (via === "local") return principal;
      return via === "session" ? sessions.find(credential) : tokens.find(credential);
    },
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    changed,
  };
  const projects: Store["projects"] = Object.create(store.projects, {
    create: {
      value: async (project: Parameters<Store["projects"]["create"]>[0]) => {
        const creator = currentPrincipal();
        // Copies for comparisons and parallel requests do not count towards quotas, as they are removed in the end.
        if (creator && project.parallelOf === undefined && project.comparison === undefined)
          await quotas.checkProjects({ kind: "person", id: creator.person });
        await store.projects.create(project);
        // A copy for a parallel request has the members of its project.
        const inherited = project.parallelOf === undefined ? [] : await members.list(project.parallelOf); // prettier-ignore
        for (const member of inherited) await members.set(project.id, member);
        if (creator && inherited.length === 0)
          await members.set(project.id, { kind: "person", id: creator.person, role: "owner" });
      },
    },
  }) as Store["projects"];
  return { accounts, store: { ...store, projects } };
}
