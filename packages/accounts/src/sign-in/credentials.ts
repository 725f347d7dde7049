import { ApiFailure } from "@treadle/common";
import { sentence } from "@treadle/protocol/sentences";
import type { AccountTables, Sealer } from "@treadle/store";
import type { Kysely } from "kysely";
import type { People, Person } from "../people/people.ts";
import { newId } from "../secret.ts";
import type { KnownBrowsers } from "./known-browsers.ts";
import { newCodeSecret, periodOfCode } from "./one-time-code.ts";
import { codesLeft, type RecoveryCodes } from "./recovery-codes.ts";
import { hashPassword, isPassword, PASSWORD_CHARS } from "./password.ts";
import type { Throttle } from "./throttle.ts";

/** A credential with which a person signs in, without its secret. */
export interface CredentialInfo {
  id: string;
  kind: AccountTables["credentials"]["kind"];
  name: string;
  createdAt: number;
  usedAt?: number;
  /** Recovery codes that were not used yet. */
  left?: number;
}

/** Where an attempt to sign in comes from. */
export interface Asker {
  /** The address, as `clientOf` groups addresses; empty for programs on this machine. */
  client: string;
  /** The mark of a browser that signed in before. */
  mark?: string | undefined;
}

/** Passwords and one-time codes, and the list of all that a person signs in with. */
export interface Credentials {
  list(person: string): Promise<CredentialInfo[]>;
  /** Checks the length of a new password. @throws ApiFailure 400 `password-length` */
  checkPassword(password: string): void;
  /**
   * Checks the password of somebody who is signed in.
   * @throws ApiFailure 401 `wrong-password`; 429 `too-many-tries`
   */
  confirmPassword(person: string, password: string): Promise<void>;
  /** Sets or replaces a person's password. @throws ApiFailure 400 `password-length` */
  setPassword(person: string, password: string): Promise<void>;
  /**
   * The person with this email address and password and, if they use an authenticator app, this code or recovery
   * code.
   * @throws ApiFailure 401 `wrong-password`, `code-needed`, `wrong-code`; 403 `second-factor-missing`; 429
   * `too-many-tries`
   */
  signIn(email: string, password: string, code: string | undefined, asker: Asker): Promise<Person>;
  /** Begins the set-up of an authenticator app, which `confirmCode` ends. */
  beginCode(person: Person): Promise<{ secret: string; address: string }>;
  /**
   * Completes the set-up of an authenticator app, which replaces the one before.
   * @returns recovery codes, which are not readable afterwards
   * @throws ApiFailure 401 `wrong-code`
   */
  confirmCode(person: string, code: string): Promise<string[]>;
  /**
   * Replaces a person's recovery codes by new ones, which are not readable afterwards.
   * @throws ApiFailure 409 `code-missing` if they use no authenticator app
   */
  renewRecovery(person: string): Promise<string[]>;
  /**
   * Removes a credential; without an authenticator app, recovery codes are removed as well.
   * @returns whether there was one
   */
  remove(person: string, id: string): Promise<boolean>;
  /** Removes passkeys, the authenticator app and recovery codes. The password stays. */
  reset(person: string): Promise<void>;
}

/** An authenticator app's secret; `after` is the period of the last code that was used. */
interface StoredCode {
  secret: string;
  after: number;
}

export function createCredentials(parts: {
  db: Kysely<AccountTables>;
  people: People;
  sealer(): Sealer;
  throttle: Throttle;
  browsers: KnownBrowsers;
  recovery: RecoveryCodes;
  /** Whether a sign-in with a password needs a second factor. */
  needsSecondFactor(): Promise<boolean>;
  now: () => number;
}): Credentials {
  const { db, people, sealer, throttle, browsers, recovery, now } = parts;
  /** Secrets of authenticator apps whose set-up was not confirmed yet, by person. */
  const begun = new Map<string, string>();

  const find = (person: string, kind: AccountTables["credentials"]["kind"]) =>
    db
      .selectFrom("credentials")
      .selectAll()
      .where("person", "=", person)
      .where("kind", "=", kind)
      .executeTakeFirst();

  const place = (person: string) => `totp:${person}`;
  const sealed = (person: string, code: StoredCode) =>
    sealer().seal(JSON.stringify(code), place(person));

  async function replace(person: string, kind: "password" | "totp", value: string): Promise<void> {
    const row = { id: newId(), person, kind, name: kind, value, created_at: now(), used_at: null };
    await db.transaction().execute(async (transaction) => {
      await transaction
        .deleteFrom("credentials")
        .where("person", "=", person)
        .where("kind", "=", kind)
        .execute();
      await transaction.insertInto("credentials").values(row).execute();
    });
  }

  async function checkCode(person: string, code: string | undefined): Promise<void> {
    const row = await find(person, "totp");
    if (!row && (await parts.needsSecondFactor()))
      throw new ApiFailure(403, "second-factor-missing", sentence("second-factor-missing"));
    if (!row) return;
    if (code === undefined) throw new ApiFailure(401, "code-needed", sentence("code-needed"));
    if (await recovery.take(person, code)) return;
    const opened = sealer().open(row.value, place(person));
    const stored = opened === undefined ? undefined : (JSON.parse(opened) as StoredCode);
    const period = stored && periodOfCode(code, stored.secret, { now: now(), after: stored.after });
    if (!stored || period === undefined)
      throw new ApiFailure(401, "wrong-code", sentence("wrong-code"));
    // Of two requests with the same code, only one can update the row.
    const { numUpdatedRows } = await db
      .updateTable("credentials")
      .set({ value: sealed(person, { ...stored, after: period }), used_at: now() })
      .where("id", "=", row.id)
      .where("value", "=", row.value)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) throw new ApiFailure(401, "wrong-code", sentence("wrong-code"));
  }

  function checkPassword(password: string): void {
    const { length } = [...password];
    if (length < PASSWORD_CHARS.least || length > PASSWORD_CHARS.most)
      throw new ApiFailure(400, "password-length", sentence("password-length", PASSWORD_CHARS));
  }

  return {
    checkPassword,
    async list(person) {
      const query = db.selectFrom("credentials").selectAll().where("person", "=", person);
      return (await query.orderBy("created_at").execute()).map((row) => ({
        id: row.id,
        kind: row.kind,
        name: row.name,
        createdAt: row.created_at,
        ...(row.used_at === null ? {} : { usedAt: row.used_at }),
        ...(row.kind === "recovery" ? { left: codesLeft(row.value) } : {}),
      }));
    },
    async confirmPassword(person, password) {
      const hasSucceeded = throttle.begin({ known: person });
      const stored = await find(person, "password");
      if (!(await isPassword(password, stored?.value)))
        throw new ApiFailure(401, "wrong-password", sentence("wrong-password"));
      hasSucceeded();
    },
    async setPassword(person, password) {
      checkPassword(password);
      await replace(person, "password", await hashPassword(password));
    },
    async signIn(email, password, code, { client, mark }) {
      const person = await people.byEmail(email);
      const hasSucceeded = throttle.begin(
        person && browsers.isKnown(mark, person.id)
          ? { known: person.id }
          : {
              account: email.trim().toLowerCase(),
              ...(client === "" ? { machine: "" } : { client }),
            },
      );
      const stored = person && (await find(person.id, "password"));
      if (!(await isPassword(password, stored?.value)) || !person)
        throw new ApiFailure(401, "wrong-password", sentence("wrong-password"));
      await checkCode(person.id, code).catch((error: unknown) => {
        // The password was right and no code was guessed, so this does not count as a failed attempt.
        if (error instanceof ApiFailure && error.code !== "wrong-code") hasSucceeded();
        throw error;
      });
      hasSucceeded();
      return person;
    },
    async beginCode(person) {
      const made = newCodeSecret(person.email ?? person.name);
      begun.set(person.id, made.secret);
      return made;
    },
    async confirmCode(person, code) {
      const secret = begun.get(person);
      const period =
        secret === undefined ? undefined : periodOfCode(code, secret, { now: now(), after: 0 });
      if (secret === undefined || period === undefined)
        throw new ApiFailure(401, "wrong-code", sentence("wrong-code"));
      begun.delete(person);
      await replace(person, "totp", sealed(person, { secret, after: period }));
      return recovery.create(person);
    },
    async renewRecovery(person) {
      if (!(await find(person, "totp")))
        throw new ApiFailure(409, "code-missing", sentence("code-missing"));
      return recovery.create(person);
    },
    async remove(person, id) {
      const query = db.deleteFrom("credentials").where("person", "=", person).where("id", "=", id);
      const { numDeletedRows } = await query.executeTakeFirst();
      if (!(await find(person, "totp"))) await recovery.remove(person);
      return numDeletedRows > 0n;
    },
    async reset(person) {
      const query = db.deleteFrom("credentials").where("person", "=", person);
      await query.where("kind", "!=", "password").execute();
    },
  };
}
