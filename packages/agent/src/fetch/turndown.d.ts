declare module "turndown" {
  /** The part of the library's interface that is used. */
  export default class TurndownService {
    constructor(options?: { headingStyle?: "atx"; codeBlockStyle?: "fenced" });
    remove(filter: string[]): this;
    turndown(html: string): string;
  }
}
