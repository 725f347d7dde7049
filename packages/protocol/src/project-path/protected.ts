/**
 * Files of a project that programs outside its sandbox obey by themselves: agents, editors, git and
 * its hooks, CI, package managers on the person's own machine. A manipulated model could leave
 * instructions there (A24, A32), so writing one always needs approval. `package.json` is not
 * included (its content is checked instead).
 * Asking about files that every app needs would train people to agree. So files that take effect
 * only on request are not included (a Makefile, a Dockerfile, configuration of builds or linters),
 * nor deployment settings (`netlify.toml`, `vercel.json`): a deployment also runs the `build`
 * script of package.json, which needs no approval either.
 */
const FOLDERS = new Set([
  ".agent",
  ".agents",
  ".aiassistant",
  ".aider",
  ".amazonq",
  ".augment",
  ".bolt",
  ".buildkite",
  ".cargo",
  ".circleci",
  ".claude",
  ".cline",
  ".clinerules",
  ".codesandbox",
  ".codex",
  ".continue",
  ".copilot",
  ".crush",
  ".cursor",
  ".devcontainer",
  ".factory",
  ".fleet",
  ".forgejo",
  ".gemini",
  ".git",
  ".gitea",
  ".githooks",
  ".github",
  ".gitlab",
  ".goose",
  ".hg",
  ".husky",
  ".idea",
  ".idx",
  ".junie",
  ".kilocode",
  ".kiro",
  ".lefthook",
  ".mise",
  ".opencode",
  ".openhands",
  ".qodo",
  ".qwen",
  ".roo",
  ".roomodes",
  ".semaphore",
  ".serena",
  ".tabnine",
  ".teamcity",
  ".tekton",
  ".trae",
  ".treadle",
  ".vscode",
  ".warp",
  ".windsurf",
  ".woodpecker",
  ".yarn",
  ".zed",
  ".zencoder",
]);

const FILES = new Set([
  ".augment-guidelines",
  ".claude.json",
  ".continuerules",
  ".cursorrules",
  ".devcontainer.json",
  ".dir-locals.el",
  ".envrc",
  ".exrc",
  ".gitattributes",
  ".gitconfig",
  ".gitmodules",
  ".goosehints",
  ".gvimrc",
  ".kilocodemodes",
  ".lvimrc",
  ".mcp.json",
  ".npmrc",
  ".nvim.lua",
  ".nvimrc",
  ".overcommit.yml",
  ".pre-commit-config.yaml",
  ".replit",
  ".rules",
  ".vimrc",
  ".windsurfrules",
  ".yarnrc",
  ".yarnrc.yml",
  "agent.md",
  "agents.md",
  "agents.override.md",
  "binding.gyp",
  "bunfig.toml",
  "claude.local.md",
  "claude.md",
  "copilot-instructions.md",
  "crush.md",
  "gemini.md",
  "jenkinsfile",
  "mcp.json",
  "pnpm-workspace.yaml",
  "qwen.md",
  "replit.md",
  "warp.md",
]);

/** Patterns for tools that accept several names or extensions. */
const PATTERNS = [
  /^\.aider\./,
  /^\.(?:cline|cursor|kilocode|roo)rules-/,
  /^\.?lefthook(?:-local)?\.(?:ya?ml|json|toml)$/,
  /^\.lintstagedrc(?:\.|$)/,
  /^lint-staged\.config\./,
  /^\.huskyrc(?:\.|$)/,
  /^husky\.config\./,
  /^\.?simple-git-hooks\./,
  /^\.?pnpmfile\.[cm]?js$/,
  /\.code-workspace$/,
  /^\.?crush\.json$/,
  /^\.?mise(?:\.[\w-]+)*\.toml$/,
  /^\.?opencode\.jsonc?$/,
  // CI.
  /^\.?(?:appveyor|azure-pipelines|bitbucket-pipelines|bitrise|buildspec|cirrus|cloudbuild|codemagic|drone|gitlab-ci|gitpod|travis|woodpecker)\.ya?ml$/,
  /^(?:\.cirrus\.star|\.drone\.(?:star|jsonnet)|cloudbuild\.json|\.gitpod\.dockerfile)$/,
];

/** Treadle's own file, which the model is asked to write: a list of checks in plain words. */
const OWN = ".treadle/checks.md";

/** Whether programs outside the sandbox obey the file, also on a case-insensitive disk (A23). */
export function isProtectedPath(path: string): boolean {
  const parts = path
    .normalize("NFKC")
    .replace(/\p{Cf}/gu, "")
    .toLowerCase()
    .split(/[\\/]+/)
    // Some file systems ignore these at the end of a name.
    .map((part) => (part === ".." ? part : part.replace(/[. ]+$/, "")))
    .filter((part) => part !== "");
  if (parts.join("/") === OWN) return false;
  const name = parts.at(-1);
  if (name === undefined) return false;
  return (
    parts.some((part) => FOLDERS.has(part)) ||
    FILES.has(name) ||
    PATTERNS.some((pattern) => pattern.test(name))
  );
}
