/** Instructions for a kind of task, which the model reads when it is about to do it. */
export interface Skill {
  /** The name used to request it: lower-case letters, digits and hyphens. */
  name: string;
  /** When to read it; one line. */
  description: string;
  body: string;
}
