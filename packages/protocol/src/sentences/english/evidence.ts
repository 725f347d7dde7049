import type { Value } from "../types.ts";

/** Written by `catalogues/write-values.ts` of the page from its English catalogue. */
export const EVIDENCE = {
  "no-manifest": () => "the project has no package.json",
  "no-dependencies": () => "the project has no dependencies",
  "packages-await-approval": ({ packages }: { packages: Value }) =>
    `it waits for a second person to approve ${packages}`,
  comparing: () => "comparing package.json with what is installed",
  dependencies: ({ count }: { count: number }) =>
    `${count === 1 ? `${count.toLocaleString("en")} dependency is installed` : `${count.toLocaleString("en")} dependencies are installed`}`,
  "is-running": ({ command }: { command: Value }) => `${command} is running`,
  "once-more": ({ command }: { command: Value }) => `${command} failed and is tried once more`,
  "second-try": ({ command }: { command: Value }) => `${command} ended with 0, at the second try`,
  "did-not-end": ({ command, how }: { command: Value; how: Value }) =>
    `${command} did not end (${how})`,
  "no-build": () => "the project has no build script",
  "wrote-files": ({ command, count }: { command: Value; count: Value }) =>
    `${command} ended with 0 and wrote ${count} files`,
  "proves-nothing": ({ command }: { command: Value }) =>
    `${command} ended with 0 but wrote nothing, which proves nothing`,
  "went-on": ({ command }: { command: Value }) => `${command} went on running as a server`,
  "built-fails": ({ command }: { command: Value }) => `${command} failed, whose output is served`,
  "not-tried": ({ command, why }: { command: Value; why: Value }) =>
    `${command} could not be tried: ${why}`,
  "ended-with": ({ code, command }: { code: Value; command: Value }) =>
    `${command} ended with ${code}`,
  "nothing-to-serve": () => "there is nothing to serve: no dev or start script, no index.html",
  "waiting-server": () => "waiting for the server",
  "crashed-soon": ({ code, command }: { code: Value; command: Value }) =>
    `${command} crashed with ${code} soon after it had come up`,
  "crashed-with": ({ code, command }: { code: Value; command: Value }) =>
    `${command} crashed with ${code}`,
  "part-crashed": ({ what }: { what: Value }) => `a part of the server crashed: ${what}`,
  "part-of-crashed": ({ command, what }: { command: Value; what: Value }) =>
    `a part of ${command} crashed: ${what}`,
  "went-away": ({ command }: { command: Value }) =>
    `${command} went away soon after it had come up`,
  "after-seen": ({ code, command }: { code: Value; command: Value }) =>
    `${command} ended with ${code} after it was seen to work`,
  "migration-failed": ({ what }: { what: Value }) => `a migration failed: ${what}`,
  crashed: ({ command }: { command: Value }) => `${command} crashed`,
  "no-port": ({ command }: { command: Value }) => `${command} opened no port`,
  "answered-nothing": () => "the server did not answer",
  "no-request": ({ port, why }: { port: Value; why: Value }) =>
    `port ${port} answered no request: ${why}`,
  "answered-on-port": ({ path, port, status }: { path: Value; port: Value; status: Value }) =>
    `GET ${path} answered ${status} on port ${port}`,
  answered: ({ path, status }: { path: Value; status: Value }) => `GET ${path} answered ${status}`,
  "api-proof": () => "the app is an API: its proof is the answered request",
  "api-no-page": () => "the app is an API: it has no page",
  "no-browser": () => "there is no browser here to open the page with",
  "looking-at": () => "looking at the page",
  "not-looked": ({ why }: { why: Value }) => `the page could not be looked at: ${why}`,
  "not-to-end": ({ path, why }: { path: Value; why: Value }) =>
    `the page ${path} could not be seen to the end: ${why}`,
  rendered: ({ count }: { count: Value }) => `the page rendered ${count} characters`,
  "rendered-bare": () => "the page rendered",
  "no-lang": () => "its html has no lang",
  "in-tab": () => "seen in the person's own tab",
  "did-not-load": ({ path }: { path: Value }) => `the page ${path} did not load`,
  "page-did-not-load": () => "the page did not load",
  "page-answered": ({ path, status }: { path: Value; status: Value }) =>
    `the page ${path} answered ${status}`,
  loops: ({ path, what }: { path: Value; what: Value }) =>
    `the page ${path} loads ${what} again and again`,
  unreadable: ({ path }: { path: Value }) =>
    `the text of the page ${path} cannot be read: it has the colour of its ground`,
  "unreadable-dark": ({ path }: { path: Value }) =>
    `in a browser that prefers dark, the text of the page ${path} cannot be read: it has the colour of its ground`,
  listing: ({ path }: { path: Value }) =>
    `the page ${path} is a list of the files in a folder: the server found no index.html to show`,
  "shown-error": ({ error, path }: { error: Value; path: Value }) =>
    `the page ${path} shows an error of its server: ${error}`,
  "shows-only": ({ path, text }: { path: Value; text: Value }) =>
    `the page ${path} shows nothing but “${text}”`,
  "in-place-of-data": ({ path, text }: { path: Value; text: Value }) =>
    `the page ${path} shows “${text}” in place of data that did not come`,
  "still-shows": ({ path, text }: { path: Value; text: Value }) =>
    `the page ${path} still shows “${text}” after it has come to rest`,
  "uncaught-on": ({ error }: { error: Value }) => `uncaught: ${error}`,
  overlay: ({ error }: { error: Value }) => `error overlay: ${error}`,
  "not-run": ({ error }: { error: Value }) => `not run: ${error}`,
  "console-said": ({ error }: { error: Value }) => `console: ${error}`,
  "no-errors-matter": () => "no errors that matter",
  messages: ({ count }: { count: Value }) => `${count} messages`,
  "no-errors": () => "no errors",
  "nothing-thrown": () => "nothing was thrown",
  "dependencies-all": ({ count }: { count: number }) =>
    `${count === 1 ? `${count.toLocaleString("en")} dependency is` : `${count.toLocaleString("en")} dependencies are`} installed, including those of its workspaces`,
  "dependencies-in": ({ count, folders }: { count: number; folders: Value }) =>
    `${count === 1 ? `${count.toLocaleString("en")} dependency is` : `${count.toLocaleString("en")} dependencies are`} installed, including those in ${folders}`,
  "not-asked-for": ({ what }: { what: Value }) => `${what}, which it does not ask for`,
  "crashed-early": ({ command }: { command: Value }) =>
    `${command} crashed soon after it had come up`,
  silent: ({ command, port }: { command: Value; port: Value }) =>
    `${command} accepts connections on port ${port} but answers nothing`,
  "tests-passed": ({ command }: { command: Value }) => `${command} passed`,
  "tests-too-long": ({ command, seconds }: { command: Value; seconds: Value }) =>
    `${command} did not end in ${seconds} s`,
  "trying-copy": () => "trying a fresh copy",
  "copy-down": ({ what }: { what: Value }) => `a fresh copy does not come up: ${what}`,
  "copy-up": () => "a fresh copy comes up",
  "copy-up-unlocked": ({ what }: { what: Value }) =>
    `a fresh copy comes up once its lock file is mended: ${what}`,
  "as-pressed": ({ control, path, what }: { control: Value; path: Value; what: Value }) =>
    `${what}, as ${control} on ${path} is pressed`,
  "look-stopped": () => "the look was stopped",
  "did-not-load-because": ({ path, why }: { path: Value; why: Value }) =>
    `the page ${path} did not load: ${why}`,
  redirects: ({ path }: { path: Value }) =>
    `the page ${path} did not load: it redirects without end`,
  "loops-itself": ({ path }: { path: Value }) => `the page ${path} loads itself again and again`,
  "with-error": ({ error, what }: { error: Value; what: Value }) => `${error}: ${what}`,
  "request-answered": ({ method, status, url }: { method: Value; status: Value; url: Value }) =>
    `${method} ${url} answered ${status}`,
  "request-failed": ({ method, url }: { method: Value; url: Value }) => `${method} ${url} failed`,
  because: ({ what, why }: { what: Value; why: Value }) => `${what}: ${why}`,
  excused: ({ what, why }: { what: Value; why: Value }) => `${what}: it ${why}`,
  "on-page": ({ path, what }: { path: Value; what: Value }) => `${what} on ${path}`,
  "rendered-more": ({ more, what }: { more: Value; what: Value }) =>
    `${what}, and so did ${more} more`,
  faint: ({ texts }: { texts: Value }) =>
    `${texts} cannot be read: it has nearly the colour of its ground`,
  "faint-dark": ({ texts }: { texts: Value }) =>
    `${texts} cannot be read in a browser that prefers dark: it has nearly the colour of its ground`,
  "in-preview": ({ what }: { what: Value }) => `${what}, as the preview shows it`,
  "in-preview-on": ({ path, what }: { path: Value; what: Value }) =>
    `${what} (in the preview, on ${path})`,
};
