import { commandShape } from "../command-shape.ts";

const SHELLS = ["bash", "zsh", "fish"] as const;

export const completion = commandShape({
  name: "completion",
  words: SHELLS.join("|"),
  summary: "print the script that lets your shell complete treadle's commands and options",
  help: "bash: source <(treadle completion bash). zsh: source <(treadle completion zsh), after compinit. fish: treadle completion fish | source. Put that line into your shell's start-up file.",
  options: {},
  completes: SHELLS,
  read(_values, [shell, more]) {
    const known = SHELLS.find((one) => one === shell);
    if (!known || more !== undefined) return { wrong: "“completion” takes bash, zsh or fish." };
    return { shell: known };
  },
});
