export { codeBlocks, type CodeBlock } from "./code-blocks.ts";
export { imports, loneCommands, readProjectCommand, type ProjectCommand } from "./commands.ts";
export { readChange, type FileChange, type ReadChange } from "./read-change.ts";
