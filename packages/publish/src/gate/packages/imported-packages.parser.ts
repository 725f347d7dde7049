import type { GateFile } from "../types.ts";

const CODE = /\.(?:[cm]?[jt]sx?|vue|svelte|astro|css|scss)$/;
/** What builds or tests an app, or looks at it while it is made. */
const NO_APP =
  /(?:^|\/)(?:tests?|__tests__|e2e|fixtures|mocks?|docs|scripts?|tools?|build|bin|\.\w[\w.-]*)\/|(?:^|\/)(?:gulpfile|gruntfile|\.\w[^/]*|[^/]*rc)\.\w+$|[._](?:test|spec|stories|config|setup|d)\.\w+$/i;
/** Types are gone once a program is built. */
const IMPORTED =
  /(?:\bimport\s+(?!type\b)(?:[\w$*{][^"'`;]{0,500}?\bfrom\s{0,10})?|\bexport\s+(?:\*|\{)[^"'`;]{0,500}?\bfrom\s{0,10}|\b(?:import|require)\(\s{0,10}|@import\s{1,10}(?:url\()?)["']((?:@[\w.-]{1,60}\/)?[a-z][\w.-]{0,80})(?:\/[^"'\n]{0,200})?["']/g;

/** Names of the packages that the app's own sources import, and so take along. */
export const parse = (sources: readonly GateFile[]): Set<string> =>
  new Set(
    sources
      .filter(({ path }) => CODE.test(path) && !NO_APP.test(path))
      .flatMap(({ text }) => [...text.matchAll(IMPORTED)].map(([, name = ""]) => name)),
  );
