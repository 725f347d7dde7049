declare module "turndown" {
  /** What of it is used. */
  export default class TurndownService {
    constructor(options?: { headingStyle?: "atx"; codeBlockStyle?: "fenced" });
    remove(filter: string[]): this;
    turndown(html: string): string;
  }
}
