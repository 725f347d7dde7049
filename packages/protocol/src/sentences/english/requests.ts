import type { Value } from "../types.ts";

/** Written by `catalogues/write-values.ts` of the page from its English catalogue. */
export const REQUESTS = {
  "terminal-not-shared": ({ owner }: { owner: Value }) =>
    `This terminal is ${owner}'s, and is not shared with you.`,
  "terminal-unshared": () => "Its owner no longer shares this terminal.",
  "nameless-editor": () =>
    "Guests without an account may view or comment. To let them edit, ask them to sign in.",
  "not-found": ({ what }: { what: Value }) =>
    `${what === "project" ? "There is no such project." : what === "server" ? "There is no such tool server." : what === "publication" ? "There is no such publication." : what === "release" ? "There is no such release." : what === "address" ? "There is no such address." : what === "link" ? "There is no such link." : what === "terminal" ? "There is no such terminal." : what === "picture" ? "There is no such picture." : what === "file" ? "There is no such file." : what === "checkpoint" ? "There is no such checkpoint." : what === "comparison" ? "There is no such comparison." : what === "question" ? "There is no such question." : what === "database" ? "There is no such database." : what === "copy" ? "There is no such copy of the data." : what === "job" ? "There is no such job." : what === "target" ? "There is no such target." : what === "app" ? "There is no such running app." : what === "signIn" ? "There is no such sign-in." : what === "request" ? "There is no such request." : what === "person" ? "There is no such person." : what === "team" ? "There is no such team." : what === "comment" ? "There is no such comment." : what === "thread" ? "There is no such thread of comments." : "That does not exist."}`,
  stale: ({ what }: { what: Value }) =>
    `${what === "file" ? "The file has changed since it was shown." : what === "files" ? "The files have changed since they were shown." : what === "question" ? "The question has changed since it was shown." : what === "list" ? "The list has changed since it was shown." : "It has changed since it was shown."} Nothing was done: look at it again.`,
  "too-large": ({ limit, what }: { limit: Value; what: Value }) =>
    `${what === "log" ? "A log" : what === "chat" ? "An exported chat" : what === "archive" ? "An archive" : what === "unpacked" ? "An unpacked archive" : what === "file" ? "A file" : what === "repository" ? "A repository" : what === "database" ? "A database file" : what === "report" ? "A report" : what === "stderr" ? "stderr" : what === "output" ? "What git prints" : "It"} can have at most ${limit}. Nothing was saved.`,
  "limit-reached": ({ limit, what }: { limit: number; what: Value }) =>
    `There can be at most ${limit.toLocaleString("en")} ${what === "hosts" ? "hosts in a project (one such as *.example.com allows several)" : what === "secrets" ? "secrets in a project" : what === "locks" ? "locks in a project (a locked folder locks all in it)" : what === "terminals" ? "terminals in a project" : what === "links" ? "links to a project" : what === "streams" ? "terminals open at once" : what === "requests" ? "parallel requests" : what === "servers" ? "tool servers" : what === "pictures" ? "pictures in a message" : what === "rules" ? "rule files that are switched off" : what === "comparisons" ? "comparisons at once" : what === "comments" ? "comments and changes in a thread" : what === "threads" ? "threads of comments in a project" : what === "passkeys" ? "passkeys of one person" : what === "guests" ? "guests without an account by one link" : "of these"}. Remove one first.`,
  working: () =>
    "The project is being worked on. Nothing was changed: stop the work first, or wait until it is done.",
  stopping: () => "Treadle is stopping.",
  internal: () => "Something went wrong inside Treadle. Nothing was changed by this request.",
  "body-not-json": () => "Send the body as JSON, with Content-Type: application/json.",
  "body-malformed": () => "The body is not valid JSON.",
  "body-too-large": () => "The request is too large. Nothing was changed.",
  "request-unreadable": () => "The request could not be read.",
  "input-invalid": ({ why }: { why: Value }) => `The request is not valid: ${why}.`,
  "name-empty": () => "A name cannot be empty.",
  "name-too-long": ({ limit }: { limit: number }) =>
    `A name can have at most ${limit.toLocaleString("en")} characters.`,
  "path-malformed": () => "The path in the address is not well-formed.",
  "version-missing": () =>
    "Say which version to replace: If-Match with the file's version, or If-None-Match: * for a new file.",
  "range-invalid": ({ size }: { size: number }) =>
    `The file has ${size.toLocaleString("en")} bytes; it has no such part.`,
  "session-missing": () => "The header X-Session-Id is missing.",
  "session-malformed": () =>
    "X-Session-Id must have 8 to 128 letters, digits, dots, underscores, hashes or hyphens.",
  "search-invalid": ({ why }: { why: Value }) => `The search could not be done: ${why}`,
  "sandbox-odd": () => "The sandbox sent an answer that does not fit the request.",
  "put-to-sleep": () => "The project was put to sleep meanwhile. Nothing was done; try again.",
  "disk-full": ({ reason }: { reason: Value }) =>
    `The disk is full (${reason}). Free some space and try again. What was there before is safe.`,
  "disk-closed": ({ reason }: { reason: Value }) =>
    `The data folder cannot be written (${reason}). Change its permissions, or the disk's. What was there before is safe.`,
  "disk-failed": ({ reason }: { reason: Value }) =>
    `The disk failed (${reason}). Check it, and make a backup on another one. What was there before is safe.`,
  "store-not-writable": ({ place }: { place: Value }) =>
    `The data folder ${place} cannot be written. Choose another with --data, or change its permissions.`,
  "store-full": ({ place }: { place: Value }) =>
    `The disk that holds ${place} is full. What was saved is safe; free some space and go on.`,
  "store-corrupt": ({ place }: { place: Value }) =>
    `The database in ${place} is damaged. Move treadle.sqlite away to start anew; the projects' files are not touched.`,
  "store-newer": ({ place }: { place: Value }) =>
    `The database in ${place} was written by a newer Treadle. Update Treadle, or choose another folder with --data.`,
  "store-not-owner": () =>
    "Another server works on this project now. Try again; the page then reaches that server.",
  "store-busy": ({ place }: { place: Value }) =>
    `Another Treadle is using the data folder ${place}. Stop it, or choose another folder with --data.`,
  "store-failed": ({ place, why }: { place: Value; why: Value }) =>
    `The database in ${place} failed: ${why}`,
  "store-unreachable": ({ place, why }: { place: Value; why: Value }) =>
    `The PostgreSQL database ${place} cannot be used: ${why}. Check that it runs, and what DATABASE_URL says.`,
  "store-address": ({ place }: { place: Value }) =>
    `The address of the database begins with “${place}”. Treadle stores projects in PostgreSQL (postgres://…) or, if DATABASE_URL is not set, in SQLite.`,
  "store-unmoved": ({ place }: { place: Value }) =>
    `DATABASE_URL names a PostgreSQL database, but the projects of ${place} are in SQLite. Move them with treadle migrate-store --to, unset DATABASE_URL, or choose another folder with --data.`,
  "store-moved": ({ place }: { place: Value }) =>
    `The projects of ${place} are in PostgreSQL (the file stored-in-postgres in it says where). Set DATABASE_URL to that database, or bring them back with treadle migrate-store --from.`,
  "store-occupied": ({ place }: { place: Value }) =>
    `The PostgreSQL database ${place} already has projects or settings of Treadle's. Nothing was moved. Name an empty database.`,
  "log-not-recorded": () =>
    "The disk did not take what happened in this project fast enough, so some of it was not recorded. Free some space, or try again.",
  "not-own-address": ({ address }: { address: Value }) =>
    `This address is not Treadle's own. Open it as ${address}.`,
  "other-origin": () => "A page of another origin may not request this.",
  "token-needed": () =>
    "A request that changes something needs the token that Treadle printed when it started, as Authorization: Bearer TOKEN; a page's needs its Origin.",
  "not-signed-in": () =>
    "This page is not signed in. Open the address that Treadle printed when it started.",
  "not-permitted": () =>
    "Your role does not permit this. Ask the project's owner, or who runs this server.",
  "no-accounts": () => "This server has no accounts. Start it with --team.",
  "last-owner": () => "There must be another owner first.",
  "identity-needed": () => "You are here only by this account, so it stays connected.",
  "no-provider": () => "This server has no identity provider. Set TREADLE_OIDC_ISSUER.",
  "app-silent": ({ why }: { why: Value }) => `The app did not answer: ${why}.`,
  "header-invalid": ({ name }: { name: Value }) => `The header ${name} cannot be sent.`,
};
