import { bashCompletion } from "./completion-bash.ts";
import { fishCompletion } from "./completion-fish.ts";
import { zshCompletion } from "./completion-zsh.ts";

/** A shell's completion script, generated from the list of commands. */
export function completionFor(shell: "bash" | "zsh" | "fish"): string {
  switch (shell) {
    case "bash":
      return bashCompletion();
    case "zsh":
      return zshCompletion();
    case "fish":
      return fishCompletion();
  }
}
