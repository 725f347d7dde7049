/** How something is done well, read by the model when it is about to do it. */
export interface Skill {
  /** As it is asked for: small letters, digits and hyphens. */
  name: string;
  /** When to read it; one line. */
  description: string;
  body: string;
}
