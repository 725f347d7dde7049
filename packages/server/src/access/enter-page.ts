import type { LinkTerms } from "@treadle/accounts";
import { MARK, SIGNED_OUT_STYLE } from "@treadle/common";
import { escapeHtml, plainPage } from "./plain-page.ts";
import { signedOutWords } from "./signed-out-words.ts";

/** The page for somebody whom the identity provider did not sign in, with what else they can do. */
export function refusedPage(
  status: number,
  { problem, provider }: { problem: string; provider: string },
  accepted: string | undefined,
): Response {
  const { tag, words } = signedOutWords(accepted);
  return plainPage(
    status,
    words.signedOut,
    `<style>${SIGNED_OUT_STYLE}</style><main>${MARK}<h1>${words.signedOut}</h1>
<p role="alert">${escapeHtml(problem)}</p>${signInForms(accepted, provider)}</main>`,
    tag,
  );
}

/** A labelled field of a form. */
const field = (name: string, label: string, attributes: string): string =>
  `<label for="${name}">${label}</label><div><input id="${name}" name="${name}" ${attributes}></div>`;

/**
 * How people sign in, without scripts: the link to the identity provider, and the form for a password.
 * @param provider the identity provider's name; undefined if there is none
 */
export function signInForms(accepted: string | undefined, provider: string | undefined): string {
  const { words } = signedOutWords(accepted);
  const link =
    provider === undefined
      ? ""
      : `<p><a href="/sign-in/provider">${words.signInWith.replace("{provider}", escapeHtml(provider))}</a></p>`;
  return `${link}<form action="/enter" method="post">
${field("email", words.email, 'type="email" autocomplete="username" required autofocus')}
${field("password", words.password, 'type="password" autocomplete="current-password" required')}
${field("code", words.code, 'autocomplete="one-time-code" inputmode="numeric"')}
<div><button>${words.signIn}</button></div></form>`;
}

/**
 * The page behind a single-use link: a button, and for an invitation what the account needs.
 * @param page.terms undefined if the link was used or has expired
 */
export function enterPage(
  status: number,
  page: {
    link: string;
    terms: LinkTerms | undefined;
    problem?: string;
    provider: string | undefined;
  },
  accepted: string | undefined,
): Response {
  const { tag, words } = signedOutWords(accepted);
  const { link, terms, problem, provider } = page;
  const alert = problem === undefined ? "" : `<p role="alert">${escapeHtml(problem)}</p>`;
  const isInvitation = terms?.purpose === "invitation";
  const title = isInvitation ? words.invited : terms ? words.signIn : words.signedOut;
  const email = isInvitation && terms.email === undefined;
  const account = isInvitation
    ? field("name", words.name, 'autocomplete="name" maxlength="100" required autofocus') +
      (email ? field("email", words.email, 'type="email" autocomplete="username" required') : "") +
      field("password", words.newPassword, 'type="password" autocomplete="new-password"')
    : "";
  const form = terms
    ? `<form action="/enter" method="post"><input type="hidden" name="link" value="${escapeHtml(link)}">${account}<div><button>${words.signIn}</button></div></form>`
    : `<p>${words.linkUsed}</p>${signInForms(accepted, provider)}`;
  return plainPage(
    status,
    title,
    `<style>${SIGNED_OUT_STYLE}</style><main>${MARK}<h1>${title}</h1>${alert}${form}</main>`,
    tag,
  );
}
