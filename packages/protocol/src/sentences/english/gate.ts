import type { Value } from "../types.ts";

/** Written by `catalogues/write-values.ts` of the page from its English catalogue. */
export const GATE = {
  "gate-secret-source": ({ what }: { what: Value }) => `${what} is written in a file.`,
  "gate-secret-output": ({ what }: { what: Value }) => `${what} is in what is published.`,
  "gate-hidden-source": ({ what }: { what: Value }) =>
    `${what} is written in a file, in pieces or in other letters.`,
  "gate-hidden-output": ({ what }: { what: Value }) =>
    `${what} is in what is published, in pieces or in other letters.`,
  "gate-default": ({ name }: { name: Value }) =>
    `Where ${name} is not set, a text that stands in the sources is taken for it.`,
  "gate-plain": ({ host }: { host: Value }) =>
    `A package is fetched from ${host} without encryption.`,
  "gate-another": () => "Another package is fetched in place of the named one.",
  "gate-no-checksum": () => "A package has no checksum in the lock file.",
  "gate-weak": () => "A package has only a weak checksum in the lock file.",
  "gate-no-licence": () => "A package has no licence.",
  "gate-broken": ({ fault }: { fault: Value }) => `The published page does not work: ${fault}.`,
  "gate-no-place": () => "A link leads to a place that its page does not have.",
  "gate-odd-host": ({ host }: { host: Value }) =>
    `A package comes from ${host}, unlike all others.`,
  "gate-licence": ({ licence }: { licence: Value }) =>
    `A package is under ${licence}, which asks for your sources too.`,
  "gate-no-answer": () => "An address of the app does not answer.",
  "gate-field": ({ field }: { field: Value }) => `Anybody can read “${field}” without signing in.`,
  "gate-people": () => "Anybody can read people's e-mail addresses without signing in.",
  "gate-admin-data": () => "An admin address answers without a sign-in.",
  "gate-admin-page": () => "A page called admin opens without a sign-in.",
  "gate-admin-done": () => "An admin action is done for anybody, without a sign-in.",
  "gate-beside": () => "It is done for anybody, though what is beside it asks for a sign-in.",
  "gate-members-admin": () => "Whoever makes an account may use what is called admin.",
  "gate-bold": () => "Whoever makes an account may make it an administrator's.",
  "gate-database": () => "Anybody can download the app's database.",
  "gate-own-files": () => "Anybody can download the app's own files.",
  "gate-shared": () => "Any other site can read it in the name of whoever is signed in.",
  "gate-own-read": () => "One signed-in person can read what another has written.",
  "gate-any-read": () => "Anybody, without a sign-in, can read what another has written.",
  "gate-own-change": () => "One signed-in person can change what another has written.",
  "gate-own-delete": () => "One signed-in person can delete what another has written.",
  "gate-file-gone": () => "The page requests a file that does not exist.",
  "gate-link-gone": () => "A link leads to a page that does not exist.",
  "gate-weight": ({ budget, size }: { budget: Value; size: Value }) =>
    `The first page weighs ${size} MB, and its budget is ${budget} MB.`,
  "gate-no-alt": () => "A picture has no text for those who cannot see it.",
  "gate-no-language": () => "The page does not say which language it is in.",
  "gate-headers": () => "Headers are missing that keep other sites from misusing it.",
  "gate-cookie": () => "Scripts of the page can read the cookie that says who is signed in.",
  "gate-do-source": () =>
    "Replace it with a new one where it was issued, keep that in the project's settings, and read it from the environment.",
  "gate-do-default": ({ name }: { name: Value }) =>
    `Take that text out, let nobody in without a value, and set ${name} in the project's settings: who guesses the text, or has seen the sources, gets in.`,
  "gate-do-output": () =>
    "Everybody who opens the page can read it. Use it on the server only, and replace it with a new one where it was issued.",
  "gate-do-plain": () =>
    "Take it from the registry: anybody on the way could put another package in its place.",
  "gate-do-checksum": () =>
    "Remove its entry and let an install write it again: without a checksum another package could come under its name.",
  "gate-do-weak": () =>
    "Remove its entry and have it written anew by an install: SHA-1 and MD5 no longer tell one package from another for certain.",
  "gate-do-another": () =>
    "Remove its entry and let an install write it again: somebody has changed where it comes from.",
  "gate-do-host": () =>
    "Take it from the registry, or make sure that it is meant to come from there.",
  "gate-do-licence": () =>
    "Use another package for it, or publish only if you mean to give the app's sources under that licence.",
  "gate-do-answer": () => "Make it answer, with an error if something is missing.",
  "gate-do-access": () =>
    "Answer only people who are signed in and may see it, all others with 401 or 403, and leave out what nobody needs.",
  "gate-do-admin-done": () =>
    "Do it only for people who are signed in and may, answer all others with 401 or 403, and check that on the server, not in the page.",
  "gate-do-role": () =>
    "Ask on the server for the role of who is signed in, with 403 to all who do not have it, and never take a role from a request.",
  "gate-do-own-files": () =>
    "Serve only a folder that holds what is meant for everybody, such as public: the app's sources and its database are beside what is served now.",
  "gate-do-origin": () =>
    "If credentials are allowed, send Access-Control-Allow-Origin only for listed origins, never for whichever asks.",
  "gate-do-owner": () =>
    "Name the owner in the query too (WHERE id = ? AND user_id = ?), and answer 404 for what is somebody else's. If all who sign in are meant to share it, publish it all the same.",
  "gate-do-file": () => "Add the file, or remove it from the page.",
  "gate-do-broken": () =>
    "It worked in the preview: find out what its “build” and “start” scripts do differently, and fix that.",
  "gate-do-link": () => "Make that page, or change the link.",
  "gate-do-weight": () =>
    "Make pictures smaller, load later what is not seen at first, and leave out what is not used.",
  "gate-do-alt": () =>
    "Give it an alt text that says what it shows, or an empty one where it only decorates.",
  "gate-do-headers": ({ headers }: { headers: Value }) => `Send ${headers} with every page.`,
  "gate-do-cookie": () => "Set it with HttpOnly, Secure and SameSite=Lax.",
  "gate-do-rule": ({ rule }: { rule: Value }) => `Fix it by axe's rule “${rule}”.`,
};
