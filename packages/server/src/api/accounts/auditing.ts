import { actionOf, type Accounts, type Action } from "@treadle/accounts";
import { ApiFailure, SAFE_METHODS } from "@treadle/common";
import type { Context } from "hono";
import { routePath } from "hono/route";

/** An email address. Anything else in its field may be a password, and is not recorded. */
const EMAIL = /^[^\s@]{1,64}@[^\s@]{1,189}$/;

/**
 * Performs a sign-in. If it fails, records that, except for a missing code or too many tries, and throws its error
 * on.
 * @param about.email the address that was entered
 * @param about.owner id of the person whose passkey was used
 * @param about.how how somebody tried to sign in
 */
export async function auditFailedSignIn<Result>(
  { audit, people }: Accounts,
  about: { how: string; email?: string | undefined; owner?: string | undefined },
  signIn: () => Promise<Result>,
): Promise<Result> {
  try {
    return await signIn();
  } catch (error) {
    // Throttled attempts would fill the log. A missing code is no failure, since the person is then asked for one.
    if (!(error instanceof ApiFailure) || error.status === 429 || error.code === "code-needed")
      throw error;
    const { email = "", how, owner } = about;
    const address = EMAIL.test(email) ? email : "";
    const named = owner === undefined ? undefined : await people.get(owner);
    const person = address === "" ? named : await people.byEmail(address);
    await audit.append({
      person: person?.id ?? "",
      name: person?.name ?? address,
      via: "session",
      action: "sign-in.failed",
      what: how,
      values: { code: error.code },
    });
    throw error;
  }
}

/**
 * Creates a function that records a request in the audit log, if its action is audited, it may have changed
 * something and it succeeded. A failure to write is only reported.
 */
export const auditing =
  ({ audit, people }: Accounts, onNotice: (text: string) => void) =>
  async (c: Context, action: Action): Promise<void> => {
    const principal = c.get("principal");
    if (principal === undefined || c.res.status >= 400 || SAFE_METHODS.has(c.req.method)) return;
    if (!actionOf(action).audited) return;
    const { person, via } = principal;
    const values = Object.fromEntries(
      Object.entries(c.req.param() as Record<string, string | undefined>).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, value]],
      ),
    );
    try {
      const name = (await people.get(person))?.name ?? person;
      await audit.append({
        person,
        name,
        via,
        action,
        what: `${c.req.method} ${routePath(c)}`,
        values,
      });
    } catch (error) {
      onNotice(`The audit log could not be written: ${(error as Error).message}`);
    }
  };
