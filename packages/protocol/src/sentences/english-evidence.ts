/** Sentences about a part, a page or a check, without a final full stop. */
export const EVIDENCE = {
  "no-manifest": () => "the project has no package.json",
  "no-dependencies": () => "the project has no dependencies",
  comparing: () => "comparing package.json with what is installed",
  dependencies: ({ count }: { count: number }) =>
    count === 1 ? `${count} dependency is installed` : `${count} dependencies are installed`,
  "is-running": ({ command }: { command: string }) => `${command} is running`,
  "once-more": ({ command }: { command: string }) => `${command} failed and is tried once more`,
  "second-try": ({ command }: { command: string }) => `${command} ended with 0, at the second try`,
  "did-not-end": ({ command, how }: { command: string; how: string }) =>
    `${command} did not end (${how})`,
  "no-build": () => "the project has no build script",
  "wrote-files": ({ command, count }: { command: string; count: number }) =>
    `${command} ended with 0 and wrote ${count} files`,
  "proves-nothing": ({ command }: { command: string }) =>
    `${command} ended with 0 but wrote nothing, which proves nothing`,
  "went-on": ({ command }: { command: string }) => `${command} went on running as a server`,
  "built-fails": ({ command }: { command: string }) => `${command} failed, whose output is served`,
  "not-tried": ({ command, why }: { command: string; why: string }) =>
    `${command} could not be tried: ${why}`,
  "ended-with": ({ command, code }: { command: string; code: string }) =>
    `${command} ended with ${code}`,
  "nothing-to-serve": () => "there is nothing to serve: no dev or start script, no index.html",
  "waiting-server": () => "waiting for the server",
  "crashed-soon": ({ command, code }: { command: string; code: string }) =>
    `${command} crashed with ${code} soon after it had come up`,
  "crashed-with": ({ command, code }: { command: string; code: string }) =>
    `${command} crashed with ${code}`,
  "part-crashed": ({ what }: { what: string }) => `a part of the server crashed: ${what}`,
  "part-of-crashed": ({ command, what }: { command: string; what: string }) =>
    `a part of ${command} crashed: ${what}`,
  "went-away": ({ command }: { command: string }) =>
    `${command} went away soon after it had come up`,
  "after-seen": ({ command, code }: { command: string; code: string }) =>
    `${command} ended with ${code} after it was seen to work`,
  "migration-failed": ({ what }: { what: string }) => `a migration failed: ${what}`,
  crashed: ({ command }: { command: string }) => `${command} crashed`,
  "no-port": ({ command }: { command: string }) => `${command} opened no port`,
  "answered-nothing": () => "the server did not answer",
  "no-request": ({ port, why }: { port: number; why: string }) =>
    `port ${port} answered no request: ${why}`,
  "answered-on-port": ({ path, status, port }: { path: string; status: number; port: number }) =>
    `GET ${path} answered ${status} on port ${port}`,
  answered: ({ path, status }: { path: string; status: number }) =>
    `GET ${path} answered ${status}`,
  "api-proof": () => "the app is an API: its proof is the answered request",
  "api-no-page": () => "the app is an API: it has no page",
  "no-browser": () => "there is no browser here to open the page with",
  "looking-at": () => "looking at the page",
  "not-looked": ({ why }: { why: string }) => `the page could not be looked at: ${why}`,
  "not-to-end": ({ path, why }: { path: string; why: string }) =>
    `the page ${path} could not be seen to the end: ${why}`,
  rendered: ({ count }: { count: number }) => `the page rendered ${count} characters`,
  "rendered-bare": () => "the page rendered",
  "no-lang": () => "its html has no lang",
  "in-tab": () => "seen in the person's own tab",
  "did-not-load": ({ path }: { path: string }) => `the page ${path} did not load`,
  "page-did-not-load": () => "the page did not load",
  "page-answered": ({ path, status }: { path: string; status: number }) =>
    `the page ${path} answered ${status}`,
  loops: ({ path, what }: { path: string; what: string }) =>
    `the page ${path} loads ${what} again and again`,
  unreadable: ({ path }: { path: string }) =>
    `the text of the page ${path} cannot be read: it has the colour of its ground`,
  "unreadable-dark": ({ path }: { path: string }) =>
    `in a browser that prefers dark, the text of the page ${path} cannot be read: it has the colour of its ground`,
  listing: ({ path }: { path: string }) =>
    `the page ${path} is a list of the files in a folder: the server found no index.html to show`,
  "shown-error": ({ path, error }: { path: string; error: string }) =>
    `the page ${path} shows an error of its server: ${error}`,
  "shows-only": ({ path, text }: { path: string; text: string }) =>
    `the page ${path} shows nothing but “${text}”`,
  "in-place-of-data": ({ path, text }: { path: string; text: string }) =>
    `the page ${path} shows “${text}” in place of data that did not come`,
  "still-shows": ({ path, text }: { path: string; text: string }) =>
    `the page ${path} still shows “${text}” after it has come to rest`,
  "uncaught-on": ({ error }: { error: string }) => `uncaught: ${error}`,
  overlay: ({ error }: { error: string }) => `error overlay: ${error}`,
  "not-run": ({ error }: { error: string }) => `not run: ${error}`,
  "console-said": ({ error }: { error: string }) => `console: ${error}`,
  "no-errors-matter": () => "no errors that matter",
  messages: ({ count }: { count: number }) => `${count} messages`,
  "no-errors": () => "no errors",
  "nothing-thrown": () => "nothing was thrown",
  "dependencies-all": ({ count }: { count: number }) =>
    `${count} ${count === 1 ? "dependency is" : "dependencies are"} installed, including those of its workspaces`,
  "dependencies-in": ({ count, folders }: { count: number; folders: string }) =>
    `${count} ${count === 1 ? "dependency is" : "dependencies are"} installed, including those in ${folders}`,
  "not-asked-for": ({ what }: { what: string }) => `${what}, which it does not ask for`,
  "crashed-early": ({ command }: { command: string }) =>
    `${command} crashed soon after it had come up`,
  silent: ({ command, port }: { command: string; port: string }) =>
    `${command} accepts connections on port ${port} but answers nothing`,
  "tests-passed": ({ command }: { command: string }) => `${command} passed`,
  "tests-too-long": ({ command, seconds }: { command: string; seconds: string }) =>
    `${command} did not end in ${seconds} s`,
  "trying-copy": () => "trying a fresh copy",
  "copy-down": ({ what }: { what: string }) => `a fresh copy does not come up: ${what}`,
  "copy-up": () => "a fresh copy comes up",
  "copy-up-unlocked": ({ what }: { what: string }) =>
    `a fresh copy comes up once its lock file is mended: ${what}`,
  "as-pressed": ({ what, control, path }: { what: string; control: string; path: string }) =>
    `${what}, as ${control} on ${path} is pressed`,
  "look-stopped": () => "the look was stopped",
  "did-not-load-because": ({ path, why }: { path: string; why: string }) =>
    `the page ${path} did not load: ${why}`,
  redirects: ({ path }: { path: string }) =>
    `the page ${path} did not load: it redirects without end`,
  "loops-itself": ({ path }: { path: string }) => `the page ${path} loads itself again and again`,
  "with-error": ({ error, what }: { error: string; what: string }) => `${error}: ${what}`,
  "request-answered": ({ method, url, status }: { method: string; url: string; status: number }) =>
    `${method} ${url} answered ${status}`,
  "request-failed": ({ method, url }: { method: string; url: string }) => `${method} ${url} failed`,
  because: ({ what, why }: { what: string; why: string }) => `${what}: ${why}`,
  excused: ({ what, why }: { what: string; why: string }) => `${what}: it ${why}`,
  "on-page": ({ what, path }: { what: string; path: string }) => `${what} on ${path}`,
  "rendered-more": ({ what, more }: { what: string; more: number }) =>
    `${what}, and so did ${more} more`,
  faint: ({ texts }: { texts: readonly string[] }) =>
    `${texts.join(", ")} cannot be read: it has nearly the colour of its ground`,
  "faint-dark": ({ texts }: { texts: readonly string[] }) =>
    `${texts.join(", ")} cannot be read in a browser that prefers dark: it has nearly the colour of its ground`,
  "in-preview": ({ what }: { what: string }) => `${what}, as the preview shows it`,
  "in-preview-on": ({ what, path }: { what: string; path: string }) =>
    `${what} (in the preview, on ${path})`,
};
