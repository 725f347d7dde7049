import { ApiFailure } from "@treadle/common";
import { sentence } from "@treadle/protocol/sentences";
import type { AccountTables } from "@treadle/store";
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from "@simplewebauthn/server";
import type { Kysely } from "kysely";
import type { People, Person } from "../people/people.ts";
import { digestOf } from "../secret.ts";
import type { Asker } from "./credentials.ts";
import type { KnownBrowsers } from "./known-browsers.ts";
import { CHALLENGE_MS, type PasskeyChallenges } from "./passkey-challenges.ts";
import type { Throttle } from "./throttle.ts";

/** Maximum number of passkeys of one person. */
const MAX_PASSKEYS = 20;

/** The accepted signature algorithms (COSE): EdDSA, ES256 and RS256. Others would be experimental in Node. */
const ALGORITHMS = [-8, -7, -257];

/** The options that a browser needs, and a ticket that it sends back with the answer. */
export interface PasskeyRequest<Options> {
  options: Options;
  ticket: string;
}

/** What a browser answered. */
export interface PasskeyAnswer<Response> {
  response: Response;
  ticket: string;
  /** The origin of the page, which is the only one whose answers count. */
  origin: string;
}

/** Keys on people's devices, which sign them in without a name, a password or a code. */
export interface Passkeys {
  /** Begins to add a passkey. @param session the session to which the answer is bound */
  beginAdding(
    person: Person,
    session: string,
    origin: string,
  ): Promise<PasskeyRequest<PublicKeyCredentialCreationOptionsJSON>>;
  /**
   * Adds the passkey of a device's answer.
   * @throws ApiFailure 400 `passkey-expired`, `passkey-refused`; 409 `passkey-taken`, `limit-reached`
   */
  add(
    person: Person,
    session: string,
    answer: PasskeyAnswer<RegistrationResponseJSON> & { name: string },
  ): Promise<void>;
  /** Renames a passkey. @returns whether the person had it */
  rename(person: string, id: string, name: string): Promise<boolean>;
  beginSignIn(origin: string): Promise<PasskeyRequest<PublicKeyCredentialRequestOptionsJSON>>;
  /**
   * The id of the person whose passkey an answer claims to be, before it is verified; undefined for an unknown
   * passkey.
   */
  ownerOf(response: AuthenticationResponseJSON): Promise<string | undefined>;
  /**
   * The person who answered. Their device has verified them, so that no second factor is needed.
   * @throws ApiFailure 400 `passkey-expired`; 401 `passkey-refused`, `passkey-copied`; 429 `too-many-tries`
   */
  signIn(answer: PasskeyAnswer<AuthenticationResponseJSON>, asker: Asker): Promise<Person>;
}

/** The stored data of a passkey. None of it is secret. */
interface StoredPasskey {
  credential: string;
  publicKey: string;
  /** How often the passkey was used, as the device counts; always 0 for passkeys that are synchronized. */
  counter: number;
  transports: string[];
}

/** Loaded on demand: the library takes long to load, and few requests need it. */
const webauthn = () => import("@simplewebauthn/server");

const rowId = (credential: string) => digestOf(`passkey:${credential}`);
const handleOf = (person: string) => Buffer.from(person).toString("base64url");
const relyingParty = (origin: string) => new URL(origin).hostname;

export function createPasskeys(parts: {
  db: Kysely<AccountTables>;
  people: People;
  challenges: PasskeyChallenges;
  throttle: Throttle;
  browsers: KnownBrowsers;
  now: () => number;
}): Passkeys {
  const { db, people, challenges, throttle, browsers, now } = parts;
  const ofPerson = async (person: string) =>
    (
      await db
        .selectFrom("credentials")
        .select("value")
        .where("person", "=", person)
        .where("kind", "=", "passkey")
        .execute()
    ).map(({ value }) => JSON.parse(value) as StoredPasskey);
  const find = (credential: string) =>
    db
      .selectFrom("credentials")
      .selectAll()
      .where("id", "=", rowId(credential))
      .where("kind", "=", "passkey")
      .executeTakeFirst();

  async function verified(
    { response, origin }: PasskeyAnswer<AuthenticationResponseJSON>,
    challenge: string,
  ): Promise<string> {
    const row = await find(response.id);
    if (!row || response.response.userHandle !== handleOf(row.person)) throw refused(401);
    const stored = JSON.parse(row.value) as StoredPasskey;
    const { verifyAuthenticationResponse } = await webauthn();
    const { verified: isVerified, authenticationInfo } = await verifyAuthenticationResponse({
      response,
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: relyingParty(origin),
      credential: {
        id: stored.credential,
        publicKey: Uint8Array.from(Buffer.from(stored.publicKey, "base64url")),
        // Compared below, because a copied passkey is reported as such.
        counter: 0,
      },
      requireUserVerification: true,
    }).catch(() => {
      throw refused(401);
    });
    if (!isVerified) throw refused(401);
    const { newCounter } = authenticationInfo;
    const hasCounter = newCounter > 0 || stored.counter > 0;
    if (hasCounter && newCounter <= stored.counter)
      throw new ApiFailure(401, "passkey-copied", sentence("passkey-copied"));
    // Of two answers with the same count, only one can update the row.
    const { numUpdatedRows } = await db
      .updateTable("credentials")
      .set({ value: JSON.stringify({ ...stored, counter: newCounter }), used_at: now() })
      .where("id", "=", row.id)
      .where("value", "=", row.value)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) throw refused(401);
    return row.person;
  }

  return {
    async beginAdding(person, session, origin) {
      const { generateRegistrationOptions } = await webauthn();
      const { challenge, ticket } = challenges.issue(`add ${session}`);
      const options = await generateRegistrationOptions({
        rpName: "Treadle",
        rpID: relyingParty(origin),
        userName: person.email ?? person.name,
        userDisplayName: person.name,
        userID: Uint8Array.from(Buffer.from(person.id)),
        challenge: Uint8Array.from(Buffer.from(challenge, "base64url")),
        timeout: CHALLENGE_MS,
        attestationType: "none",
        excludeCredentials: (await ofPerson(person.id)).map(({ credential, transports }) => ({
          id: credential,
          transports,
        })),
        supportedAlgorithmIDs: ALGORITHMS,
        authenticatorSelection: { residentKey: "required", userVerification: "required" },
      });
      return { options, ticket };
    },
    async add(person, session, { response, ticket, origin, name }) {
      const challenge = await challenges.redeem(ticket, `add ${session}`);
      if ((await ofPerson(person.id)).length >= MAX_PASSKEYS)
        throw new ApiFailure(
          409,
          "limit-reached",
          sentence("limit-reached", { limit: MAX_PASSKEYS, what: "passkeys" }),
        );
      const { verifyRegistrationResponse } = await webauthn();
      await checkUnattested(response);
      const { verified: isVerified, registrationInfo } = await verifyRegistrationResponse({
        response,
        expectedChallenge: challenge,
        expectedOrigin: origin,
        expectedRPID: relyingParty(origin),
        requireUserVerification: true,
        supportedAlgorithmIDs: ALGORITHMS,
      }).catch(() => {
        throw refused(400);
      });
      if (!isVerified) throw refused(400);
      const { id, publicKey, counter, transports = [] } = registrationInfo.credential;
      const stored: StoredPasskey = {
        credential: id,
        publicKey: Buffer.from(publicKey).toString("base64url"),
        counter,
        transports,
      };
      const { numInsertedOrUpdatedRows } = await db
        .insertInto("credentials")
        .values({
          id: rowId(id),
          person: person.id,
          kind: "passkey",
          name,
          value: JSON.stringify(stored),
          created_at: now(),
          used_at: null,
        })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirst();
      if (numInsertedOrUpdatedRows === 0n)
        throw new ApiFailure(409, "passkey-taken", sentence("passkey-taken"));
    },
    async rename(person, id, name) {
      const query = db
        .updateTable("credentials")
        .set({ name })
        .where("person", "=", person)
        .where("id", "=", id)
        .where("kind", "=", "passkey");
      return (await query.executeTakeFirst()).numUpdatedRows > 0n;
    },
    async beginSignIn(origin) {
      const { generateAuthenticationOptions } = await webauthn();
      const { challenge, ticket } = challenges.issue("sign-in");
      const options = await generateAuthenticationOptions({
        rpID: relyingParty(origin),
        challenge: Uint8Array.from(Buffer.from(challenge, "base64url")),
        timeout: CHALLENGE_MS,
        userVerification: "required",
      });
      return { options, ticket };
    },
    async ownerOf({ id }) {
      return (await find(id))?.person;
    },
    async signIn(answer, { client, mark }) {
      const owner = (await find(answer.response.id))?.person;
      const hasSucceeded = throttle.begin(
        owner !== undefined && browsers.isKnown(mark, owner)
          ? { known: owner }
          : client === ""
            ? { machine: "" }
            : { client },
      );
      const challenge = await challenges.redeem(answer.ticket, "sign-in");
      const person = await people.get(await verified(answer, challenge));
      if (!person) throw refused(401);
      hasSucceeded();
      return person;
    },
  };
}

const refused = (status: 400 | 401) =>
  new ApiFailure(status, "passkey-refused", sentence("passkey-refused"));

/**
 * Refuses a new passkey with certificates. Browsers were asked to leave them out, and checking some would fetch
 * lists of revoked ones from addresses that the certificates name.
 * @throws ApiFailure 400 `passkey-refused`
 */
async function checkUnattested({ response }: RegistrationResponseJSON): Promise<void> {
  const { decodeAttestationObject } = await import("@simplewebauthn/server/helpers");
  let isUnattested = false;
  try {
    const attestation = decodeAttestationObject(
      Uint8Array.from(Buffer.from(response.attestationObject, "base64url")),
    );
    const format = attestation.get("fmt");
    isUnattested =
      format === "none" || (format === "packed" && !attestation.get("attStmt").get("x5c"));
  } catch {
    // Not CBOR.
  }
  if (!isUnattested) throw refused(400);
}
