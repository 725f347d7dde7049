#!/usr/bin/env bash
# Installs what Treadle is made of and builds it, unless a cache brought both.
set -eu
cd "$GITHUB_ACTION_PATH"
node --input-type=module -e '
  const { ensureInstalled, ensureBuilt } = await import("./scripts/prepare.mjs");
  ensureInstalled();
  ensureBuilt();
'
