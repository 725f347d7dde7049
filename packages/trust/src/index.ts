/** Determines the authors of changes, and protects files that programs obey. */
export type { AnnouncedFiles } from "./announced-files.ts";
export { createAuthors } from "./authors.ts";
export { createProjectTrust, type ProjectTrust } from "./project-trust.ts";
export type { UnaskedChange } from "./protected-files.ts";
