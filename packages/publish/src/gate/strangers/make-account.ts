import { randomBytes } from "node:crypto";
import { isHtml, type Answer, type Send } from "./ask.ts";
import { fillFields, formsIn } from "./fill-fields.ts";
import type { Route } from "../routes/find-methods.ts";
import { createPerson, type Body, type Person } from "./person.ts";
import type { GateFile } from "../types.ts";

const SIGN_UP = /(?:^|\/)(?:sign-?up|register|registration|create-account|join)(?:\/email)?$/i;
const SIGN_IN = /(?:^|\/)(?:sign-?in|log-?in|sessions?|token)(?:\/email)?$/i;
/** Routes that create accounts by the name of the resource. */
const PEOPLE = /(?:^|\/)(?:users|accounts|members)$/i;
const PASSWORD = /pass(?:word|wd|phrase)?/i;
const BETTER_AUTH = /\bbetter-auth\b/;
const HAS_SIGN_IN =
  /["'](?:better-auth|passport(?:-local)?|lucia|next-auth|bcrypt(?:js)?|@node-rs\/argon2|argon2|iron-session|express-session|cookie-session|jsonwebtoken)["'/]|\bscrypt(?:Sync)?\(|\b(?:flask_login|flask_jwt_extended|OAuth2PasswordBearer|check_password_hash|passlib)\b/;

const PASSWORD_FIELD = /type=["']password/gi;
/** Signs of a user's name beside a password field: a password alone belongs to the operator. */
const WHO =
  /type=["']email|["'{.][\w-]{0,20}(?:e-?mail|user|login|nick|account|member)\w{0,20}["'}]/i;
const BESIDE = 1_200;

const asksWho = (text: string) =>
  [...text.matchAll(PASSWORD_FIELD)].some(({ index }) =>
    WHO.test(text.slice(Math.max(0, index - BESIDE), index + BESIDE)),
  );

/** Fields that identify a user, beside the password. */
const WHO_FIELD = /e-?mail|user|login|nick|account|member|name|phone/i;

/** Whether every sign-in takes a password but no user's name, and so belongs to the operator. */
const isOfOne = (signIn: readonly Route[]) =>
  signIn.length > 0 &&
  signIn.every(
    ({ fields }) =>
      fields.some((name) => PASSWORD.test(name)) && !fields.some((name) => WHO_FIELD.test(name)),
  );

/** The ways to sign in and register that an app's sources declare. */
export interface WaysIn {
  /** Whether the app tells users apart at all. */
  hasSignIn: boolean;
  signUp: Route[];
  signIn: Route[];
}

export function findWaysIn(sources: readonly GateFile[], routes: readonly Route[]): WaysIn {
  const posts = routes.filter(({ method, path }) => method === "POST" && !path.includes(":id"));
  const signUp = posts.filter(
    ({ path, fields }) =>
      SIGN_UP.test(path) || (PEOPLE.test(path) && fields.some((name) => PASSWORD.test(name))),
  );
  const signIn = posts.filter(({ path }) => SIGN_IN.test(path));
  const auth = sources.find(
    ({ text }) => BETTER_AUTH.test(text) && /\bemailAndPassword\b/.test(text),
  );
  if (auth) {
    const base = /\bbasePath:\s*["'`](\/[\w/-]{1,100})["'`]/.exec(auth.text)?.[1] ?? "/api/auth";
    const fields = ["name", "email", "password"];
    signUp.unshift({ method: "POST", path: `${base}/sign-up/email`, fields });
    signIn.unshift({ method: "POST", path: `${base}/sign-in/email`, fields: fields.slice(1) });
  }
  return {
    hasSignIn:
      signUp.length > 0 ||
      (!isOfOne(signIn) && sources.some(({ text }) => HAS_SIGN_IN.test(text) || asksWho(text))),
    signUp,
    signIn,
  };
}

/** Maximum number of routes tried for registering, and of those for signing in. */
const MOST_WAYS = 4;

/**
 * Registers a test account in whichever way the app accepts; undefined if none works.
 * @param more further fields to send, which the form does not ask for
 */
export async function makeAccount(
  send: Send,
  { signUp, signIn }: WaysIn,
  address: string,
  more: Body["fields"] = {},
): Promise<Person | undefined> {
  const name = `gate${randomBytes(6).toString("hex")}`;
  const password = `Tr3adle-${randomBytes(9).toString("base64url")}`;
  const filled = (names: readonly string[]) =>
    Object.fromEntries(
      Object.entries(fillFields(names, name)).map(([field, value]) => [
        field,
        PASSWORD.test(field) ? password : value,
      ]),
    );
  // Some apps accept the e-mail address in this field.
  const byAddress = (names: readonly string[]) =>
    Object.fromEntries(
      Object.entries(filled(names)).map(([field, value]) => [
        field,
        value === name ? `${name}@example.com` : value,
      ]),
    );
  for (const protocol of ["http", "https"] as const) {
    for (const way of signUp.slice(0, MOST_WAYS)) {
      const person = createPerson(send, address, protocol);
      if (!(await enter(person, way, (names) => ({ ...filled(names), ...more })))) continue;
      if (person.isKnown()) return person;
      for (const door of signIn.slice(0, MOST_WAYS))
        for (const who of [filled, byAddress])
          if ((await enter(person, door, who)) && person.isKnown()) return person;
    }
  }
  return undefined;
}

/** Fields that a registration usually takes, if the sources do not name them. */
const USUAL = ["name", "username", "email", "password"];
const CONFIRMED = ["passwordConfirm", "confirmPassword", "password_confirmation", "confirm"];

async function enter(
  person: Person,
  { path, fields }: Route,
  filled: (names: readonly string[]) => Body["fields"],
): Promise<boolean> {
  const tries: { to: string; body: Body }[] = [];
  // The form in the app's page is tried first, because it may contain a CSRF token.
  const page = await person.get(path);
  const form =
    page && isHtml(page)
      ? formsIn(page.text, path).find((one) =>
          Object.keys(one.fields).some((field) => PASSWORD.test(field)),
        )
      : undefined;
  if (form) {
    const given = Object.entries(form.fields).filter(([, value]) => value !== "");
    const values = filled(Object.keys(form.fields));
    tries.push({
      to: form.action,
      body: { as: "form", fields: { ...values, ...Object.fromEntries(given) } },
    });
  }
  const messages = fields.some((field) => PASSWORD.test(field)) ? fields : USUAL;
  for (const names of [messages, [...USUAL, ...CONFIRMED]])
    for (const as of ["json", "form"] as const)
      tries.push({ to: path, body: { as, fields: filled(names) } });
  for (const { to, body } of tries) {
    if (!to.startsWith("/")) continue;
    const answer = await person.send("POST", to, body);
    if (answer?.status === 429) return false;
    if (!isTaken(answer)) continue;
    const token = tokenIn(answer);
    if (token !== undefined && !person.isKnown()) person.carry(token);
    return true;
  }
  return false;
}

/** Whether a request was accepted: its answer has a status from 200 to 399. */
export const isTaken = (answer: Answer | undefined): answer is Answer =>
  answer !== undefined && answer.status >= 200 && answer.status < 400;

function tokenIn({ text }: Answer): string | undefined {
  try {
    const body = JSON.parse(text) as Record<string, unknown>;
    for (const one of [body, body["data"], body["session"]] as Record<string, unknown>[])
      for (const name of ["token", "accessToken", "access_token", "jwt"]) {
        const token = one?.[name];
        if (typeof token === "string" && token.length >= 16) return token;
      }
  } catch {
    // An answer that is not JSON contains no token.
  }
  return undefined;
}
