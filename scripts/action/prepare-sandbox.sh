#!/usr/bin/env bash
# What bubblewrap needs on a runner: the program, and on Ubuntu 24.04 and later the leave to make namespaces.
set -eu
command -v bwrap > /dev/null || { sudo apt-get update -qq && sudo apt-get install -y -qq bubblewrap; }
setting=/proc/sys/kernel/apparmor_restrict_unprivileged_userns
if [ -e "$setting" ] && [ "$(cat "$setting")" != 0 ]; then
  sudo sysctl -q -w kernel.apparmor_restrict_unprivileged_userns=0
fi
