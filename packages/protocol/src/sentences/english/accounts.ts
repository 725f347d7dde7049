import type { Value } from "../types.ts";

/** Written by `catalogues/write-values.ts` of the page from its English catalogue. */
export const ACCOUNTS = {
  "too-many-tries": ({ minutes }: { minutes: number }) =>
    `Too many attempts. Try again in ${minutes === 1 ? `${minutes.toLocaleString("en")} minute` : `${minutes.toLocaleString("en")} minutes`}.`,
  "code-needed": () => "Enter the code of your authenticator app as well.",
  "wrong-code": () => "That code is wrong, or was used already.",
  "wrong-password": () => "The address or the password is wrong.",
  "password-length": ({ least, most }: { least: Value; most: Value }) =>
    `A password has ${least} to ${most} characters.`,
  "email-taken": ({ email }: { email: Value }) => `Somebody already uses the address ${email}.`,
  suspended: () => "Your account is suspended. Ask an administrator.",
  "link-used": () => "This link was used already, or has expired. Ask for another.",
  "sign-in-again": () => "Enter your present password, or sign in again first.",
  "oidc-expired": () => "This sign-in took too long, or was ended already. Begin again.",
  "oidc-refused": ({ provider }: { provider: Value }) => `${provider} did not sign you in.`,
  "oidc-failed": ({ provider }: { provider: Value }) =>
    `The answer of ${provider} could not be verified. Begin again; if that does not help, ask who runs this server.`,
  "oidc-unreachable": ({ provider }: { provider: Value }) =>
    `${provider} cannot be reached now. Try again later.`,
  "not-admitted": () => "Your account has no access to this server. Ask an administrator.",
  "identity-taken": () =>
    "That account is connected to somebody else here, or yours is connected to another one.",
  "session-old": () => "You signed in more than ten minutes ago. Sign in again first.",
  "second-factor-missing": () =>
    "On this server a password needs an authenticator app as well, and you have none. Sign in with a passkey, or ask an administrator for a link; then set it up under My account.",
  "code-missing": () => "There is no authenticator app yet. Set it up first.",
  "passkey-expired": () => "This took too long, or was answered already. Begin again.",
  "passkey-refused": () =>
    "That passkey is not accepted here. Use another one, or sign in another way.",
  "passkey-copied": () =>
    "This passkey seems to have been copied, so it was not accepted. Sign in another way, remove it under My account, and tell an administrator.",
  "passkey-taken": () => "That passkey is already in use here.",
};
