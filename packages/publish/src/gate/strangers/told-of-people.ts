import type { Answer } from "./ask.ts";
import { DEEP, LONG } from "./let-in.ts";

/** Maximum number of characters of a page in which people are searched. */
const MOST_READ = 500_000;
/** Fields that must be private. */
const PRIVATE = new RegExp(
  `^(?:${[
    "(?:(?:hashed|encrypted|plain)_?)?pass(?:word|wd|phrase)?(?:_?(?:hash|digest|salt))?",
    "(?:(?:client|totp|otp|mfa|webhook)_?)?secret(?:_?key)?",
    "(?:api|private)_?key",
    "(?:access|refresh|reset|session|auth)_?token",
    "ssn|card_?number|cvv|iban",
  ].join("|")})$`,
  "i",
);
/** Values that a provider issues as public and that may be in pages under the name of a key. */
const PUBLIC_VALUE = /^(?:pk_(?:live|test)_|sb_publishable_|AIza)/;
/** Fields beside which a key is public, as in the configurations of Firebase and Algolia. */
const FOR_PAGES = /^(?:authDomain|projectId|appId|applicationId|indexName|siteKey)$/i;
const IS_KEY = /^api_?key$/i;
const EMAIL_FIELD = /e-?mail/i;
/** Names of data about customers, unlike a team that wants to be contacted. */
export const OF_PEOPLE =
  /(?:^|\/)(?:users|customers|clients|patients|students|employees|guests|subscribers|applicants|attendees|leads|accounts|orders|bookings|reservations|appointments|registrations|sign-?ups|waitlist|invoices|payments)(?:\/(?:1|all|list|export|search|recent))?(?:\.\w{1,5})?$/i;
/** Fields of a person that must not be public. */
const PERSONAL =
  /^(?:phone|mobile|tele?phone|tel|phone_?number|(?:(?:home|shipping|billing|delivery|street|postal)_?)?address|street|birth_?(?:day|date)|date_?of_?birth|dob|salary|diagnosis|medications?|passport(?:_?(?:no|number))?|national_?id|tax_?id)$/i;
/** Routes about people who want to be contacted, and e-mail addresses without a single owner. */
const TO_BE_WRITTEN_TO =
  /(?:^|\/)(?:team|about|contact|imprint|impressum|support|stores?|shops?|branches|offices|locations|venues|speakers|authors|organi[sz]ers|sponsors|departments)(?:\/(?:1|all|list|members))?$/i;
const OF_NOBODY =
  /^(?:info|hello|hallo|hi|contact|kontakt|mail|office|support|help|sales|press|team|jobs|careers?|shop|orders?|bookings?|events?|service|webmaster|no-?reply)@/i;
/** A field of an announcement: `[{ title, contactEmail }]`. */
const ANNOUNCED =
  /^(?:contact|organi[sz]er|host|venue|company|business|public|support|recruiter|hr|press|sales|booking|office|seller|agent|speaker|author|apply)_?e?-?mail$/i;
/** Fields that may hold an address under another name. */
const OF_SOMEBODY =
  /^(?:user(?:_?name)?|login|account|owner|from|to|sender|recipient|created_?by|customer|subscriber|member|attendee|participant)$/i;
const EMAILS = /[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{2,63}){1,4}/g;
/** File formats for download. */
const TABLE =
  /^(?:text\/(?:csv|tab-separated-values|vcard)|application\/(?:csv|x-ndjson|jsonl))\b/i;
const TEXT = /^(?:text\/(?:html|plain|xml)|application\/xml)\b/i;
const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;
export interface Field {
  name: string;
  value: string;
}

function objectsIn(data: unknown, depth = 0): Record<string, unknown>[] {
  if (typeof data !== "object" || data === null || depth > DEEP) return [];
  const values = Object.values(data).slice(0, LONG);
  const inside = values.flatMap((one) => objectsIn(one, depth + 1));
  if (Array.isArray(data)) return inside;
  return [data as Record<string, unknown>, ...inside];
}

export const isGivenAnew = (first: Field, second: Field | undefined) =>
  second?.name === first.name && second.value !== first.value;
export function privateField(data: unknown): Field | undefined {
  for (const one of objectsIn(data))
    for (const [name, value] of Object.entries(one))
      if (
        PRIVATE.test(name) &&
        !(IS_KEY.test(name) && Object.keys(one).some((beside) => FOR_PAGES.test(beside))) &&
        typeof value === "string" &&
        value !== "" &&
        !PUBLIC_VALUE.test(value)
      )
        return { name: name.slice(0, 40), value };
  return undefined;
}

export const personalField = (data: unknown): string | undefined =>
  objectsIn(data)
    .flatMap((one) => Object.entries(one))
    .find(([name, value]) => PERSONAL.test(name) && tells(name, value))?.[0];
/** Whether a value is about a person: an address may be a wallet's or a page's, a telephone number an emergency one. */
function tells(name: string, value: unknown): boolean {
  if (/address|street/i.test(name)) return typeof value === "string" && /\d/.test(value) && /\s/.test(value); // prettier-ignore
  if (/phone|mobile|^tel$/i.test(name)) return /(?:\d\D{0,3}){7}/.test(String(value));
  return value !== null && value !== undefined && value !== "" && value !== false;
}

/**
 * Whether the data is rows with e-mail addresses, or one of many rows (`/users/1`): a single
 * address may be a contact.
 */
export function hasPeople(data: unknown, route: string): boolean {
  if (TO_BE_WRITTEN_TO.test(route)) return false;
  const rows = /\/1(?:\/|$)/.test(route) ? objectsIn(data) : rowsIn(data);
  const ofPeople = OF_PEOPLE.test(route);
  return (
    new Set(bareEmails(data)).size > 1 ||
    rows.some((one) =>
      Object.entries(one).some(
        ([name, value]) =>
          (OF_SOMEBODY.test(name) ||
            (EMAIL_FIELD.test(name) && (ofPeople || !ANNOUNCED.test(name)))) && // prettier-ignore
          isEmailOfSomebody(value),
      ),
    )
  );
}

const isEmailOfSomebody = (value: unknown): value is string =>
  typeof value === "string" && EMAIL.test(value) && !OF_NOBODY.test(value);
/** The e-mail addresses that are themselves items of lists: `["ada@lovelace.org", …]`. */
function bareEmails(data: unknown, depth = 0): string[] {
  if (typeof data !== "object" || data === null || depth > DEEP) return [];
  const values: unknown[] = Object.values(data).slice(0, LONG);
  const own = Array.isArray(data) ? values.filter(isEmailOfSomebody) : [];
  return [...own, ...values.flatMap((one) => bareEmails(one, depth + 1))];
}

/** The objects in a list, or under ids, with their nested objects. */
function rowsIn(data: unknown, depth = 0): Record<string, unknown>[] {
  if (Array.isArray(data)) return objectsIn(data);
  if (typeof data !== "object" || data === null || depth > DEEP) return [];
  const values: unknown[] = Object.values(data).slice(0, LONG);
  if (values.length > 1 && new Set(values.map(shapeOf)).size === 1 && shapeOf(values[0]) !== "")
    return objectsIn(data);
  return values.flatMap((one) => rowsIn(one, depth + 1));
}

/** The field names of an object. */
const shapeOf = (value: unknown): string =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? Object.keys(value).slice(0, LONG).join()
    : "";
/**
 * Whether an answer is a page with addresses of several people at a route with a matching name, or a
 * file of such rows.
 */
export function listsPeople(answer: Answer, route: string): boolean {
  const type = answer.headers["content-type"] ?? "";
  const isList = OF_PEOPLE.test(route) || /(?:^|\/)export(?:\.\w{1,5})?$/i.test(route);
  if (!TABLE.test(type) && !(TEXT.test(type) && isList)) return false;
  return hasSeveral(answer.text);
}

/** Whether the text contains addresses of several people. */
export function hasSeveral(text: string): boolean {
  const emails = [...text.slice(0, MOST_READ).matchAll(EMAILS)].map(([email]) => email);
  return new Set(emails.filter((one) => !OF_NOBODY.test(one)).map((one) => one.toLowerCase())).size > 1; // prettier-ignore
}
