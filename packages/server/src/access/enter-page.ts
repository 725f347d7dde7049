import type { LinkTerms } from "@treadle/accounts";
import { MARK, SIGNED_OUT_STYLE } from "@treadle/common";
import { escapeHtml, plainPage } from "./plain-page.ts";
import { signedOutWords } from "./signed-out-words.ts";

/** A labelled field of a form. */
const field = (name: string, label: string, attributes: string): string =>
  `<label for="${name}">${label}</label><div><input id="${name}" name="${name}" ${attributes}></div>`;

/** The form by which people with a password sign in, without scripts. */
export function passwordForm(accepted: string | undefined): string {
  const { words } = signedOutWords(accepted);
  return `<form action="/enter" method="post">
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
  page: { link: string; terms: LinkTerms | undefined; problem?: string },
  accepted: string | undefined,
): Response {
  const { tag, words } = signedOutWords(accepted);
  const { link, terms, problem } = page;
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
    : `<p>${words.linkUsed}</p>${passwordForm(accepted)}`;
  return plainPage(
    status,
    title,
    `<style>${SIGNED_OUT_STYLE}</style><main>${MARK}<h1>${title}</h1>${alert}${form}</main>`,
    tag,
  );
}
