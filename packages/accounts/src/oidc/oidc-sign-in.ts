import { ApiFailure } from "@treadle/common";
import type { GroupRule, IdentityProvider } from "@treadle/protocol";
import { sentence } from "@treadle/protocol/sentences";
import type { Exchanges } from "../people/exchanges.ts";
import type { People, Person } from "../people/people.ts";
import type { Sessions } from "../people/sessions.ts";
import { admit, type AdmissionParts } from "./admit.ts";
import type { Identity } from "./identities.ts";
import type { OidcSettings } from "./oidc-settings.ts";
import type { AuthorizationFlow, Provider, ProviderAnswer } from "./provider.ts";

/** How long somebody may take to sign in at the provider, in milliseconds. */
const FLOW_MS = 10 * 60_000;
/** How often the provider is asked about people who are signed in, in milliseconds. */
const REFRESH_MS = 10 * 60_000;
/** How long a session lasts while the provider cannot be asked, in milliseconds. */
const UNREACHABLE_MS = 60 * 60_000;
/** How long a session lasts if the provider gives no refresh token, in milliseconds. */
const WITHOUT_REFRESH_MS = 12 * 60 * 60_000;

/** Signs people in at the identity provider, and asks it about them again while they are signed in. */
export interface OidcSignIn {
  /** The provider's name, for the button. */
  readonly name: string;
  describe(): Promise<IdentityProvider>;
  setRules(rules: readonly GroupRule[]): Promise<void>;
  /**
   * Begins a sign-in.
   * @param flow.person id of the person whose account is connected to the one at the provider; undefined: signs in
   * @param flow.to the path at which the browser arrives in the end
   * @returns the provider's address, and a secret for the browser's cookie
   * @throws ApiFailure 502 `oidc-unreachable`
   */
  begin(
    redirectUri: string,
    flow: { person?: string; to: string },
  ): Promise<{ address: string; secret: string }>;
  /**
   * Completes a sign-in. Resolves with the person, and with the account at the provider and the end of the session
   * to open.
   * @param parameters the query with which the browser came back
   * @throws ApiFailure 400 `oidc-expired`, `oidc-refused`, `oidc-failed`; 403 `not-admitted`; 409 `identity-taken`,
   * `email-taken`
   */
  finish(
    parameters: URLSearchParams,
    secret: string,
  ): Promise<{
    person: Person;
    session: { identity: string; endsAt: number | undefined };
    to: string;
  }>;
  /**
   * Asks the provider again about people who are signed in and are due. Ends the sessions of those whom it refuses.
   */
  followDue(): Promise<void>;
}

interface Flow extends AuthorizationFlow {
  person?: string | undefined;
  to: string;
}

export function createOidcSignIn(
  parts: AdmissionParts & {
    settings: OidcSettings;
    provider: Provider;
    exchanges: Exchanges;
    people: People;
    sessions: Sessions;
    readRules(): Promise<GroupRule[]>;
    writeRules(rules: readonly GroupRule[]): Promise<void>;
    changed(): void;
    onNotice(text: string): void;
    now: () => number;
  },
): OidcSignIn {
  const { settings, provider, exchanges, people, sessions, identities, now, onNotice } = parts;
  const fixed = [...settings.groupRoles].map(([group, role]) => ({ group, role }));
  const allRules = async () => [...fixed, ...(await parts.readRules())];

  const failure = (
    status: 400 | 502,
    code: "oidc-expired" | "oidc-refused" | "oidc-failed" | "oidc-unreachable",
  ) =>
    // prettier-ignore
    new ApiFailure(status, code, sentence(code, { provider: settings.name }));
  const report = (problem: string, error: unknown) =>
    onNotice(`${settings.issuer.href}: ${problem}: ${describeError(error)}`);

  async function redeem(parameters: URLSearchParams, flow: Flow): Promise<ProviderAnswer> {
    try {
      return await provider.redeem(parameters, flow);
    } catch (error) {
      report("A sign-in failed", error);
      // Only an answer with this sign-in's state is believed to be the provider's.
      const isRefused = parameters.has("error") && parameters.get("state") === flow.state;
      throw failure(400, isRefused ? "oidc-refused" : "oidc-failed");
    }
  }

  /**
   * Ends the sessions of an identity for which the provider no longer vouches, or about which it has not answered
   * for too long.
   */
  async function withdraw(identity: Identity, code: "refused" | "unreachable"): Promise<void> {
    const { report: last, person, baseRole } = identity;
    await sessions.endWithIdentity(identity.id);
    // A person whom only the provider let in must not sign in another way either.
    if (person !== undefined && baseRole === undefined)
      await people.suspend(person, "groups").catch(ignoreLastOwner);
    await identities.recordOutcome(identity.id, { ...last.outcome, code, at: now() });
    parts.changed();
  }

  async function follow({ identity, refreshToken }: { identity: Identity; refreshToken: string }) {
    let answer: ProviderAnswer | "refused";
    try {
      answer = await provider.refresh(refreshToken, identity.subject);
    } catch (error) {
      report("A refresh failed", error);
      if (now() - identity.confirmedAt > UNREACHABLE_MS) await withdraw(identity, "unreachable");
      return;
    }
    if (answer === "refused" || answer.issuer !== identity.issuer)
      return withdraw(identity, "refused");
    const admission = await admit(parts, answer, { rules: await allRules(), from: "refresh", settings }); // prettier-ignore
    if (admission.failure) await sessions.endWithIdentity(identity.id);
    parts.changed();
  }

  return {
    name: settings.name,
    async describe() {
      return {
        issuer: settings.issuer.href,
        name: settings.name,
        groupsClaim: settings.groupsClaim,
        linksByEmail: settings.linksByEmail,
        domains: [...settings.domains],
        fixed,
        rules: await parts.readRules(),
      };
    },
    setRules: parts.writeRules,
    async begin(redirectUri, { person, to }) {
      const begun = await provider.begin(redirectUri).catch((error: unknown) => {
        report("A sign-in could not begin", error);
        throw failure(502, "oidc-unreachable");
      });
      const flow: Flow = { ...begun.flow, person, to };
      return { address: begun.address, secret: await exchanges.begin("oidc", flow, FLOW_MS) };
    },
    async finish(parameters, secret) {
      const flow = await exchanges.take<Flow>("oidc", secret);
      if (!flow) throw new ApiFailure(400, "oidc-expired", sentence("oidc-expired"));
      const answer = await redeem(parameters, flow);
      const admission = await admit(parts, answer, {
        rules: await allRules(),
        from: "sign-in",
        settings,
        connecting: flow.person,
      });
      parts.changed();
      if (admission.failure) throw admission.failure;
      const { person, identity } = admission;
      const endsAt = answer.refreshToken === undefined ? now() + WITHOUT_REFRESH_MS : undefined;
      return { person, session: { identity: identity.id, endsAt }, to: flow.to };
    },
    async followDue() {
      for (const due of await identities.takeDue(now() - REFRESH_MS)) await follow(due);
    },
  };
}

const ignoreLastOwner = (error: unknown): void => {
  if (!(error instanceof ApiFailure && error.code === "last-owner")) throw error;
};

/** The error's message with its cause, since the library's own messages are general. */
function describeError(error: unknown): string {
  const { message, cause, error: code } = error as { message?: string; cause?: unknown; error?: unknown }; // prettier-ignore
  const because = cause instanceof Error ? cause.message : undefined;
  return [message ?? String(error), code, because].filter((part) => typeof part === "string").join(": "); // prettier-ignore
}
