/**
 * Package-manager settings that only affect how dependencies are laid out, checked or reported.
 * Unknown settings (a program to run, a registry, a login) need approval, since they would apply on
 * the person's own machine.
 */
const words = (text: string) => new Set(text.trim().split(/\s+/));

const NPM = words(`
  audit auto-install-peers color dedupe-direct-deps dedupe-peer-dependents engine-strict fetch-retries fetch-timeout fund
  hoist hoist-pattern hoist-workspace-packages include include-workspace-root install-links install-strategy
  legacy-peer-deps link-workspace-packages lockfile loglevel node-linker omit package-import-method package-lock
  prefer-dedupe prefer-frozen-lockfile prefer-workspace-packages progress public-hoist-pattern resolution-mode save
  save-exact save-prefix save-workspace-protocol shamefully-hoist shared-workspace-lockfile side-effects-cache
  strict-peer-dependencies strict-peer-deps symlink update-notifier`);

const PNPM = words(`
  allowBuilds allowUnusedPatches allowedDeprecatedVersions autoInstallPeers blockExoticSubdeps catalog catalogMode catalogs
  cleanupUnusedCatalogs dedupeDirectDeps dedupeInjectedDeps dedupePeerDependents disallowWorkspaceCycles engineStrict hoist
  hoistPattern hoistWorkspacePackages ignoreCompatibilityDb ignoreWorkspaceCycles ignoredBuiltDependencies
  ignoredOptionalDependencies includeWorkspaceRoot injectWorkspacePackages linkWorkspacePackages lockfile minimumReleaseAge
  minimumReleaseAgeExclude neverBuiltDependencies nodeLinker onlyBuiltDependencies overrides packageExtensions packages
  patchedDependencies peerDependencyRules preferFrozenLockfile preferWorkspacePackages publicHoistPattern resolutionMode
  resolvePeersFromWorkspaceRoot saveExact savePrefix saveWorkspaceProtocol shamefullyHoist sharedWorkspaceLockfile
  strictDepBuilds strictPeerDependencies supportedArchitectures symlink trustPolicy updateNotifier verifyDepsBeforeRun`);

const YARN = words(`
  cacheMigrationMode catalog catalogs checksumBehavior compressionLevel defaultSemverRangePrefix enableColors
  enableConstraintsChecks enableGlobalCache enableHardenedMode enableHyperlinks enableImmutableInstalls enableInlineBuilds
  enableInlineHunks enableMessageNames enableNetwork enableOfflineMode enableProgressBars enableScripts enableTelemetry
  enableTransparentWorkspaces httpRetry httpTimeout immutablePatterns logFilters networkConcurrency nmHoistingLimits nmMode
  nmSelfReferences nodeLinker npmMinimalAgeGate npmPreapprovedPackages packageExtensions pnpFallbackMode pnpIgnorePatterns
  pnpMode pnpEnableEsmLoader pnpEnableInlining preferAggregateCacheInfo preferDeferredVersions preferInteractive preferReuse
  supportedArchitectures tsEnableAutoTypes winLinkType`);

const YARN_1 = words(`
  --ignore-engines --install.ignore-engines disable-self-update-check ignore-engines network-concurrency network-timeout
  save-prefix version-git-tag`);

const BUN = words(`
  exact optional dev peer production frozenLockfile saveTextLockfile linker ignoreScripts concurrentScripts telemetry logLevel
  save print`);
const BUN_PARTS = words("install install.lockfile");

const FORMS: Record<string, (lines: string[]) => boolean> = {
  ".npmrc": (lines) => eachLine(lines, /^\s*([\w-]+)(?:\[\])?\s*(?:=|$)/, NPM),
  ".yarnrc": (lines) => eachLine(lines, /^"?([\w.-]+)"?\s+\S/, YARN_1),
  ".yarnrc.yml": (lines) => isPlainYaml(lines, YARN),
  "pnpm-workspace.yaml": (lines) => isPlainYaml(lines, PNPM),
  "bunfig.toml": isPlainToml,
};

/** Whether the file is a package manager's settings and contains only harmless ones. */
export function isPlainSettings(path: string, text: string): boolean {
  const form = FORMS[path.slice(path.lastIndexOf("/") + 1)];
  // Unusual line breaks and look-alike characters are not plain settings.
  if (!form || /[^\t\r\n -~]/.test(text) || /\r(?!\n)/.test(text)) return false;
  const lines = text.split(/\r?\n/).map((line) => line.trimEnd());
  return form(lines.filter((line) => !/^\s*(?:[#;].*)?$/.test(line)));
}

const eachLine = (lines: string[], form: RegExp, known: ReadonlySet<string>) =>
  lines.every((line) => known.has(form.exec(line)?.[1] ?? ""));

/** Known names at the top level, each with its indented block. */
function isPlainYaml(lines: string[], known: ReadonlySet<string>): boolean {
  let holds = false;
  return lines.every((line, index) => {
    if (index === 0 && line === "---") return true;
    // A block value or a list; a name may not follow a value on the same line.
    if (/^[ -]/.test(line) && !line.startsWith("---")) return holds;
    const named = /^(["']?)([A-Za-z]+)\1:(?:\s+(.*))?$/.exec(line);
    if (!named) return false;
    const value = named[3] ?? "";
    holds = value === "" || value.startsWith("#");
    return known.has(named[2]!);
  });
}

function isPlainToml(lines: string[]): boolean {
  let part = "";
  return lines.every((line) => {
    const opened = /^\s*\[\s*([\w.]+)\s*\]$/.exec(line);
    if (opened) return BUN_PARTS.has((part = opened[1]!));
    const name = /^\s*(\w+)\s*=\s*(?:true|false|\d+|"[\w-]*")$/.exec(line)?.[1];
    return (
      name !== undefined &&
      (part !== "" || ["telemetry", "logLevel"].includes(name)) &&
      BUN.has(name)
    );
  });
}
