/**
 * Files of a project that something outside its sandbox obeys without being told to: agents, editors, git and its hooks,
 * CI, package managers on the person's own machine. A model that was talked into it could leave orders there (A24, A32),
 * so writing one is always asked about. `package.json` is not among them (see `hooks-changed.ts`).
 */
const FOLDERS = new Set([
  ".agents",
  ".aider",
  ".bolt",
  ".buildkite",
  ".circleci",
  ".claude",
  ".cline",
  ".clinerules",
  ".codex",
  ".continue",
  ".cursor",
  ".devcontainer",
  ".forgejo",
  ".gemini",
  ".git",
  ".gitea",
  ".githooks",
  ".github",
  ".gitlab",
  ".husky",
  ".idea",
  ".lefthook",
  ".roo",
  ".roomodes",
  ".treadle",
  ".vscode",
  ".windsurf",
  ".woodpecker",
  ".zed",
]);

const FILES = new Set([
  ".aider.conf.yml",
  ".cursorrules",
  ".drone.yml",
  ".envrc",
  ".gitattributes",
  ".gitconfig",
  ".gitlab-ci.yml",
  ".gitmodules",
  ".lintstagedrc",
  ".mcp.json",
  ".npmrc",
  ".pnpmfile.cjs",
  ".pre-commit-config.yaml",
  ".travis.yml",
  ".windsurfrules",
  ".yarnrc",
  ".yarnrc.yml",
  "agents.md",
  "agents.override.md",
  "azure-pipelines.yml",
  "binding.gyp",
  "bitbucket-pipelines.yml",
  "bunfig.toml",
  "claude.local.md",
  "claude.md",
  "copilot-instructions.md",
  "gemini.md",
  "jenkinsfile",
  "lefthook.yml",
  "mcp.json",
]);

/** Treadle's own, which the model is asked to write: a list of checks in plain words. */
const OWN = ".treadle/checks.md";

/** Whether something outside the sandbox obeys the file, as a disk that tells no case apart would see it (A23). */
export function isObeyedPath(path: string): boolean {
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
  return parts.some((part) => FOLDERS.has(part)) || (name !== undefined && FILES.has(name));
}
