import type { GateFile } from "../types.ts";

const CODE = /\.(?:[cm]?[jt]sx?|vue|svelte|astro|css|scss)$/;
/** Files that only build, test or inspect an app. */
const NO_APP =
  /(?:^|\/)(?:tests?|__tests__|e2e|fixtures|mocks?|docs|scripts?|tools?|build|bin|\.\w[\w.-]*)\/|(?:^|\/)(?:gulpfile|gruntfile|\.\w[^/]*|[^/]*rc)\.\w+$|[._](?:test|spec|stories|config|setup|d)\.\w+$/i;
/** Imports of packages, except of types, which disappear in the build. */
const IMPORTED =
  /(?:\bimport\s+(?!type\b)(?:[\w$*{][^"'`;]{0,500}?\bfrom\s{0,10})?|\bexport\s+(?:\*|\{)[^"'`;]{0,500}?\bfrom\s{0,10}|\b(?:import|require)\(\s{0,10}|@import\s{1,10}(?:url\()?)["']((?:@[\w.-]{1,60}\/)?[a-z][\w.-]{0,80})(?:\/[^"'\n]{0,200})?["']/g;

/** The packages that the app's own sources import and so include. */
export const parse = (sources: readonly GateFile[]): Set<string> =>
  new Set(
    sources
      .filter(({ path }) => CODE.test(path) && !NO_APP.test(path))
      .flatMap(({ text }) => [...text.matchAll(IMPORTED)].map(([, name = ""]) => name)),
  );
