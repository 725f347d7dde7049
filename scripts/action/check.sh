#!/usr/bin/env bash
# The step of action.yml that looks: its inputs are variables, its summary and its outputs go where the runner reads them.
set -eu
# A pattern among the hosts, *.example.com, is one whatever files lie here.
set -f
words=(check "$DIRECTORY" --report "$REPORT" --timeout "$TIMEOUT")
for host in $ALLOW_HOSTS; do words+=(--allow-host "$host"); done
status=0
node "$GITHUB_ACTION_PATH/apps/cli/bin/treadle.mjs" "${words[@]}" || status=$?
# A summary shows no pictures that lie beside it.
if [ -e "$REPORT/report.md" ]; then
  sed -E 's/^!\[.*\]\(([^()]+)\)$/Its picture is `\1` in the folder of the report./' "$REPORT/report.md" >> "$GITHUB_STEP_SUMMARY"
fi
case $status in
  # The report's heading tells the two good ones apart.
  0) if grep -q '^# .*: Runs' "$REPORT/report.md"; then verdict=runs; else verdict=verified; fi ;;
  1) verdict=failed ;;
  3) verdict=unverified ;;
  *) verdict= ;;
esac
echo "verdict=$verdict" >> "$GITHUB_OUTPUT"
if [ "$verdict" = unverified ] && [ "$UNVERIFIED" = pass ]; then exit 0; fi
exit "$status"
