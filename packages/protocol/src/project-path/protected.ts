/**
 * Files of a project that something outside its sandbox obeys without being told to: agents, editors, git and its hooks,
 * CI, package managers on the person's own machine. A model that was talked into it could leave orders there (A24, A32),
 * so writing one is always asked about. `package.json` is not among them (what it says is looked at, not that it is written).
 *
 * Asking about what every app needs would teach to say yes. So what is obeyed only when somebody calls for it is not here
 * (a Makefile, a Dockerfile, what a build or a linter reads), nor where an app is to be deployed (`netlify.toml`,
 * `vercel.json`): what is built there runs what a package.json's `build` says as well, and that is not asked about either.
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

/** Where a tool takes several names or endings. */
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

/** Treadle's own, which the model is asked to write: a list of checks in plain words. */
const OWN = ".treadle/checks.md";

/** Whether something outside the sandbox obeys the file, as a disk that tells no case apart would see it (A23). */
export function isProtectedPath(path: string): boolean {
  const parts = path
    .normalize("NFKC")
    .replace(/\p{Cf}/gu, "")
    .toLowerCase()
    .split(/[\\/]+/)
    // Some disks drop these from the end of a name.
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
