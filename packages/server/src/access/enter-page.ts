import type { LinkTerms } from "@treadle/accounts";
import { type ApiFailure, MARK, SIGNED_OUT_STYLE } from "@treadle/common";
import { escapeHtml, plainPage } from "./plain-page.ts";
import { signInProblem } from "./sign-in-problem.ts";
import { signedOutWords } from "./signed-out-words.ts";

/** The script of the page's bundle that asks a device for a passkey. */
export const PASSKEY_SCRIPT = "/assets/passkey-sign-in.js";

/** What the pages for people who are not signed in depend on. */
export interface Visit {
  /** The browser's `Accept-Language`. */
  accepted: string | undefined;
  /** The identity provider's name; undefined if there is none. */
  provider: string | undefined;
  /** The path at which the person arrives after signing in. */
  to: string;
}

/** The page after the identity provider did not sign a person in: why, and the other ways to sign in. */
export function refusedPage(problem: ApiFailure, visit: Visit): Response {
  const { tag, words } = signedOutWords(visit.accepted);
  return plainPage(
    problem.status,
    words.signedOut,
    `<style>${SIGNED_OUT_STYLE}</style><main>${MARK}<h1>${words.signedOut}</h1>
${alertOf(problem, tag)}${signInForms(visit)}</main>`,
    { language: tag, script: PASSKEY_SCRIPT },
  );
}

const alertOf = (problem: ApiFailure, tag: Parameters<typeof signInProblem>[1]): string =>
  `<p role="alert" data-code="${escapeHtml(problem.code)}">${escapeHtml(signInProblem(problem, tag))}</p>`;

/** A labelled field of a form. */
const field = (name: string, label: string, attributes: string): string =>
  `<label for="${name}">${label}</label><div><input id="${name}" name="${name}" ${attributes}></div>`;

const hidden = (name: string, value: string): string =>
  `<input type="hidden" name="${name}" value="${escapeHtml(value)}">`;

/**
 * The markup of the ways to sign in: the link to the identity provider, if there is one, the form for a password,
 * and the button for a passkey, which the page's script shows if the browser supports passkeys.
 */
export function signInForms({ accepted, provider, to }: Visit): string {
  const { words } = signedOutWords(accepted);
  const link =
    provider === undefined
      ? ""
      : `<p><a href="/sign-in/provider?${escapeHtml(new URLSearchParams({ to }).toString())}">${words.signInWith.replace("{provider}", escapeHtml(provider))}</a></p>`;
  return `${link}<form action="/enter" method="post">${hidden("to", to)}
${field("email", words.email, 'type="email" autocomplete="username" required autofocus')}
${field("password", words.password, 'type="password" autocomplete="current-password" required')}
${field("code", words.code, 'autocomplete="one-time-code" maxlength="40"')}
<div><button>${words.signIn}</button></div></form>
<form id="passkey-form" action="/enter" method="post" hidden>${hidden("to", to)}${hidden("passkey", "")}
<div><button class="other">${words.signInWithPasskey}</button></div></form>`;
}

/**
 * The page behind a single-use link: a button and, for an invitation, the fields that the new account needs.
 * Without `page.terms` it has the other ways to sign in and, if `page.link` is not empty, says that the link is
 * used up.
 * @param page.terms undefined if the link was used or has expired, or if there is none
 */
export function enterPage(
  status: number,
  page: { link: string; terms: LinkTerms | undefined; problem?: ApiFailure },
  visit: Visit,
): Response {
  const { tag, words } = signedOutWords(visit.accepted);
  const { link, terms, problem } = page;
  const alert = problem ? alertOf(problem, tag) : "";
  const isInvitation = terms?.purpose === "invitation";
  const title = isInvitation ? words.invited : terms ? words.signIn : words.signedOut;
  const email = isInvitation && terms.email === undefined;
  const account = isInvitation
    ? field("name", words.name, 'autocomplete="name" maxlength="100" required autofocus') +
      (email ? field("email", words.email, 'type="email" autocomplete="username" required') : "") +
      field("password", words.newPassword, 'type="password" autocomplete="new-password"')
    : "";
  const unusable = link === "" ? "" : `<p>${words.linkUsed}</p>`;
  const form = terms
    ? `<form action="/enter" method="post">${hidden("link", link)}${hidden("to", visit.to)}${account}<div><button>${words.signIn}</button></div></form>`
    : `${unusable}${signInForms(visit)}`;
  return plainPage(
    status,
    title,
    `<style>${SIGNED_OUT_STYLE}</style><main>${MARK}<h1>${title}</h1>${alert}${form}</main>`,
    { language: tag, ...(terms ? {} : { script: PASSKEY_SCRIPT }) },
  );
}
