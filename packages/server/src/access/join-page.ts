import type { Person } from "@treadle/accounts";
import type { LinkRole } from "@treadle/protocol/accounts";
import { MARK, SIGNED_OUT_STYLE } from "@treadle/common";
import { PASSKEY_SCRIPT, signInForms } from "./enter-page.ts";
import { escapeHtml, plainPage } from "./plain-page.ts";
import { signedOutWords } from "./signed-out-words.ts";

/**
 * The page behind an access link: the role that the link gives, and a button to join. Opening the page does not use
 * the link, since programs that preview links open it as well.
 * @param page.link undefined if it is not valid
 * @param page.known who is signed in; undefined for a guest, who signs in or, if the link allows it, only gives a
 * name
 */
export function joinPage(
  status: number,
  page: {
    secret: string;
    link: { role: LinkRole; nameless: boolean } | undefined;
    known: Person | undefined;
    provider: string | undefined;
  },
  accepted: string | undefined,
): Response {
  const { tag, words } = signedOutWords(accepted);
  const { secret, link, known, provider } = page;
  const title = link ? words.invited : words.signedOut;
  return plainPage(
    status,
    title,
    `<style>${SIGNED_OUT_STYLE}</style><main>${MARK}<h1>${title}</h1>${contents()}</main>`,
    { language: tag, ...(known ? {} : { script: PASSKEY_SCRIPT }) },
  );

  function contents(): string {
    if (!link) return `<p>${words.linkUsed}</p>`;
    const to = `/join?${new URLSearchParams({ link: secret }).toString()}`;
    const about = `<p>${words.joinAs[link.role]}</p>`;
    const begin = `<form action="/join" method="post"><input type="hidden" name="link" value="${escapeHtml(secret)}">`;
    const button = `<div><button>${words.join}</button></div></form>`;
    if (known) return `${about}${begin}${button}`;
    const byName = `${begin}<label for="name">${words.name}</label><div><input id="name" name="name" autocomplete="name" maxlength="60" required autofocus></div>${button}`;
    return `${about}${link.nameless ? byName : ""}<p>${words.joinSignIn}</p>${signInForms({ accepted, provider, to })}`;
  }
}
